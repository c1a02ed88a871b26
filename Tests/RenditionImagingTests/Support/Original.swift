import RenditionModel
import TestSupport

@testable import RenditionImaging

/// Pictures of four solid quarters, in any format, for tests that look at what became of them.
struct Original {
    var width: Int
    var height: Int
    var format = ImageFormat.png
    /// Colours as red, green, blue: upper left, upper right, lower left, lower right, of the stored pixels.
    var quarters = Self.quarters(lastIsWhite: true)
    var orientation: Int?
    /// Whether the left half is transparent.
    var hasAlpha = false
    var frames = 1

    /// Red, lime, blue, and white or yellow.
    static func quarters(lastIsWhite: Bool) -> [[Int]] {
        [[255, 0, 0], [0, 255, 0], [0, 0, 255], lastIsWhite ? [255, 255, 255] : [255, 255, 0]]
    }

    /// The drawing; split at half of each side, rounded down.
    var svg: String {
        let (x, y) = (width / 2, height / 2)
        let boxes = [(0, 0, x, y), (x, 0, width - x, y), (0, y, x, height - y), (x, y, width - x, height - y)]
        let drawn = zip(boxes, quarters).filter { !hasAlpha || $0.0.0 > 0 }
        let rectangles = drawn.map { box, colour in
            let fill = "rgb(\(colour[0]),\(colour[1]),\(colour[2]))"
            return "<rect x='\(box.0)' y='\(box.1)' width='\(box.2)' height='\(box.3)' fill='\(fill)'/>"
        }
        return "<svg xmlns='http://www.w3.org/2000/svg' width='\(width)' height='\(height)' "
            + "shape-rendering='crispEdges'>\(rectangles.joined())</svg>"
    }

    /// The encoded file, as good as the format can; PNG and the like without alpha unless it is asked for.
    func bytes() throws -> [UInt8] {
        guard format != .svg else { return Array(svg.utf8) }
        guard frames == 1 else { return try animation() }
        var transform = Transform(format: .fixed(format), quality: 95)
        if format == .webp { transform.quality = .lossless }
        if !hasAlpha { transform.background = .colour(.white) }
        let result = try perform(.render(transform), on: Array(svg.utf8))
        guard case .rendered = result.reply else { throw RenderRefusal.badJob("\(result.reply)") }
        guard let orientation else { return result.bytes }
        return Array(result.bytes.prefix(2)) + TestJPEG.orientation(UInt8(orientation)) + result.bytes.dropFirst(2)
    }

    /// Each frame shows the quarters moved on by one, for 70 ms and then 20 ms more each.
    private func animation() throws -> [UInt8] {
        var stack = FrameStack(capacity: frames)
        for index in 0..<frames {
            var frame = self
            frame.frames = 1
            frame.format = .png
            frame.quarters = (0..<4).map { quarters[($0 + index) % 4] }
            let png = try frame.bytes()
            stack.append(
                try png.lending { bytes throws(StepFailure) in
                    try Raster(loading: bytes, loader: "png").materialised()
                }
            )
        }
        let timing = Timing(delays: (0..<frames).map { 70 + 20 * $0 }, plays: 2, frames: frames)
        var encoding = Encoding(format)
        encoding.isLossless = format == .webp
        return try stack.stacked().materialised().animated(timing)
            .encoded(encoding, keepsMetadata: false).withUnsafeBytes { Array($0) }
    }
}

extension ImageCase {
    /// The original's bytes; nil where there is none, or where the photograph is not at hand.
    func original() throws -> [UInt8]? {
        if let photo { return try Corpus.fixture("aem/" + photo) }
        guard let source, let format = ImageFormat(name: source.format) else { return nil }
        let isMicroCMS = path == nil
        return try Original(
            width: source.width,
            height: source.height,
            format: format,
            quarters: Original.quarters(lastIsWhite: isMicroCMS),
            orientation: source.orientation,
            hasAlpha: source.alpha ?? false,
            frames: source.frames ?? 1
        ).bytes()
    }
}
