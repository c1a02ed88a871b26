/// What a catalogue knows of one asset.
public struct Asset: Codable, Hashable, Sendable {
    /// A rendition that the CMS says it has.
    public struct OfferedRendition: Codable, Hashable, Sendable {
        /// Its name; case matters.
        public var name: String
        /// Its formats, in the CMS's order, as its URLs spell them (`jpg`, `webp`).
        public var formats: [String]
        /// The CMS's rendition type (`responsiveimage`, …), if it says one.
        public var type: String?
        /// Those of its formats that the CMS has not generated yet, so that it may have nothing to send.
        public var pending: [String]?

        /// An offer.
        public init(name: String, formats: [String], type: String? = nil, pending: [String]? = nil) {
            self.name = name
            self.formats = formats
            self.type = type
            self.pending = pending
        }
    }

    /// The CMS's identifier; for a folder the relative path, without extension where that is unambiguous.
    public var id: String
    /// The slug, if there is one.
    public var slug: String?
    /// The file name.
    public var name: String
    /// Whether it is a digital asset (a picture, a video, a file) rather than a content item.
    public var isDigitalAsset: Bool
    /// The CMS's file group (`Images`, `Videos`, `Files`), if it says one.
    public var fileGroup: String?
    /// The declared media type of the native, if there is one; content decides.
    public var mediaType: String?
    /// The catalogue's revision or update time; nil where only the bytes can tell.
    public var version: String?
    /// When the catalogue says it last changed, in seconds since 1970.
    public var updatedSeconds: Double?
    /// The size of the native in pixels, if known.
    public var size: PixelSize?
    /// The size of the native in bytes, if known.
    public var byteCount: Int?
    /// Renditions that the CMS has; nil where the catalogue entry does not say.
    public var renditions: [OfferedRendition]?
    /// Whether the CMS makes this video's thumbnail from its video service (spec OCM §8.3).
    public var hasAdvancedVideo: Bool
    /// The path below its folder, where the asset is a file of one.
    public var path: String?
    /// Where the CMS says the native is, a URL or a path of its host without a query; nil where the id alone tells.
    public var address: String?
    /// The renditions that content asks for, each as the query of the CMS's own picture URLs.
    public var requested: [String]?

    /// An asset.
    public init(
        id: String,
        slug: String? = nil,
        name: String,
        isDigitalAsset: Bool = true,
        fileGroup: String? = nil,
        mediaType: String? = nil,
        version: String? = nil,
        updatedSeconds: Double? = nil,
        size: PixelSize? = nil,
        byteCount: Int? = nil,
        renditions: [OfferedRendition]? = nil,
        hasAdvancedVideo: Bool = false,
        path: String? = nil,
        address: String? = nil,
        requested: [String]? = nil
    ) {
        self.id = id
        self.slug = slug
        self.name = name
        self.isDigitalAsset = isDigitalAsset
        self.fileGroup = fileGroup
        self.mediaType = mediaType
        self.version = version
        self.updatedSeconds = updatedSeconds
        self.size = size
        self.byteCount = byteCount
        self.renditions = renditions
        self.hasAdvancedVideo = hasAdvancedVideo
        self.path = path
        self.address = address
        self.requested = requested
    }
}

extension Asset {
    /// Whether the catalogue says, or leaves open, that this is a picture.
    var isPicture: Bool {
        guard isDigitalAsset else { return false }
        if let mediaType { return mediaType.hasPrefix("image/") }
        return fileGroup.map { $0 == "Images" } ?? true
    }
}
