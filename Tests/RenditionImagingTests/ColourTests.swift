import RenditionModel
import TestSupport
import Testing

@testable import RenditionImaging

@Suite struct ColourTests {
    static let inks: [(cmyk: [Int], rgb: [Int])] = [
        ([0, 0, 0, 0], [255, 255, 255]), ([255, 0, 0, 0], [0, 255, 255]), ([0, 255, 0, 0], [255, 0, 255]),
        ([0, 0, 255, 0], [255, 255, 0]), ([0, 0, 0, 255], [0, 0, 0]), ([0, 128, 255, 64], [191, 95, 0]),
    ]

    @Test(arguments: inks, [ImageFormat.jpeg, .png, .webp, .avif])
    func `A01: CMYK without a profile becomes what its inks let through`(
        ink: (cmyk: [Int], rgb: [Int]),
        format: ImageFormat
    )
        throws
    {
        let source = TestJPEG(8, 8) { _, _ in ink.cmyk }
        let (picture, bytes) = try render(source.bytes, .inside(width: 20, height: nil), as: format)
        #expect(picture.source?.hasAlpha == false)
        let pixels = try Pixels(bytes)
        #expect(pixels.bands == 3)
        #expect(difference(pixels.at(0.5, 0.5), ink.rgb) <= 4)
    }

    @Test(arguments: [(100, 0, 100), (200, 128, 100), (255, 0, 255), (0, 0, 0), (255, 255, 0)])
    func `A01: YCCK is CMYK in other words`(lightness: Int, black: Int, grey: Int) throws {
        var bytes = TestJPEG(8, 8) { _, _ in [lightness, 127, 127, black] }.bytes
        // The last byte of Adobe's marker says how the four components are to be read.
        let marker = try #require(bytes.indices.first { bytes[$0...].starts(with: [0xFF, 0xEE]) })
        bytes[marker + 15] = 2
        let pixels = try Pixels(render(bytes, .inside(width: 20, height: nil), as: .png).bytes)
        #expect(pixels.bands == 3)
        #expect(difference(pixels.at(0.5, 0.5), [grey, grey, grey]) <= 4, "\(pixels.at(0.5, 0.5))")
    }

    @Test(.enabled(if: Corpus.folder != nil))
    func `CMYK with a profile looks like the photograph it was made from`() throws {
        let size = Transform.Resize.inside(width: 300, height: nil)
        let converted = try Pixels(render(Corpus.bytes("cmyk-icc-1200.jpg"), size, as: .png).bytes)
        let original = try Pixels(render(Corpus.bytes("photo-bridge-4352x2448.jpg"), size, as: .png).bytes)
        #expect(converted.distance(to: original) < 25)
    }

    @Test(arguments: [[255, 0, 0], [200, 100, 50], [20, 180, 90], [128, 128, 128]])
    func `A03: Display P3 becomes sRGB, and stays what it is from then on`(colour: [Int]) throws {
        var source = TestPNG(64, 64) { _, _ in colour }
        source.extra = [("iCCP", Array("P3".utf8) + [0, 0] + TestPNG.zlib(DisplayP3.profile))]
        let expected = DisplayP3.sRGB(colour)
        var bytes = try render(source.bytes, .inside(width: 32, height: nil), as: .png).bytes
        let first = try Pixels(bytes).at(0.5, 0.5)
        #expect(difference(first, expected) <= 2, "\(first) for \(expected)")
        for _ in 0..<10 { bytes = try render(bytes, .inside(width: 31, height: nil), as: .jpeg, quality: 95).bytes }
        #expect(difference(try Pixels(bytes).at(0.5, 0.5), first) <= 2)
    }

    @Test(arguments: [ImageFormat.png, .webp, .avif], [Transform.Resize.none, .inside(width: 64, height: nil)])
    func `sixteen bits of alpha survive a colour profile`(format: ImageFormat, resize: Transform.Resize) throws {
        var source = TestPNG(256, 16, .rgba, depth: 16) { x, _ in [51_400, 25_700, 12_850, x * 257] }
        source.extra = [("iCCP", Array("P3".utf8) + [0, 0] + TestPNG.zlib(DisplayP3.profile))]
        let pixels = try Pixels(render(source.bytes, resize, as: format, quality: 100).bytes)
        try #require(pixels.bands == 4)
        for x in stride(from: 0, to: pixels.size.width, by: 8) {
            let alpha = (Double(x) + 0.5) * 256 / Double(pixels.size.width) - 0.5
            #expect(abs(Double(pixels[x, 2][3]) - alpha) <= 2, "\(x)")
        }
        let opaque = pixels[pixels.size.width - 1, 2]
        #expect(difference(Array(opaque[..<3]), DisplayP3.sRGB([200, 100, 50])) <= 4, "\(opaque)")
    }

