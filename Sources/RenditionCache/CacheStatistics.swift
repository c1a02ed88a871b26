/// What is in the cache.
public struct CacheStatistics: Sendable {
    /// Entries of each channel and kind (`native`, a rendition name, `transform`).
    public struct Row: Sendable {
        /// The channel.
        public var channel: String
        /// The kind of rendition.
        public var form: String
        /// The media type.
        public var mediaType: String
        /// How many.
        public var entries: Int
        /// Bytes of their bodies.
        public var bytes: Int
    }

    /// One row for each channel, form and media type.
    public var rows: [Row]
    /// Allocated bytes on disk, everything included.
    public var allocatedBytes: Int
    /// The limit.
    public var maxBytes: Int
    /// Entries in all.
    public var entries: Int
}
