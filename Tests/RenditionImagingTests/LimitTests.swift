import Foundation
import RenditionModel
import TestSupport
import Testing

@testable import RenditionImaging

@Suite struct LimitTests {
    private func refusal(
        _ bytes: [UInt8],
        _ resize: Transform.Resize = .inside(width: 100, height: nil),
        as format: ImageFormat = .jpeg,
        limits: RenderLimits = RenderLimits()
    ) throws -> RenderRefusal {
        let reply = try perform(.render(Transform(resize: resize, format: .fixed(format))), on: bytes, limits: limits)
            .reply
        guard case .refused(let refusal) = reply else { throw RenderRefusal.badJob("not refused: \(reply)") }
        return refusal
    }

    @Test func `A16: a bomb is refused by its header, at once`() throws {
        let began = ContinuousClock.now
        let before = try peakBytes()
        #expect(
            try refusal(TestPNG.promising(30_000, 30_000))
                == .tooLarge(what: "source pixels", value: 900_000_000, limit: 100_000_000)
        )
        #expect(began.duration(to: .now) < .seconds(10))
        #expect(try peakBytes() - before < 20_000_000)
    }

    @Test func `A18: an SVG of a million pixels square is rendered at the size that is asked for`() throws {
        let svg = Array(
            #"<svg xmlns="http://www.w3.org/2000/svg" width="1000000" height="1000000"><rect width="100%" height="100%" fill="red"/></svg>"#
                .utf8
        )
        let (picture, bytes) = try render(svg, .inside(width: 100, height: 100), as: .jpeg)
        #expect(picture.source?.size == PixelSize(width: 1_000_000, height: 1_000_000))
        #expect(difference(try Pixels(bytes).at(0.5, 0.5), [254, 0, 0]) <= 2)
        #expect(try refusal(svg, .none) == .tooLarge(what: "output edge", value: 1_000_000, limit: 8192))
        #expect(
            try refusal(svg, .inside(width: 1, height: nil), limits: RenderLimits(sourcePixels: 500_000))
                == .tooLarge(what: "drawn pixels", value: 1_000_000, limit: 500_000)
        )
    }

    @Test(arguments: [
        (877, 20_000, ImageFormat.jpeg, "output edge"), (8192, 8192, .webp, "output pixels"),
        (4000, 4000, .avif, "output pixels"), (8193, 10, .png, "output edge"),
    ])
    func `A19: an output beyond the limits is refused before decoding`(
        width: Int,
        height: Int,
        format: ImageFormat,
        what: String
    )
        throws
    {
        let source = TestPNG.promising(width, height)
        guard case .tooLarge(let limit, _, _) = try refusal(source, .none, as: format) else {
            Issue.record("not refused as too large")
            return
        }
        #expect(limit == what)
        let reply = try perform(.placeholder(PixelSize(width: width, height: height), format), on: nil).reply
        #expect(reply == .refused(try refusal(source, .none, as: format)))
    }

    @Test func `A20: frames are counted before any is looked at`() throws {
        let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4C, 0x01, 0]
        let header = Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 255, 255, 255, 0, 0, 0]
        let many = header + (0..<100_000).flatMap { _ in frame } + [0x3B]
        #expect(try refusal(many) == .tooLarge(what: "frames", value: 100_000, limit: 300))
        #expect(try perform(.probe, on: many).reply == .refused(.tooLarge(what: "frames", value: 100_000, limit: 300)))

        var large = header
        (large[6], large[7], large[8], large[9]) = (208, 7, 208, 7)
        #expect(
            try refusal(large + (0..<30).flatMap { _ in frame } + [0x3B])
                == .tooLarge(what: "source pixels", value: 2000 * 2000 * 30, limit: 100_000_000)
        )
    }

    @Test func `A17: a JPEG of a thousand scans is refused before any is decoded`() throws {
        var transform = Transform(format: .fixed(.jpeg))
        transform.variant = .progressive
        let picture = try Original(width: 64, height: 48).bytes()
        let progressive = try perform(.render(transform), on: picture).bytes
        let last = try #require(progressive.indices.last { progressive[$0...].starts(with: [0xFF, 0xDA]) })
        let scan = progressive[last..<(progressive.count - 2)]
        func repeated(_ count: Int) -> [UInt8] {
            progressive[..<last] + (0..<count).flatMap { _ in scan } + progressive.suffix(2)
        }
        let began = ContinuousClock.now
        guard case .tooLarge(what: "scans", let scans, limit: 100) = try refusal(repeated(1500)) else {
            Issue.record("not refused by its scans")
            return
        }
        #expect(scans > 1500)
        #expect(began.duration(to: .now) < .seconds(10))
        #expect(try render(repeated(1)).picture.size == PixelSize(width: 64, height: 48))
    }

    @Test(arguments: [
        ("%PDF-1.4\n1 0 obj", "PDF"), ("P6\n1 1\n255\nabc", "PNM"), ("SIMPLE  =                    T", "FITS"),
        ("MATLAB 5.0 MAT-file", "MATLAB"), ("push graphic-context\nviewbox 0 0 1 1", "MVG"),
        ("#?RADIANCE\n", "Radiance"), ("v/1\u{1}", "OpenEXR"), ("8BPS\u{0}\u{1}", "Photoshop"),
        ("\u{0}\u{0}\u{1}\u{0}\u{1}", "ICO"), ("BM1234\u{0}\u{0}\u{0}\u{0}", "BMP"),
        ("\u{0}\u{0}\u{0}\u{C}jP  \r\n", "JPEG 2000"), ("%!PS-Adobe-3.0 EPSF-3.0", "PostScript"),
    ])
    func `A56: a decoder that is kept shut is named`(text: String, name: String) throws {
        #expect(try refusal(Array(text.utf8)) == .refusedFormat(name))
        #expect(try perform(.probe, on: Array(text.utf8)).reply == .refused(.refusedFormat(name)))
    }

    @Test(arguments: ImageFormat.outputs)
    func `A13: content decides what a picture is, whatever it is called`(format: ImageFormat) throws {
        // A job carries neither a name nor a declared type: there is nothing else to decide by.
        let source = try Original(width: 12, height: 8, format: format).bytes()
        #expect(try render(source, as: .png).picture.source?.format == format)
    }

    @Test func `sources are refused by their bytes`() throws {
        let picture = TestPNG(40, 40) { _, _ in [1, 2, 3] }.bytes
        let limits = RenderLimits(sourceBytes: 1000, svgBytes: 200)
        #expect(
            try refusal(picture, limits: limits) == .tooLarge(what: "source bytes", value: picture.count, limit: 1000)
        )
        let svg =
            Array("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>".utf8)
            + [UInt8](repeating: 32, count: 200)
        #expect(try refusal(svg, limits: limits) == .tooLarge(what: "SVG bytes", value: svg.count, limit: 200))
    }

    @Test(arguments: [
        "", "<html><body>503</body></html>", "<?xml version='1.0'?><error/>", "1,2,3\n4,5,6", "GIF", "hello",
    ])
    func `what is no picture reaches no decoder`(text: String) throws {
        #expect(try refusal(Array(text.utf8)) == .notAnImage)
        #expect(try perform(.probe, on: Array(text.utf8)).reply == .refused(.notAnImage))
    }

    @Test(arguments: ImageFormat.allCases)
    func `a beginning without a picture behind it is refused, whatever the format`(format: ImageFormat) throws {
        let beginnings: [ImageFormat: [UInt8]] = [
            .jpeg: [0xFF, 0xD8, 0xFF, 0xE0], .png: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A],
            .gif: Array("GIF89a".utf8), .webp: Array("RIFF\u{8}\0\0\0WEBPVP8 ".utf8),
            .avif: [0, 0, 0, 20] + Array("ftypavif\0\0\0\0avif".utf8),
            .heic: [0, 0, 0, 20] + Array("ftypheic\0\0\0\0heic".utf8),
            .jxl: [0xFF, 0x0A], .tiff: [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0], .svg: Array("<svg".utf8),
        ]
        let bytes = try #require(beginnings[format])
        for garbage in [[], [UInt8](repeating: 0x5A, count: 500)] {
            switch try refusal(bytes + garbage) {
            case .undecodable(let found, _), .truncated(let found): #expect(found == format)
            case let other: Issue.record("\(other)")
            }
        }
    }

    @Test func `A57: an SVG can name other files, and gets none of them`() throws {
        let folder = try TemporaryFolder()
        let secret = try folder.write(TestPNG(8, 8) { _, _ in [255, 0, 0] }.bytes, to: "secret.png")
        for name in [secret, "file://" + secret, "secret.png"] {
            let svg = """
                <!DOCTYPE svg [<!ENTITY other SYSTEM "file://\(secret)">]>
                <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="40">
                <rect width="40" height="40" fill="lime"/><image width="40" height="40" xlink:href="\(name)"/>
                <image width="40" height="40" href="\(name)"/><script>alert(1)</script></svg>
                """
            let pixels = try Pixels(render(Array(svg.utf8), as: .png).bytes)
            #expect(difference(Array(pixels.at(0.5, 0.5).prefix(3)), [0, 255, 0]) <= 2, "\(name)")
        }
    }

    @Test func `a job that makes no sense is refused`() throws {
        let picture = TestPNG(4, 4) { _, _ in [1, 2, 3] }.bytes
        #expect(try refusal(picture, as: .tiff) == .badJob("tiff cannot be written"))
        let reply = try perform(.render(Transform(quality: 101)), on: picture).reply
        #expect(reply == .refused(.badJob("quality 101 is not in 1...100")))
        #expect(try perform(.probe, on: nil).reply == .refused(.badJob("no source came with it")))
    }

    /// The most memory that this process has had so far.
    private func peakBytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM") })
        return (Int(line.filter(\.isNumber)) ?? 0) * 1024
    }
}
