/// Pictures that tests make for themselves.
package enum TestPicture {
    package typealias Pixel = (red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8)

    /// A PNG whose pixels a function of x and y gives; with an alpha channel if asked for.
    package static func png(
        width: Int,
        height: Int,
        hasAlpha: Bool = false,
        _ pixel: (Int, Int) -> Pixel
    ) -> [UInt8] {
        var rows: [UInt8] = []
        rows.reserveCapacity(height * (1 + width * 4))
        for y in 0..<height {
            rows.append(0)
            for x in 0..<width {
                let colour = pixel(x, y)
                rows += [colour.red, colour.green, colour.blue]
                if hasAlpha { rows.append(colour.alpha) }
            }
        }
        let header = bigEndian(width) + bigEndian(height) + [8, hasAlpha ? 6 : 2, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header) + chunk("IDAT", stored(rows))
            + chunk("IEND", [])
    }

    /// A smooth picture, different for every seed.
    package static func gradient(width: Int, height: Int, seed: Int = 0) -> [UInt8] {
        png(width: width, height: height) { x, y in
            (UInt8(255 * x / max(1, width - 1)), UInt8(255 * y / max(1, height - 1)), UInt8((seed * 37) & 255), 255)
        }
    }

    /// One chunk: length, type, data, CRC.
    package static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        return bigEndian(data.count) + body + bigEndian(Int(crc(body)))
    }

    /// A zlib stream of stored blocks.
    package static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let (low, high) = (UInt8(block.count & 255), UInt8(block.count >> 8))
            stream += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high]
            stream += block
        } while !rest.isEmpty
        var (a, b) = (1, 0)
        for byte in bytes {
            a = (a + Int(byte)) % 65_521
            b = (b + a) % 65_521
        }
        return stream + bigEndian(b << 16 | a)
    }

    private static func bigEndian(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static let crcTable: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { crcTable[Int(($0 ^ UInt32($1)) & 255)] ^ $0 >> 8 }
    }
}
