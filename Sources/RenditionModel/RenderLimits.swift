/// What one render may cost; checked from the header, before a pixel is decoded.
public struct RenderLimits: Codable, Hashable, Sendable {
    /// Largest source, in bytes; default 100 MB.
    public var sourceBytes: Int
    /// Most source pixels, frames multiplied in; default 100 MP.
    public var sourcePixels: Int
    /// Most frames; default 300.
    public var frames: Int
    /// Most scans of a JPEG, each a pass over all its pixels; default 100.
    ///
    /// A progressive one has about ten, at most 64 would say anything new.
    public var scans: Int
    /// Longest output edge, in pixels; default 8192.
    public var outputEdgePixels: Int
    /// Largest SVG source, in bytes; default 10 MB.
    public var svgBytes: Int
    /// Wall-clock time for one job; default 15 s.
    ///
    /// The worker is killed when it has passed.
    public var deadlineSeconds: Double
    /// Address space for one worker's job, in bytes; default 1 GB beyond what the libraries take.
    public var jobBytes: Int

    /// Limits, each with its default.
    public init(
        sourceBytes: Int = 100_000_000,
        sourcePixels: Int = 100_000_000,
        frames: Int = 300,
        scans: Int = 100,
        outputEdgePixels: Int = 8192,
        svgBytes: Int = 10_000_000,
        deadlineSeconds: Double = 15,
        jobBytes: Int = 1_000_000_000
    ) {
        self.sourceBytes = sourceBytes
        self.sourcePixels = sourcePixels
        self.frames = frames
        self.scans = scans
        self.outputEdgePixels = outputEdgePixels
        self.svgBytes = svgBytes
        self.deadlineSeconds = deadlineSeconds
        self.jobBytes = jobBytes
    }

    /// Most pixels of one output, by format: JPEG and PNG 67 MP, WebP and GIF 16 MP, AVIF and JPEG XL 8 MP.
    public func outputPixels(_ format: ImageFormat) -> Int {
        switch format {
        case .webp, .gif: 16_000_000
        case .avif, .jxl: 8_000_000
        default: 67_108_864
        }
    }
}
