/// A picture ready to be sent: its bytes and all that is said about them.
public struct Rendition: Sendable {
    /// The bytes.
    public var body: RenditionBody
    /// The digest of the bytes.
    public var digest: Digest
    /// The format, by content; nil for a native that is no picture (a PDF).
    public var format: ImageFormat?
    /// The media type, by content where it is a picture.
    public var mediaType: String
    /// The size in pixels, where it is known.
    public var size: PixelSize?
    /// A strong entity tag with its quotes (RFC 9110 §8.8.3), different for every rendition and format; nil for a placeholder.
    public var entityTag: String?
    /// When the asset last changed, in seconds since 1970, if known.
    public var modifiedSeconds: Double?
    /// A sensible file name with the right extension.
    public var fileName: String
    /// Where it comes from.
    public var provenance: Provenance
    /// When its bytes arrived or were last found unchanged, in seconds since 1970; `Age` counts from here.
    public var validatedSeconds: Double
    /// How long from then it is fresh.
    public var lifetimeSeconds: Double

    /// A rendition.
    public init(
        body: RenditionBody,
        digest: Digest,
        format: ImageFormat?,
        mediaType: String,
        size: PixelSize?,
        entityTag: String?,
        modifiedSeconds: Double?,
        fileName: String,
        provenance: Provenance,
        validatedSeconds: Double,
        lifetimeSeconds: Double
    ) {
        self.body = body
        self.digest = digest
        self.format = format
        self.mediaType = mediaType
        self.size = size
        self.entityTag = entityTag
        self.modifiedSeconds = modifiedSeconds
        self.fileName = fileName
        self.provenance = provenance
        self.validatedSeconds = validatedSeconds
        self.lifetimeSeconds = lifetimeSeconds
    }
}

/// What became of a request: the state an app models for its picture.
public enum RenditionOutcome: Sendable {
    /// The picture: fresh, or within `staleWhileRevalidate` and being checked behind the answer, which
    /// `provenance.staleSeconds` then says.
    case rendition(Rendition)
    /// The last good picture, because the origin could not be asked; `provenance.staleSeconds` says how old.
    case stale(Rendition, cause: PlaceholderCause)
    /// A neutral stand-in of the requested size and format; never stored.
    case placeholder(Rendition, cause: PlaceholderCause)

    /// The bytes to show, whatever they are.
    public var rendition: Rendition {
        switch self {
        case .rendition(let rendition), .stale(let rendition, _), .placeholder(let rendition, _): rendition
        }
    }
}

/// Why there is no fresh picture.
public enum PlaceholderCause: String, Codable, CaseIterable, Sendable {
    case notFound = "not-found"
    case forbidden
    case originDown = "origin-down"
    case timeout
    case undecodable
    case tooLarge = "too-large"
    case notAnImage = "not-an-image"
    /// No fault of the origin: the render queue is full, or the disk or memory here takes nothing more.
    case overloaded
}

/// Who made the bytes and what is odd about them: the `RCache-Provenance` field.
public struct Provenance: Hashable, Sendable {
    /// Who made the bytes.
    public enum Maker: String, Codable, Sendable {
        /// The CMS did.
        case origin
        /// rcache rendered them.
        case local
        /// Nobody: a stand-in.
        case placeholder
    }

    /// Who made the bytes.
    public var maker: Maker
    /// How many seconds past its lifetime, if stale.
    public var staleSeconds: Int?
    /// Why it is stale or a placeholder.
    public var cause: PlaceholderCause?
    /// Frames kept of frames there were, if some were dropped.
    public var frames: (kept: Int, total: Int)? {
        keptFrames.flatMap { kept in totalFrames.map { (kept, $0) } }
    }
    private var keptFrames: Int?
    private var totalFrames: Int?
    /// False if the bytes could not be kept in the cache.
    public var isStored: Bool

    /// A provenance.
    public init(
        _ maker: Maker,
        staleSeconds: Int? = nil,
        cause: PlaceholderCause? = nil,
        frames: (kept: Int, total: Int)? = nil,
        isStored: Bool = true
    ) {
        self.maker = maker
        self.staleSeconds = staleSeconds
        self.cause = cause
        self.keptFrames = frames?.kept
        self.totalFrames = frames?.total
        self.isStored = isStored
    }

    /// The structured field (RFC 9651 §3.3), for example `origin;stale=90;cause=origin-down`.
    public var fieldValue: String {
        var text = maker.rawValue
        if let staleSeconds { text += ";stale=\(staleSeconds)" }
        if let cause { text += ";cause=\(cause.rawValue)" }
        if let frames { text += ";frames=\"\(frames.kept)/\(frames.total)\"" }
        if !isStored && maker != .placeholder { text += ";stored=?0" }
        return text
    }

    /// The cause in a field that another rcache sent.
    static func cause(inFieldValue text: String) -> PlaceholderCause? {
        let parameter = text.split(separator: ";").map(\.trimmed).first { $0.hasPrefix("cause=") }
        return parameter.flatMap { PlaceholderCause(rawValue: String($0.dropFirst("cause=".count))) }
    }
}
