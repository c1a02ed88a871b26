import RenditionModel
import TestSupport
import Testing

@Suite struct SourceStructureTests {
    private func structure(_ bytes: some Sequence<UInt8>, _ format: ImageFormat) -> SourceStructure {
        Array(bytes).withUnsafeBytes { SourceStructure(of: $0, format: format) }
    }

    @Test func `a JPEG ends with its marker, and may miss only that`() {
        let whole = TestJPEG(4, 4) { x, y in [x * 16 + y, 128, 128] }.bytes
        #expect(structure(whole, .jpeg).end == .complete)
        #expect(structure(whole + [0, 1, 2], .jpeg).end == .complete)
        for missing in 1...3 { #expect(structure(whole.dropLast(missing), .jpeg).end == .missingEndMarker) }
        #expect(structure(whole.dropLast(), .jpeg).wholeBytes == whole.count - 2)
        for count in [2, 10, 80, 150] { #expect(structure(Array(whole.prefix(count)), .jpeg).end == .truncated) }
    }

    @Test func `a progressive JPEG needs the last scan of every coefficient`() {
        func scan(_ component: UInt8, _ first: UInt8, _ last: UInt8, _ low: UInt8) -> [UInt8] {
            TestJPEG.segment(0xDA, [1, component, 0, first, last, low]) + [0x12, 0x34, 0xFF, 0x00, 0xFF, 0xD3, 0x56]
        }
        let frame = TestJPEG.segment(0xC2, [8, 0, 8, 0, 8, 1, 1, 0x11, 0])
        let first = [0xFF, 0xD8] + frame + scan(1, 0, 0, 0) + scan(1, 1, 5, 0) + scan(1, 6, 63, 1)
        #expect(structure(first, .jpeg).end == .truncated)
        #expect(structure(first + scan(1, 6, 63, 0x10), .jpeg).end == .missingEndMarker)
        #expect(structure(first + [0xFF, 0xD9], .jpeg).end == .complete)
    }

    @Test func `a PNG ends with its last chunk`() {
        var picture = TestPNG(8, 8) { _, _ in [1, 2, 3] }
        let whole = picture.bytes
        #expect(structure(whole, .png) == structure(whole + [9, 9], .png))
        #expect(structure(whole, .png).end == .complete)
        #expect(!structure(whole, .png).hasProfile)
        #expect(structure(whole.dropLast(1), .png).end == .missingEndMarker)
        #expect(structure(whole.dropLast(12), .png).end == .missingEndMarker)
        #expect(structure(whole.dropLast(13), .png).end == .truncated)
        #expect(structure(Array(whole.prefix(33)), .png).end == .truncated)
        picture.extra = [("iCCP", [1])]
        #expect(structure(picture.bytes, .png).hasProfile)
    }

    @Test func `a GIF's frames are counted to its trailer`() {
        let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4C, 0x01, 0]
        let comment: [UInt8] = [0x21, 0xFE, 2, 65, 66, 0]
        let header = Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 255, 255, 255, 0, 0, 0]
        let whole = header + frame + comment + frame + [0x3B]
        #expect(structure(whole, .gif).end == .complete)
        #expect(structure(whole, .gif).frames == 2)
        #expect(structure(whole.dropLast(), .gif).end == .missingEndMarker)
        #expect(structure(whole.dropLast(2), .gif).end == .truncated)
        #expect(structure(Array(header.prefix(9)), .gif).end == .truncated)
        #expect(structure(header, .gif).end == .truncated)
    }

    @Test func `WebP and boxes say how long they are`() {
        let chunk = Array("VP8L".utf8) + [3, 0, 0, 0, 1, 2, 3]
        let webp = Array("RIFF".utf8) + [16, 0, 0, 0] + Array("WEBP".utf8) + chunk + [0]
        #expect(structure(webp, .webp).end == .complete)
        #expect(structure(webp.dropLast(), .webp).end == .complete)
        #expect(structure(webp.dropLast(2), .webp).end == .truncated)

        func box(_ type: String, _ count: Int) -> [UInt8] {
            bigEndian(8 + count) + Array(type.utf8) + [UInt8](repeating: 0, count: count)
        }
        let avif = box("ftyp", 12) + box("meta", 40) + box("mdat", 100)
        #expect(structure(avif, .avif).end == .complete)
        #expect(structure(avif.dropLast(), .avif).end == .truncated)
        #expect(structure(box("ftyp", 12), .avif).end == .truncated)
        #expect(structure([0xFF, 0x0A, 1, 2], .jxl).end == .unknown)
    }

    @Test(arguments: [
        ("<svg xmlns='http://www.w3.org/2000/svg'/>\n", SourceStructure.End.unknown),
        ("<svg></svg><!-- end -->", .unknown),
        ("<svg><rect", .truncated), ("<svg><rect/></sv", .truncated), ("<svg><text>half a wor", .truncated),
    ]) func `an SVG ends with a tag`(_ text: String, _ end: SourceStructure.End) {
        #expect(structure(text.utf8, .svg).end == end)
        #expect(structure(text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, .svg).end == end)
    }

    @Test func `a TIFF has its whole first directory`() {
        let entry = [UInt8](repeating: 0, count: 12)
        let little: [UInt8] = [0x49, 0x49, 42, 0, 12, 0, 0, 0, 1, 2, 3, 4, 1, 0] + entry + [0, 0, 0, 0]
        let big: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 12, 1, 2, 3, 4, 0, 1] + entry
        #expect(structure(little, .tiff).end == .unknown && structure(big, .tiff).end == .unknown)
        for bytes in [little.dropLast(5), big.dropLast(), little.prefix(12), big.prefix(7)] {
            #expect(structure(bytes, .tiff).end == .truncated)
        }
    }

    @Test func `no bytes whatever make the walk leave its bounds`() {
        var state: UInt64 = 1
        for format in ImageFormat.allCases {
            for count in 0..<300 {
                let bytes = (0..<count).map { index -> UInt8 in
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    return index % 3 == 0
                        ? [0xFF, 0x2C, 0x21, 0, 0xDA, 0xC2][Int(state >> 60) % 6] : UInt8(state >> 56)
                }
                #expect(structure(bytes, format).wholeBytes <= max(count, 800))
            }
        }
    }
}
