/// What goes to a render worker; the source's bytes, and a mark's, travel beside it as descriptors.
public struct RenderJob: Codable, Hashable, Sendable {
    /// Part of every cache key; raised whenever the same job on the same source yields other bytes.
    public static let encoderRevision = 3

    /// What is asked of the worker.
    public enum Task: Codable, Hashable, Sendable {
        /// Read the header: format, upright size, frames, alpha.
        case probe
        /// Decode, transform, encode.
        case render(Transform)
        /// Draw a neutral stand-in of this size and format; there is no source.
        case placeholder(PixelSize, ImageFormat)
    }

    /// The work.
    public var task: Task
    /// What it may cost.
    public var limits: RenderLimits
    /// How many leading bytes of the descriptor are the source, because a stored blob goes on after it; nil for all.
    public var sourceByteCount: Int?
    /// The same of the mark, which comes second.
    public var markByteCount: Int?

    /// A job on the whole of its source's file.
    public init(_ task: Task, limits: RenderLimits) {
        self.task = task
        self.limits = limits
    }
}

/// What a worker answers; an encoded picture travels beside it as a descriptor of a sealed memory file.
public enum RenderReply: Codable, Hashable, Sendable {
    case probed(SourceDescription)
    case rendered(RenderedPicture)
    case refused(RenderRefusal)
}

/// What a source's header says.
public struct SourceDescription: Codable, Hashable, Sendable {
    /// The format, by content.
    public var format: ImageFormat
    /// The size once upright.
    public var size: PixelSize
    /// Number of frames or pages; 1 for a still.
    public var frames: Int
    /// Whether it has an alpha channel.
    public var hasAlpha: Bool
    /// How the stored pixels must be turned to be upright: EXIF 1…8.
    public var orientation: Int
    /// Whether the format keeps every pixel; of WebP, AVIF and JPEG XL only where the header says so.
    public var isLossless: Bool

    /// A description.
    ///
    /// - Parameter isLossless: nil for what the format usually is.
    public init(
        format: ImageFormat,
        size: PixelSize,
        frames: Int = 1,
        hasAlpha: Bool = false,
        orientation: Int = 1,
        isLossless: Bool? = nil
    ) {
        self.format = format
        self.size = size
        self.frames = frames
        self.hasAlpha = hasAlpha
        self.orientation = orientation
        self.isLossless = isLossless ?? format.isUsuallyLossless
    }

    /// Reads a description; one that was written before a field existed has its default.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            format: try container.decode(ImageFormat.self, forKey: .format),
            size: try container.decode(PixelSize.self, forKey: .size),
            frames: try container.decode(Int.self, forKey: .frames),
            hasAlpha: try container.decode(Bool.self, forKey: .hasAlpha),
            orientation: try container.decodeIfPresent(Int.self, forKey: .orientation) ?? 1,
            isLossless: try container.decodeIfPresent(Bool.self, forKey: .isLossless)
        )
    }

    /// The size of the pixels as stored.
    public var storedSize: PixelSize { orientation > 4 ? size.exchanged : size }

    /// Whether its frames follow each other in time; the pages of the other formats do not.
    public var isAnimated: Bool { frames > 1 && (format == .gif || format == .webp) }
}

/// What came out of a render.
public struct RenderedPicture: Codable, Hashable, Sendable {
    /// The format of the bytes.
    public var format: ImageFormat
    /// The size of the picture in them.
    public var size: PixelSize
    /// How many frames are in the bytes.
    public var frames: Int
    /// What the worker read from the source's header; nil for a placeholder.
    public var source: SourceDescription?
    /// Remarks for the log: a broken profile ignored, a missing end marker.
    public var notes: [String]

    /// A result.
    public init(
        format: ImageFormat,
        size: PixelSize,
        frames: Int = 1,
        source: SourceDescription? = nil,
        notes: [String] = []
    ) {
        self.format = format
        self.size = size
        self.frames = frames
        self.source = source
        self.notes = notes
    }
}

/// Why a worker would not or could not do a job.
public enum RenderRefusal: Codable, Hashable, Sendable, Error {
    /// The bytes are of no format that rcache decodes.
    case notAnImage
    /// The bytes are of a format that rcache knows and hands to no decoder, `PDF` or `FITS`.
    case refusedFormat(String)
    /// The loader gave up; `hint` is the library's text and may be imprecise.
    case undecodable(format: ImageFormat, hint: String)
    /// The bytes end before the picture does.
    case truncated(format: ImageFormat)
    /// A limit would be passed: which one (`source pixels`), by what value, and the limit itself.
    case tooLarge(what: String, value: Int, limit: Int)
    /// The encoder gave up.
    case unencodable(format: ImageFormat, hint: String)
    /// The job itself could not be read, or asks for a format that cannot be written.
    case badJob(String)
    /// What is asked has no result for this source; one clause.
    case impossible(String)
}

extension RenderRefusal {
    /// The refusal of bytes that are no picture of ours, by what they begin with.
    public static func unknownFormat(_ bytes: UnsafeRawBufferPointer) -> RenderRefusal {
        ForeignFormat.name(signature: bytes).map { .refusedFormat($0) } ?? .notAnImage
    }
}

extension RenderRefusal {
    /// Whether it is the wish that cannot be met and not the source that is bad: another transform of it may well be possible.
    public var isOfRequest: Bool {
        switch self {
        case .impossible: true
        // `RenderLimits` names so what is about to be made; everything else that is too large came with the source.
        case .tooLarge(let what, _, _): what.hasPrefix("output ")
        case .notAnImage, .refusedFormat, .undecodable, .truncated, .unencodable, .badJob: false
        }
    }
}

extension RenderRefusal: CustomStringConvertible {
    /// One clause, with the value and the limit.
    public var description: String {
        switch self {
        case .notAnImage: "not a picture of a known format"
        case .refusedFormat(let name): "a \(name) file, whose decoder is kept shut"
        case .undecodable(let format, let hint): "cannot be decoded as \(format.rawValue): \(hint)"
        case .truncated(let format): "the \(format.rawValue) data ends before the picture does"
        case .tooLarge(let what, let value, let limit): "\(what) \(value) passes the limit of \(limit)"
        case .unencodable(let format, let hint): "cannot be encoded as \(format.rawValue): \(hint)"
        case .badJob(let reason): "bad render job: \(reason)"
        case .impossible(let reason): reason
        }
    }
}
