/// What the cache knows of one stored rendition or source.
struct Entry: Hashable, Sendable {
    /// What names it.
    let key: CacheKey
    /// The digest of its body, which names the blob.
    let digest: Digest
    /// The length of its body.
    let byteCount: Int
    /// What was said about it when it was stored.
    let metadata: EntryMetadata
}

/// What is kept beside a body.
struct EntryMetadata: Codable, Hashable, Sendable {
    /// The channel's name.
    var channel: String
    /// The asset's id in the channel.
    var asset: String
    /// `native`, a rendition name, or a transform's canonical text.
    var form: String
    /// The asset's version that it was made from.
    var version: String
    /// Whether it is a source (native bytes) rather than a rendition.
    var isSource: Bool
    /// Who made the bytes.
    var maker: Provenance.Maker
    /// The format, by content; nil for a native that is no picture.
    var format: ImageFormat?
    /// The media type.
    var mediaType: String
    /// The size in pixels, where it is known.
    var size: PixelSize?
    /// Frames in the bytes; nil for a still or where unknown.
    var keptFrames: Int?
    /// Frames that the source has.
    var totalFrames: Int?
    /// A file name with the right extension.
    var fileName: String
    /// The origin's entity tag, with its quotes.
    var originEntityTag: String?
    /// When the asset last changed, in seconds since 1970.
    var modifiedSeconds: Double?
    /// When it was stored, in seconds since 1970.
    var storedSeconds: Double

    /// Metadata of a still picture of unknown size, unless told more.
    init(
        channel: String,
        asset: String,
        form: String,
        version: String,
        isSource: Bool,
        maker: Provenance.Maker,
        format: ImageFormat?,
        mediaType: String,
        size: PixelSize? = nil,
        keptFrames: Int? = nil,
        totalFrames: Int? = nil,
        fileName: String,
        originEntityTag: String? = nil,
        modifiedSeconds: Double? = nil,
        storedSeconds: Double
    ) {
        self.channel = channel
        self.asset = asset
        self.form = form
        self.version = version
        self.isSource = isSource
        self.maker = maker
        self.format = format
        self.mediaType = mediaType
        self.size = size
        self.keptFrames = keptFrames
        self.totalFrames = totalFrames
        self.fileName = fileName
        self.originEntityTag = originEntityTag
        self.modifiedSeconds = modifiedSeconds
        self.storedSeconds = storedSeconds
    }
}

/// The small record of an asset that makes a hit and the last good version possible without network.
struct AssetRecord: Codable, Hashable, Sendable {
    /// What the catalogue said.
    var asset: Asset
    /// The version that is current.
    var version: String
    /// What the native's header says, once it has been read.
    var source: SourceDescription?
    /// When the origin last confirmed the version, in seconds since 1970.
    var checkedSeconds: Double
    /// How long from then it is taken for granted, in seconds.
    var lifetimeSeconds: Double
    /// Where the native is a file read in place: what changes whenever the file does.
    var fileIdentity: String?
    /// Whether the origin has said that the asset is gone; then nothing of it is served any more.
    var isGone = false
}
