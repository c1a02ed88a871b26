import RenditionModel
import TestSupport

@testable import RenditionImaging

/// A picture's samples, for comparing.
struct Pixels {
    let size: PixelSize
    let bands: Int
    let samples: [UInt8]

    /// Decodes encoded bytes as they are.
    init(_ bytes: [UInt8]) throws {
        let renderer = try Renderer()
        _ = renderer
        (size, bands, samples) = try bytes.withUnsafeBytes { buffer in
            guard let format = ImageFormat(signature: buffer) else { throw RenderRefusal.notAnImage }
            let raster = try Raster(loading: buffer, loader: format.loader)
            return (raster.size, raster.bands, raster.pixels())
        }
    }

    /// Makes a picture of samples from a function of x and y.
    init(_ width: Int, _ height: Int, samples: (Int, Int) -> [Int]) {
        let all = (0..<height).flatMap { y in (0..<width).flatMap { x in samples(x, y).map { UInt8(clamping: $0) } } }
        self.init(size: PixelSize(width: width, height: height), bands: all.count / (width * height), samples: all)
    }

    /// The samples of one pixel.
    subscript(x: Int, y: Int) -> [Int] {
        let start = (y * size.width + x) * bands
        return samples[start..<start + bands].map(Int.init)
    }

    /// The samples at a place given in fractions of the size.
    func at(_ x: Double, _ y: Double) -> [Int] {
        self[Int(x * Double(size.width - 1) + 0.5), Int(y * Double(size.height - 1) + 0.5)]
    }

    /// A grey picture as one of three equal bands.
    private var expanded: Pixels { Pixels(size: size, bands: 3, samples: samples.flatMap { [$0, $0, $0] }) }

    init(size: PixelSize, bands: Int, samples: [UInt8]) {
        (self.size, self.bands, self.samples) = (size, bands, samples)
    }

    /// Three bands, whatever there was.
    var inColour: Pixels { bands == 1 ? expanded : self }

    /// The picture without its alpha.
    var colours: Pixels {
        guard bands % 2 == 0 else { return self }
        let kept = samples.indices.filter { ($0 + 1) % bands != 0 }.map { samples[$0] }
        return Pixels(size: size, bands: bands - 1, samples: kept)
    }

    /// Root of the mean square difference.
    func distance(to other: Pixels) -> Double {
        guard size == other.size else { return .infinity }
        if bands == 1 && other.bands == 3 { return expanded.distance(to: other) }
        if bands == 3 && other.bands == 1 { return distance(to: other.expanded) }
        guard bands == other.bands else { return .infinity }
        let sum = zip(samples, other.samples).reduce(0.0) {
            $0 + Double((Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1)))
        }
        return (sum / Double(samples.count)).squareRoot()
    }
}

/// The largest difference between two pixels.
func difference(_ left: [Int], _ right: [Int]) -> Int {
    left.count == right.count ? zip(left, right).map { abs($0 - $1) }.max() ?? 0 : .max
}

/// Runs one job and copies what came of it.
func perform(
    _ task: RenderJob.Task,
    on source: [UInt8]?,
    mark: [UInt8]? = nil,
    limits: RenderLimits = RenderLimits()
) throws -> (reply: RenderReply, bytes: [UInt8]) {
    let renderer = try Renderer()
    func run(_ buffer: UnsafeRawBufferPointer?, _ mark: UnsafeRawBufferPointer?) -> (RenderReply, [UInt8]) {
        let product = renderer.perform(RenderJob(task, limits: limits), source: buffer, mark: mark)
        return (product.reply, product.withOutput { Array($0) } ?? [])
    }
    func lend<T>(_ bytes: [UInt8]?, _ body: (UnsafeRawBufferPointer?) -> T) -> T {
        bytes.map { $0.withUnsafeBytes { body($0) } } ?? body(nil)
    }
    return lend(source) { source in lend(mark) { run(source, $0) } }
}

/// Renders, and throws the refusal if there is one.
func render(
    _ source: [UInt8],
    _ resize: Transform.Resize = .none,
    as format: ImageFormat? = nil,
    quality: Int? = nil,
    limits: RenderLimits = RenderLimits()
) throws -> (picture: RenderedPicture, bytes: [UInt8]) {
    let transform = Transform(
        resize: resize,
        format: format.map { .fixed($0) } ?? .source,
        quality: quality.map { .fixed($0) }
    )
    let result = try perform(.render(transform), on: source, limits: limits)
    switch result.reply {
    case .rendered(let picture): return (picture, result.bytes)
    case .refused(let refusal): throw refusal
    case .probed: throw RenderRefusal.badJob("probed")
    }
}
