import RenditionModel
import TestSupport
import Testing

@testable import RenditionImaging

@Suite(.enabled(if: Corpus.folder != nil)) struct CorpusTests {
    static let whole = Corpus.names.filter { $0 != "bad-truncated.jpg" }

    @Test(arguments: whole, ImageFormat.outputs)
    func `every picture comes out in every format, the right size and the same to look at`(
        name: String,
        format: ImageFormat
    )
        throws
    {
        let source = try Corpus.bytes(name)
        for resize in [Transform.Resize.inside(width: 240, height: 240), .automatic(width: 150)] {
            let (picture, bytes) = try render(source, resize, as: format)
            let description = try #require(picture.source)
            #expect(picture.size == Transform(resize: resize).outputSize(of: description.size))
            #expect(bytes.withUnsafeBytes { ImageFormat(signature: $0) } == format)
            // A bare JPEG XL codestream has no blocks to walk.
            let end = bytes.withUnsafeBytes { SourceStructure(of: $0, format: format).end }
            #expect(end == (format == .jxl ? .unknown : .complete))

            let reference = try Pixels(render(render(source, resize, as: .png).bytes, as: .jpeg, quality: 95).bytes)
            let flat = try Pixels(render(bytes, as: .jpeg, quality: 95).bytes)
            #expect(flat.size == picture.size)
            // GIF has no half transparent pixels.
            guard format != .gif || !description.hasAlpha else { continue }
            #expect(flat.distance(to: reference) < 12, "\(name) as \(format): \(flat.distance(to: reference))")
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
