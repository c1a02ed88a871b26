import RenditionModel
import TestSupport
import Testing

@testable import RenditionCache
@testable import RenditionImaging

/// Each parameter of rcache's own dialect, rendered from four quarters of 600 × 400: red, lime, blue, white.
@Suite struct OwnCaseTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let query: String
        let width: Int
        let height: Int
        /// Colours at places given in tenths of the sides; nil for transparent.
        var colours: [(x: Double, y: Double, rgb: [Int]?)] = []
        var testDescription: String { query }

        init(_ query: String, _ width: Int, _ height: Int, _ colours: [(x: Double, y: Double, rgb: [Int]?)] = []) {
            (self.query, self.width, self.height, self.colours) = (query, width, height, colours)
        }
    }

    private static let (red, lime, blue, white) = ([255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255])

    static let cases: [Case] = [
        Case("", 600, 400, [(1, 1, red), (9, 1, lime), (1, 9, blue), (9, 9, white)]),
        Case("width=300", 300, 200, [(1, 1, red), (9, 9, white)]),
        Case("width=50%25&height=10%25", 60, 40), Case("height=100", 150, 100), Case("width=1200", 600, 400),
        Case("width=1200&enlarge=true", 1200, 800, [(1, 9, blue)]), Case("width=100&dpr=2", 200, 133),
        Case("fit=cover&width=200&height=200", 200, 200, [(1, 1, red), (9, 1, lime)]),
        Case("fit=cover&width=200&height=400&gravity=west", 200, 400, [(1, 1, red), (9, 1, red), (9, 9, blue)]),
        Case("fit=cover&width=200&height=400&gravity=east", 200, 400, [(1, 1, lime), (9, 9, white)]),
        Case("fit=cover&width=600&height=100&gravity=south", 600, 100, [(1, 1, blue), (9, 1, white)]),
        Case("fit=cover&width=200&height=400&focus=1,0.5", 200, 400, [(1, 1, lime), (9, 9, white)]),
        Case("fit=cover&width=200&height=400&gravity=entropy", 200, 400),
        Case("fit=cover&width=200&height=400&gravity=attention", 200, 400),
        Case("fit=cover&width=900&height=900", 400, 400, [(1, 1, red), (9, 9, white)]),
        Case("fit=fill&width=100&height=300", 100, 300, [(1, 1, red), (9, 9, white)]),
        Case("fit=pad&width=300&height=300&background=0000ff", 300, 300, [(5, 0.3, blue), (1, 3, red), (9, 3, lime)]),
        Case("fit=pad&width=300&height=300", 300, 300, [(5, 0.3, nil), (1, 3, red), (5, 9.7, nil)]),
        Case("fit=pad&width=300&height=300&gravity=north", 300, 300, [(1, 1, red), (5, 9, nil)]),
        Case("crop=50%25,0,50%25,50%25", 300, 200, [(0.2, 0.2, lime), (9.8, 9.8, lime)]),
        Case("crop=0,200,300,200&width=30", 30, 20, [(1, 1, blue), (9, 9, blue)]),
        Case("crop=550,350,100,100", 50, 50, [(5, 5, white)]),
        Case("rotate=90", 400, 600, [(1, 1, blue), (9, 1, red), (9, 9, lime), (1, 9, white)]),
        Case("rotate=270&crop=0,0,200,300", 200, 300, [(1, 1, lime), (9, 9, lime)]),
        Case("flip=h", 600, 400, [(1, 1, lime), (9, 1, red)]), Case("flip=v", 600, 400, [(1, 1, blue)]),
        Case("flip=hv&width=60", 60, 40, [(1, 1, white), (9, 9, red)]),
        Case("blur=5&width=300", 300, 200, [(1, 1, red), (5, 1, [128, 128, 0])]),
        Case("sharpen=3&width=300", 300, 200, [(1, 1, red)]),
        Case("trim=true", 600, 400), Case("format=jpeg", 600, 400, [(1, 1, red)]),
        Case("format=gif&width=30", 30, 20, [(1, 1, red)]), Case("format=jxl&width=64", 64, 43, [(1, 1, red)]),
        Case("format=avif&width=64&quality=90", 64, 43, [(1, 1, red)]),
        Case("format=webp&quality=lossless&width=64", 64, 43, [(1, 1, red), (9, 9, white)]),
        Case("format=webp&quality=auto&width=64", 64, 43, [(1, 1, red)]),
    ]

    @Test(arguments: cases)
    func `a parameter does what the dialect says`(_ item: Case) throws {
        let original = try Original(width: 600, height: 400).bytes()
        let transform = try OwnDialect.transform(query: item.query).negotiated(AcceptedTypes(nil))
        let (reply, bytes) = try perform(.render(transform), on: original)
        guard case .rendered(let picture) = reply else { Issue.record("\(reply)"); return }
        let pixels = try Pixels(bytes)
        #expect(pixels.size == PixelSize(width: item.width, height: item.height))
        #expect(picture.size == pixels.size)
        for (x, y, rgb) in item.colours {
            let found = pixels.at(x / 10, y / 10)
            if let rgb {
                #expect(difference(Array(found.prefix(3)), rgb) <= 40, "\(found) at \(x), \(y)")
            } else {
                #expect(found.count == 4 && found[3] == 0, "\(found) at \(x), \(y)")
            }
        }
    }

    @Test func `a border of the corner's colour is trimmed`() throws {
        let source = TestPNG(60, 50) { x, y in
            (10..<40).contains(x) && (5..<25).contains(y) ? [200, 30, 30] : [250, 250, 250 - (x & 1)]
        }
        var turned = TestJPEG(8, 6) { x, y in (2..<4).contains(x) && y == 3 ? [30, 200, 90] : [250, 128, 128] }
        turned.segments = TestJPEG.orientation(6)
        let trimmed = try render(source.bytes, try OwnDialect.transform(query: "trim=true"))
        #expect(trimmed.size == PixelSize(width: 30, height: 20))
        #expect(difference(trimmed[0, 0], [200, 30, 30]) <= 2)
        #expect(
            try render(turned.bytes, OwnDialect.transform(query: "trim=true")).size == PixelSize(width: 8, height: 16)
        )
        let clear = TestPNG(40, 40, .rgba) { x, y in (20..<30).contains(x) && y > 30 ? [9, 9, 9, 255] : [0, 0, 0, 0] }
        #expect(try render(clear.bytes, OwnDialect.transform(query: "trim=1")).size == PixelSize(width: 10, height: 9))
    }

    @Test func `transparency goes onto the background where it cannot stay`() throws {
        let source = try Original(width: 60, height: 40, hasAlpha: true).bytes()
        let plain = try render(source, OwnDialect.transform(query: "format=jpeg"))
        #expect(difference(plain.at(0.2, 0.2), Self.white) <= 6)
        let coloured = try render(source, OwnDialect.transform(query: "format=jpeg&background=00ff00"))
        #expect(difference(coloured.at(0.2, 0.2), [0, 255, 1]) <= 12)
        let translucent = try render(source, OwnDialect.transform(query: "background=ff000080"))
        #expect(difference(translucent.at(0.2, 0.2), [255, 0, 0, 128]) <= 2)
        #expect(difference(translucent.at(0.8, 0.2), [0, 255, 0, 255]) <= 2)
    }

    @Test(arguments: [ImageFormat.jpeg, .png, .webp, .avif, .jxl])
    func `a wide profile can be kept, with the pixels it belongs to`(format: ImageFormat) throws {
        var source = TestPNG(16, 16) { _, _ in [200, 100, 50] }
        source.extra = [("iCCP", Array("P3".utf8) + [0, 0] + TestPNG.zlib(DisplayP3.profile))]
        var transform = try OwnDialect.transform(query: "profile=keep")
        (transform.format, transform.quality) = (.fixed(format), .fixed(100))
        let bytes = try perform(.render(transform), on: source.bytes).bytes
        #expect(difference(try Pixels(bytes).at(0.5, 0.5), [200, 100, 50]) <= 4)
        let again = try Pixels(TestRender.png(bytes))
        #expect(difference(again.at(0.5, 0.5), DisplayP3.sRGB([200, 100, 50])) <= 5, "the profile is in the file")
    }

    @Test(arguments: [ImageFormat.jpeg, .webp, .png])
    func `rights can be kept, and nothing else of the metadata`(format: ImageFormat) throws {
        var source = TestJPEG(4, 4) { _, _ in [128, 128, 128] }
        let secret = "GPS 48.1372 11.5755"
        source.segments = TestEXIF(notice: "2026 A. Nobody", description: secret).segment
        var transform = Transform(format: .fixed(format))
        let plain = try perform(.render(transform), on: source.bytes).bytes
        #expect(!String(decoding: plain, as: Unicode.ASCII.self).contains("Nobody"))
        transform.metadata = .copyright
        let kept = try perform(.render(transform), on: source.bytes).bytes
        #expect(!String(decoding: kept, as: Unicode.ASCII.self).contains("11.5755"))
        try kept.withUnsafeBytes { bytes in
            let picture = try Raster(loading: bytes, loader: format.loader)
            #expect(Rights(of: picture).notice == "2026 A. Nobody")
            #expect(picture.text("exif-ifd0-ImageDescription") == nil)
        }
    }

    private func render(_ source: [UInt8], _ transform: Transform) throws -> Pixels {
        let (reply, bytes) = try perform(.render(transform), on: source)
        guard case .rendered = reply else { throw RenderRefusal.badJob("\(reply)") }
        return try Pixels(bytes)
    }
}

/// A source as PNG in sRGB.
private enum TestRender {
    static func png(_ source: [UInt8]) throws -> [UInt8] {
        try perform(.render(Transform(format: .fixed(.png))), on: source).bytes
    }
}
