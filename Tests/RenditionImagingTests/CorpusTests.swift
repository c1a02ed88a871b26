import RenditionModel
import TestSupport
import Testing

@testable import RenditionImaging

@Suite(.enabled(if: Corpus.folder != nil)) struct CorpusTests {
    static let whole = Corpus.names.filter { $0 != "bad-truncated.jpg" }

    /// A transform, and where each point of its result lies in the upright picture, both in parts of the sides.
    struct Work: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let transform: @Sendable (PixelSize) -> Transform
        let size: @Sendable (PixelSize) -> PixelSize
        /// nil outside of the picture.
        let origin: @Sendable (Double, Double, PixelSize) -> (Double, Double)?
    }

    private static func inside(_ side: Int, _ source: PixelSize) -> PixelSize {
        let factor = min(1, Double(side) / Double(max(source.width, source.height)))
        func scaled(_ length: Int) -> Int { max(1, Int((Double(length) * factor).rounded())) }
        return PixelSize(width: scaled(source.width), height: scaled(source.height))
    }

    static let works = [
        Work(testDescription: "inside") { _ in
            Transform(resize: .inside(width: 120, height: 120))
        } size: {
            inside(120, $0)
        } origin: { x, y, _ in
            (x, y)
        },
        Work(testDescription: "cover") { _ in
            Transform(resize: Transform.Resize(.cover, width: .pixels(100), height: .pixels(100)))
        } size: { _ in
            PixelSize(width: 100, height: 100)
        } origin: { x, y, source in
            let (width, height) = (Double(source.width), Double(source.height))
            let side = min(width, height)
            return (((width - side) / 2 + x * side) / width, ((height - side) / 2 + y * side) / height)
        },
        Work(testDescription: "turned and mirrored") { _ in
            var transform = Transform(resize: .inside(width: 120, height: 120))
            transform.rotation = .right
            transform.flip = Transform.Flip(horizontal: true)
            return transform
        } size: {
            inside(120, PixelSize(width: $0.height, height: $0.width))
        } origin: { x, y, _ in
            (y, x)
        },
        Work(testDescription: "a part") { _ in
            // A third and its place that no pixel grid fits.
            var transform = Transform(resize: Transform.Resize(.fill, width: .pixels(90), height: .pixels(60)))
            transform.resize.enlarge = true
            transform.crop = Transform.Crop(
                x: .at(.percent(37)),
                y: .at(.percent(21)),
                width: .percent(33),
                height: .percent(41)
            )
            return transform
        } size: { _ in
            PixelSize(width: 90, height: 60)
        } origin: { x, y, _ in
            (0.37 + 0.33 * x, 0.21 + 0.41 * y)
        },
        Work(testDescription: "padded") { _ in
            var transform = Transform(resize: Transform.Resize(.pad, width: .pixels(110), height: .pixels(110)))
            transform.background = .colour(Transform.Colour(red: 0, green: 0, blue: 0))
            return transform
        } size: { _ in
            PixelSize(width: 110, height: 110)
        } origin: { x, y, source in
            let size = inside(110, source)
            let left = Double((110 - size.width) / 2), top = Double((110 - size.height) / 2)
            let (column, row) = ((x * 110 - left) / Double(size.width), (y * 110 - top) / Double(size.height))
            return (0..<1).contains(column) && (0..<1).contains(row) ? (column, row) : nil
        },
    ]

    @Test(arguments: whole, works)
    func `every picture comes out of every transform upright, in its colours, in every format`(
        name: String,
        work: Work
    ) throws {
        let source = try Corpus.bytes(name)
        guard case .probed(let description) = try perform(.probe, on: source).reply else {
            Issue.record("\(name) is not read")
            return
        }
        let base = try Pixels(render(source, .inside(width: 720, height: 720), as: .jpeg, quality: 98).bytes).inColour
        let reference = Self.reference(work, base, description.size, onBlack: work.testDescription == "padded")
        for format in ImageFormat.outputs {
            var transform = work.transform(description.size)
            transform.format = .fixed(format)
            let (reply, bytes) = try perform(.render(transform), on: source)
            guard case .rendered(let picture) = reply else { Issue.record("\(reply)"); continue }
            #expect(picture.size == work.size(description.size))
            #expect(bytes.withUnsafeBytes { ImageFormat(signature: $0) } == format)
            // A bare JPEG XL codestream has no blocks to walk.
            let end = bytes.withUnsafeBytes { SourceStructure(of: $0, format: format).end }
            #expect(end == (format == .jxl ? .unknown : .complete))
            // GIF has no half transparent pixels.
            guard format != .gif || !description.hasAlpha else { continue }
            let flat = try Pixels(render(bytes, as: .jpeg, quality: 98).bytes).inColour
            guard work.testDescription != "padded" || !description.hasAlpha else { continue }
            #expect(flat.distance(to: reference) < 16, "\(name) as \(format): \(flat.distance(to: reference))")
        }
    }

    /// What the transform should show, each pixel averaged from a larger picture by the work's own geometry.
    private static func reference(_ work: Work, _ base: Pixels, _ source: PixelSize, onBlack: Bool) -> Pixels {
        let size = work.size(source)
        return Pixels(size.width, size.height) { x, y in
            var sum = [0, 0, 0]
            for step in 0..<9 {
                let column = (Double(x) + (Double(step % 3) + 0.5) / 3) / Double(size.width)
                let row = (Double(y) + (Double(step / 3) + 0.5) / 3) / Double(size.height)
                guard let (u, v) = work.origin(column, row, source) else { continue }
                let place = (
                    min(base.size.width - 1, Int(u * Double(base.size.width))),
                    min(base.size.height - 1, Int(v * Double(base.size.height)))
                )
                let sample = base[place.0, place.1]
                for band in 0..<3 { sum[band] += sample[band] }
            }
            return sum.map { $0 / 9 }
        }
    }

    @Test func `the eight orientations of one photograph are one picture`() throws {
        let upright = try Pixels(render(Corpus.bytes("orient-1.jpg"), .automatic(width: 150), as: .png).bytes)
        for orientation in 2...8 {
            let turned = try Pixels(
                render(Corpus.bytes("orient-\(orientation).jpg"), .automatic(width: 150), as: .png).bytes
            )
            #expect(turned.distance(to: upright) < 10, "\(orientation): \(turned.distance(to: upright))")
        }
    }

    @Test func `frames and alpha are read from the header`() throws {
        let expected: [(String, Int, Bool)] = [
            ("anim-12f-300x200.webp", 12, false), ("anim-16f-240x180.gif", 16, true), ("png-alpha-500.png", 1, true),
            ("webp-alpha-1200.webp", 1, true), ("photo-china-640x427.jpg", 1, false), ("heic-1600.heic", 1, false),
        ]
        for (name, frames, hasAlpha) in expected {
            guard case .probed(let description) = try perform(.probe, on: Corpus.bytes(name)).reply else {
                Issue.record("\(name) is not read")
                continue
            }
            #expect(description.frames == frames, "\(name)")
            #expect(description.hasAlpha == hasAlpha, "\(name)")
        }
    }

    @Test(arguments: ["photo-china-640x427.jpg", "png-alpha-500.png", "anim-16f-240x180.gif"], ImageFormat.outputs)
    func `the same job gives the same bytes`(name: String, format: ImageFormat) throws {
        let source = try Corpus.bytes(name)
        let first = try render(source, .inside(width: 200, height: nil), as: format).bytes
        for _ in 0..<3 { #expect(try render(source, .inside(width: 200, height: nil), as: format).bytes == first) }
    }

    @Test(arguments: [
        ("photo-china-640x427.jpg", ImageFormat.jpeg), ("png-rgb16-480.png", .png), ("webp-alpha-1200.webp", .webp),
        ("avif-1600.avif", .avif), ("anim-16f-240x180.gif", .gif), ("heic-1600.heic", .jpeg), ("jxl-1200.jxl", .jpeg),
        ("svg-drool-4096x4096.svg", .png),
    ])
    func `without a format, the source's is kept if browsers show it`(name: String, format: ImageFormat) throws {
        #expect(try render(Corpus.bytes(name), .automatic(width: 150)).picture.format == format)
    }
}
