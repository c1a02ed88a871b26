/// Writes PNG files byte by byte, uncompressed, so that tests decide about every pixel and every chunk.
package struct TestPNG {
    package enum Colour: UInt8 {
        case grey = 0
        case rgb = 2
        case palette = 3
        case greyAlpha = 4
        case rgba = 6
    }

    package var width: Int
    package var height: Int
    package var depth: Int
    package var colour: Colour
    /// Chunks between the header and the pixels.
    package var extra: [(type: String, data: [UInt8])] = []
    /// The samples of each row, already in bytes.
    package var rows: [[UInt8]]

    /// A picture whose samples come from a function of x and y.
    package init(
        _ width: Int,
        _ height: Int,
        _ colour: Colour = .rgb,
        depth: Int = 8,
        samples: (Int, Int) -> [Int]
    ) {
        (self.width, self.height, self.colour, self.depth) = (width, height, colour, depth)
        rows = (0..<height).map { y in
            (0..<width).flatMap { x in
                samples(x, y).flatMap { depth == 16 ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0)] }
            }
        }
    }

    /// A header that promises a size, and as good as no pixels.
    package static func promising(_ width: Int, _ height: Int) -> [UInt8] {
        var picture = TestPNG(1, 1) { _, _ in [0, 0, 0] }
        (picture.width, picture.height) = (width, height)
        return picture.bytes
    }

    /// The file.
    package var bytes: [UInt8] {
        let header = bigEndian(width) + bigEndian(height) + [UInt8(depth), colour.rawValue, 0, 0, 0]
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        file += Self.chunk("IHDR", header)
        for chunk in extra { file += Self.chunk(chunk.type, chunk.data) }
        file += Self.chunk("IDAT", Self.zlib(rows.flatMap { [0] + $0 }))
        return file + Self.chunk("IEND", [])
    }

    /// One chunk with its check sum.
    package static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        return bigEndian(data.count) + body + bigEndian(Int(crc(body)))
    }

    /// RFC 1950 with stored blocks (RFC 1951 §3.2.4).
    package static func zlib(_ data: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var rest = data[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let size = UInt16(block.count)
            stream.append(rest.isEmpty ? 1 : 0)
            for number in [size, ~size] { stream += [UInt8(number & 255), UInt8(number >> 8)] }
            stream += block
        } while !rest.isEmpty
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in data {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return stream + bigEndian(Int(high << 16 | low))
    }

    private static let crcTable: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(0xFFFF_FFFF as UInt32) { crcTable[Int(($0 ^ UInt32($1)) & 255)] ^ $0 >> 8 }
    }
}

/// Four bytes, most significant first.
package func bigEndian(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 255) } }
