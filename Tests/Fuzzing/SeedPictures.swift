/// The smallest files that show each format's blocks; no decoder has to like them.
enum SeedPictures {
    static var all: [[UInt8]] {
        [
            png, interlaced, jpeg, progressive, gif, lossy, lossless, animated, branded("avif"), branded("heic"), jxl,
            [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0], Array("\u{FEFF}<?xml version=\"1.0\"?><!-- a --><svg xmlns=\"\"/>".utf8),
            Array("<!DOCTYPE svg [<!ENTITY a \"b\">]><svg/>".utf8), Array("%PDF-1.7".utf8), Array("P6 2 2 255\n".utf8),
        ]
    }

    static let png = png(interlace: 0)
    static let interlaced = png(interlace: 1)

    private static func png(interlace: UInt8) -> [UInt8] {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let header: [UInt8] = [0, 0, 1, 0, 0, 0, 0, 200, 8, 6, 0, 0, interlace]
        let pixels: [UInt8] = [0x78, 0x9C, 3, 0, 0, 0, 0, 1]
        let chunks = [chunk("IHDR", header), chunk("iCCP", [0x61, 0, 0]), chunk("IDAT", pixels), chunk("IEND", [])]
        return signature + chunks.joined()
    }

    /// With a check sum that nobody looks at.
    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        [0, 0, 0, UInt8(data.count)] + Array(type.utf8) + data + [0xAE, 0x42, 0x60, 0x82]
    }

    static let jpeg = jpeg(frame: 0xC0, scans: [scan(0, 63, 0)])
    static let progressive = jpeg(frame: 0xC2, scans: [scan(0, 0, 1), scan(1, 63, 0), scan(0, 0, 0x10)])

    private static func jpeg(frame: UInt8, scans: [[UInt8]]) -> [UInt8] {
        let start: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0x4A, 0x46]
        let header: [UInt8] = [0xFF, frame, 0, 11, 8, 0, 200, 1, 0, 1, 1, 0x11, 0]
        let end: [UInt8] = [0xFF, 0xD9]
        return start + header + scans.joined() + end
    }

    private static func scan(_ first: UInt8, _ last: UInt8, _ bits: UInt8) -> [UInt8] {
        [0xFF, 0xDA, 0, 8, 1, 1, 0, first, last, bits, 0x12, 0xFF, 0, 0x34, 0xFF, 0xD0, 0x56]
    }

    static let gif: [UInt8] = {
        let screen: [UInt8] = [2, 0, 2, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
        let control: [UInt8] = [0x21, 0xF9, 4, 0, 0, 0, 0, 0]
        let first: [UInt8] = [0x2C, 0, 0, 0, 0, 2, 0, 2, 0, 0, 2, 2, 0x44, 1, 0]
        let second: [UInt8] = [0x2C, 0, 0, 0, 0, 2, 0, 2, 0, 0x80, 0, 0, 0, 9, 9, 9, 2, 1, 0x44, 0]
        return Array("GIF89a".utf8) + screen + control + first + control + second + [0x3B]
    }()

    static let lossy = webp([("VP8 ", [0, 0, 0, 0x9D, 1, 0x2A, 100, 0, 80, 0])])
    static let lossless = webp([("VP8L", [0x2F, 0x63, 0x40, 0x19, 0])])
    static let animated = webp([
        ("VP8X", [2, 0, 0, 0, 99, 0, 0, 79, 0, 0]), ("ANIM", [0, 0, 0, 0, 0, 0]),
        ("ANMF", Array(repeating: 0, count: 16) + Array("VP8L".utf8) + [0, 0, 0, 0]),
    ])

    private static func webp(_ chunks: [(String, [UInt8])]) -> [UInt8] {
        var body = Array("WEBP".utf8)
        for (type, data) in chunks {
            body += Array(type.utf8)
            body += [UInt8(data.count), 0, 0, 0]
            body += data
            if data.count % 2 != 0 { body.append(0) }
        }
        return Array("RIFF".utf8) + [UInt8(body.count), 0, 0, 0] + body
    }

    private static func branded(_ brand: String) -> [UInt8] {
        box("ftyp", Array("\(brand)\u{0}\u{0}\u{0}\u{0}mif1miaf".utf8)) + box("meta", [0, 0, 0, 0])
            + [0, 0, 0, 1] + Array("mdat".utf8) + [0, 0, 0, 0, 0, 0, 0, 18, 1, 2]
    }

    private static func box(_ type: String, _ data: [UInt8]) -> [UInt8] {
        [0, 0, 0, UInt8(data.count + 8)] + Array(type.utf8) + data
    }

    static let jxl = box("JXL ", [0x0D, 0x0A, 0x87, 0x0A]) + box("jxlc", [0xFF, 0x0A])
}