    @Test func `A02: a profile that cannot be used is passed over with a note`() throws {
        let compressed = TestPNG.zlib(DisplayP3.profile)
        let broken: [[UInt8]] = [
            Array(compressed.prefix(compressed.count / 2)), TestPNG.zlib([UInt8](repeating: 7, count: 300)), [],
        ]
        for data in broken {
            var source = TestPNG(16, 16) { _, _ in [200, 100, 50] }
            source.extra = [("iCCP", Array("cut".utf8) + [0, 0] + data)]
            let (picture, bytes) = try render(source.bytes)
            #expect(difference(try Pixels(bytes).at(0.5, 0.5), [200, 100, 50]) == 0)
            #expect(picture.notes.contains { $0.hasSuffix("colour profile ignored") }, "\(picture.notes)")
        }
        var jpeg = TestJPEG(2, 2) { _, _ in [128, 128, 128] }
        jpeg.segments = TestJPEG.profile([UInt8](repeating: 1, count: 200))
        let (picture, bytes) = try render(jpeg.bytes)
        #expect(difference(try Pixels(bytes).at(0.5, 0.5), [128, 128, 128]) <= 1)
        #expect(picture.notes == ["unusable colour profile ignored"])
    }

    @Test(arguments: [TestPNG.Colour.grey, .rgb, .greyAlpha, .rgba], [ImageFormat.png, .jpeg, .webp, .avif])
    func `A06: sixteen bits come out as a whole ramp from black to white`(colour: TestPNG.Colour, format: ImageFormat)
        throws
    {
        let source = TestPNG(256, 16, colour, depth: 16) { x, _ in
            let level = x * 257
            return switch colour {
            case .grey: [level]
            case .greyAlpha: [level, 65_535]
            case .rgba: [level, level, level, 65_535]
            default: [level, level, level]
            }
        }
        for resize in [Transform.Resize.none, .inside(width: 128, height: nil)] {
            let pixels = try Pixels(render(source.bytes, resize, as: format, quality: 100).bytes)
            let ramp = (0..<pixels.size.width).map { pixels[$0, 4][0] }
            #expect(ramp[0] <= 2 && ramp[ramp.count - 1] >= 253, "\(ramp.first ?? -1) to \(ramp.last ?? -1)")
            #expect(zip(ramp, ramp.dropFirst()).allSatisfy { $0 <= $1 + 1 })
            if pixels.bands % 2 == 0 { #expect(pixels[5, 4].last == 255) }
        }
    }

    @Test func `A07: the transparency of a palette survives, and JPEG gets a white ground`() throws {
        let alphas = [0, 64, 128, 255]
        var source = TestPNG(64, 16, .palette) { x, _ in [x / 16] }
        source.extra = [("PLTE", [250, 0, 0, 0, 250, 0, 0, 0, 250, 90, 90, 90]), ("tRNS", alphas.map { UInt8($0) })]
        for format in [ImageFormat.png, .webp, .avif] {
            let pixels = try Pixels(render(source.bytes, as: format).bytes)
            for index in 0..<4 {
                #expect(abs((pixels[index * 16 + 8, 8].last ?? -1) - alphas[index]) <= 1, "\(format) \(index)")
            }
        }
        let (picture, bytes) = try render(source.bytes, as: .jpeg, quality: 95)
        #expect(picture.source?.hasAlpha == true)
        let flat = try Pixels(bytes)
        #expect(difference(flat[8, 8], [255, 255, 255]) <= 6)
        #expect(difference(flat[40, 8], [127, 127, 252]) <= 12)
    }

    @Test func `A08: no dark halo grows round a transparent shape`() throws {
        let source = TestPNG(256, 256, .rgba) { x, y in
            (x - 128) * (x - 128) + (y - 128) * (y - 128) < 10_000 ? [255, 0, 0, 255] : [0, 0, 0, 0]
        }
        let pixels = try Pixels(render(source.bytes, .inside(width: 32, height: 32), as: .png).bytes)
        for y in 0..<32 {
            for x in 0..<32 where pixels[x, y][3] > 8 { #expect(pixels[x, y][0] >= 250, "\(x) \(y) \(pixels[x, y])") }
        }
        let flat = try Pixels(render(source.bytes, .inside(width: 32, height: 32), as: .jpeg, quality: 100).bytes)
        #expect((0..<32).allSatisfy { x in (0..<32).allSatisfy { y in flat[x, y][0] > 235 } })
    }

    @Test func `outputs carry no metadata`() throws {
        var source = TestJPEG(4, 4) { _, _ in [128, 128, 128] }
        source.segments = TestJPEG.orientation(6) + TestJPEG.profile(DisplayP3.profile)
        for format in ImageFormat.outputs {
            let (_, bytes) = try render(source.bytes, as: format)
            let text = String(decoding: bytes, as: Unicode.ASCII.self)
            for word in ["Exif", "ICC_PROFILE", "iCCP", "ICCP", "EXIF", "XMP", "acsp"] {
                #expect(!text.contains(word), "\(word) in \(format)")
            }
            let reading = try perform(.probe, on: bytes).reply
            guard case .probed(let description) = reading else { Issue.record("\(reading)"); continue }
            #expect(description.size == PixelSize(width: 32, height: 32))
            #expect(description.orientation == 1)
            // libvips reads every GIF with alpha.
            #expect(description.hasAlpha == (format == .gif))
        }
    }
}
