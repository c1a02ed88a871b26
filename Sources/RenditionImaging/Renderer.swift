import CVips
public import RenditionModel

/// Does render jobs in this process; only the worker program has one.
public struct Renderer: Sendable {
    private static let start: ImagingError? = cvips_start("rcache-render") == 0 ? nil : ImagingError.lastFailure

    /// Starts libvips, once for the process.
    public init() throws(ImagingError) {
        if let failure = Self.start { throw failure }
    }

    /// Does one job; whatever is wrong with the job or the source is a refusal in the reply.
    ///
    /// Blocks until done; no pixel is decoded before every limit has been checked. `source` is the whole file and must not
    /// change meanwhile; a placeholder needs none. The same holds for `mark`, which a transform with a mark needs.
    public func perform(
        _ job: RenderJob,
        source: UnsafeRawBufferPointer?,
        mark: UnsafeRawBufferPointer? = nil
    ) -> RenderProduct {
        do throws(RenderRefusal) {
            switch job.task {
            case .placeholder(let size, let format):
                return try placeholder(size, format, limits: job.limits)
            case .probe:
                return try withSource(source, limits: job.limits) { probe throws(RenderRefusal) in
                    RenderProduct(.probed(probe.description), nil)
                }
            case .render(let transform):
                try check(transform)
                return try withSource(source, limits: job.limits) { probe throws(RenderRefusal) in
                    try probe.rendered(transform, limits: job.limits) { plan, source throws(RenderRefusal) in
                        try overlay(mark, for: plan, beside: source, limits: job.limits)
                    }
                }
            }
        } catch {
            return RenderProduct(.refused(error), nil)
        }
    }

    private func check(_ transform: Transform) throws(RenderRefusal) {
        if let quality = transform.fixedQuality, !(1...100).contains(quality) {
            throw .badJob("quality \(quality) is not in 1...100")
        }
        if case .fixed(let format) = transform.format { try check(output: format) }
    }

    private func check(output format: ImageFormat) throws(RenderRefusal) {
        guard format.isOutput else { throw .badJob("\(format.rawValue) cannot be written") }
    }

    /// Recognises and probes the source, and lends the probe with bytes that end as their format wants.
    private func withSource<Result: ~Copyable>(
        _ source: UnsafeRawBufferPointer?,
        limits: RenderLimits,
        _ body: (consuming SourceProbe) throws(RenderRefusal) -> Result
    ) throws(RenderRefusal) -> Result {
        guard let source else { throw .badJob("no source came with it") }
        let format = ImageFormat(signature: source)
        try limits.check(byteCount: source.count, format: format)
        guard let format else { throw .unknownFormat(source) }
        let structure = SourceStructure(of: source, format: format)
        if let frames = structure.frames { try limits.check(frames: frames) }
        if let scans = structure.scans { try limits.check(scans: scans) }
        switch structure.end {
        case .truncated:
            throw .truncated(format: format)
        case .complete, .unknown:
            return try body(SourceProbe(source, format: format, structure: structure, limits: limits))
        case .missingEndMarker:
            let mended = source.prefix(structure.wholeBytes) + format.endMarker
            return try mended.lending { bytes throws(RenderRefusal) in
                try body(SourceProbe(bytes, format: format, structure: structure, limits: limits))
            }
        }
    }

    /// The mark of a plan, which is held to all the limits of a source; nil for a plan without one.
    private func overlay(
        _ bytes: UnsafeRawBufferPointer?,
        for plan: RenderPlan,
        beside base: SourceDescription,
        limits: RenderLimits
    ) throws(RenderRefusal) -> Overlay? {
        for case .stamp(let mark, let canvas) in plan.steps {
            guard let bytes else { throw .badJob("no mark came with it") }
            return try withSource(bytes, limits: limits) { probe throws(RenderRefusal) in
                try probe.overlay(mark, on: canvas, beside: base, limits: limits)
            }
        }
        return nil
    }

    private func placeholder(
        _ size: PixelSize,
        _ format: ImageFormat,
        limits: RenderLimits
    ) throws(RenderRefusal) -> RenderProduct {
        try check(output: format)
        guard size.width > 0, size.height > 0 else { throw .badJob("a placeholder of \(size)") }
        try limits.check(output: size, format)
        return try Array(Placeholder(size: size).svg.utf8).lending { bytes throws(RenderRefusal) in
            let probe = try SourceProbe(
                bytes,
                format: .svg,
                structure: SourceStructure(of: bytes, format: .svg),
                limits: limits
            )
            return try probe.rendered(Transform(format: .fixed(format)), limits: limits).withoutSource()
        }
    }
}

/// What came of a job: the reply, and the encoded picture if there is one.
public struct RenderProduct: ~Copyable {
    /// The reply.
    public let reply: RenderReply
    private let output: Encoded?

    init(_ reply: RenderReply, _ output: Encoded?) {
        self.reply = reply
        self.output = output
    }

    /// Lends the encoded picture's bytes for the duration of the call; nil if there is none.
    public func withOutput<T>(_ body: (UnsafeRawBufferPointer) -> T) -> T? {
        output.map { $0.picture.withUnsafeBytes(body) }
    }

    consuming func withoutSource() -> RenderProduct {
        guard case .rendered(var picture) = reply else { return self }
        picture.source = nil
        return RenderProduct(.rendered(picture), output)
    }
}

/// Why no render is possible in this process.
public enum ImagingError: Error, Equatable, Sendable {
    /// libvips did not start; its own words.
    case cannotStart(String)

    fileprivate static var lastFailure: ImagingError { .cannotStart(StepFailure("start").hint) }
}

extension ImageFormat {
    /// What the last bytes of a whole file are, in the formats whose walk can miss them.
    fileprivate var endMarker: [UInt8] {
        switch self {
        case .jpeg: [0xFF, 0xD9]
        case .png: [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]
        case .gif: [0x3B]
        case .webp, .avif, .heic, .jxl, .tiff, .svg: []
        }
    }
}

extension Transform {
    /// The quality where it is a number.
    var fixedQuality: Int? {
        if case .fixed(let number)? = quality { number } else { nil }
    }
}
