/// A PNG encoder (W3C PNG, RFC 1950 and 1951) for flat graphics with alpha: runs are packed, nothing else.
struct DemoPNG {
    private var zlib = DemoDeflate()

    static func encode(_ canvas: DemoCanvas) -> [UInt8] {
        var encoder = DemoPNG()
        for row in 0..<canvas.height { encoder.writeRow(row, of: canvas) }
        // Eight bits a sample, colour type 6: red, green, blue, alpha.
        let header = bigEndian(UInt32(canvas.width)) + bigEndian(UInt32(canvas.height)) + [8, 6, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", header) + chunk("IDAT", encoder.zlib.finish()) + chunk("IEND", [])
    }

    /// A row as differences from the row above (filter 2), which leaves runs of zeros wherever columns go on.
    private mutating func writeRow(_ row: Int, of canvas: DemoCanvas) {
        zlib.write(2)
        for column in 0..<canvas.width {
            let above = row == 0 ? .zero : canvas.sample(column, row - 1), here = canvas.sample(column, row)
            for channel in 0..<4 { zlib.write(UInt8(here[channel] + 0.5) &- UInt8(above[channel] + 0.5)) }
        }
    }

    private static func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
        let checked = Array(type.utf8) + body
        return bigEndian(UInt32(body.count)) + checked + bigEndian(checksum(checked))
    }

    private static let remainders: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { word, _ in word & 1 == 0 ? word >> 1 : word >> 1 ^ 0xEDB8_8320 }
    }

    /// CRC-32, as PNG annex D has it.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { word, byte in word >> 8 ^ remainders[Int(UInt8(truncatingIfNeeded: word) ^ byte)] }
    }

    fileprivate static func bigEndian(_ word: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
    }
}

/// A zlib stream of one block with the fixed codes, in which a byte that repeats is written once.
private struct DemoDeflate {
    private var bytes: [UInt8] = [0x78, 0x01]
    private var pending: UInt32 = 0
    private var pendingBits: UInt32 = 0
    private var last: UInt8?
    private var repeats = 0
    private var low: UInt32 = 1
    private var high: UInt32 = 0

    init() { write(0b011, bits: 3) }

    mutating func write(_ byte: UInt8) {
        // Adler-32, RFC 1950 §8.2.
        low = (low + UInt32(byte)) % 65521
        high = (high + low) % 65521
        if byte == last {
            repeats += 1
            if repeats == 258 { writeRepeats() }
            return
        }
        writeRepeats()
        writeLiteral(UInt32(byte))
        last = byte
    }

    mutating func finish() -> [UInt8] {
        writeRepeats()
        writeLiteral(256)
        if pendingBits > 0 { write(0, bits: 8 - pendingBits) }
        return bytes + DemoPNG.bigEndian(high << 16 | low)
    }

    /// A match of the longest length (258, code 285) at distance 1; shorter runs are cheap enough in pieces.
    private mutating func writeRepeats() {
        guard let last else { return }
        if repeats == 258 {
            writeCode(0b1100_0101, bits: 8)
            writeCode(0, bits: 5)
            repeats = 0
        }
        while repeats > 0 {
            // Lengths 3 to 10 have codes 257 to 264 without extra bits: seven-bit codes 1 to 8.
            let length = min(repeats, 10)
            if length < 3 {
                writeLiteral(UInt32(last))
                repeats -= 1
            } else {
                writeCode(UInt32(length - 2), bits: 7)
                writeCode(0, bits: 5)
                repeats -= length
            }
        }
    }

    /// The fixed codes of RFC 1951 §3.2.6.
    private mutating func writeLiteral(_ value: UInt32) {
        switch value {
        case 0...143: writeCode(0x30 + value, bits: 8)
        case 144...255: writeCode(0x190 + value - 144, bits: 9)
        default: writeCode(value - 256, bits: 7)
        }
    }

    /// Codes go out highest bit first, all else lowest first.
    private mutating func writeCode(_ code: UInt32, bits: UInt32) {
        for bit in (0..<bits).reversed() { write(code >> bit & 1, bits: 1) }
    }

    private mutating func write(_ value: UInt32, bits: UInt32) {
        pending |= value << pendingBits
        pendingBits += bits
        while pendingBits >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: pending))
            pending >>= 8
            pendingBits -= 8
        }
    }
}
