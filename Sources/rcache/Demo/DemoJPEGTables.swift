/// The tables of T.81 annex K that every baseline encoder starts from.
enum DemoJPEGTables {
    /// The order in which the coefficients of a block are written, as row × 8 + column (T.81 figure A.6).
    static let zigzag: [Int] = (0..<15).flatMap { diagonal in
        let along = (max(0, diagonal - 7)...min(7, diagonal)).map { $0 * 8 + diagonal - $0 }
        return diagonal.isMultiple(of: 2) ? along.reversed() : along
    }

    /// Table K.1 scaled to a quality, in the way that the Independent JPEG Group introduced.
    static func quantisation(quality: Int) -> [UInt8] {
        let percent = quality < 50 ? 5000 / quality : 200 - 2 * quality
        return luminance.map { UInt8(min(max((Int($0) * percent + 50) / 100, 1), 255)) }
    }

    private static let luminance: [UInt8] = [
        16, 11, 10, 16, 24, 40, 51, 61,
        12, 12, 14, 19, 26, 58, 60, 55,
        14, 13, 16, 24, 40, 57, 69, 56,
        14, 17, 22, 29, 51, 87, 80, 62,
        18, 22, 37, 56, 68, 109, 103, 77,
        24, 35, 55, 64, 81, 104, 113, 92,
        49, 64, 78, 87, 103, 121, 120, 101,
        72, 92, 95, 98, 112, 100, 103, 99,
    ]

    /// Table K.3.
    static let dc = DemoHuffman(
        counts: [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0],
        symbols: Array(0...11)
    )

    /// Table K.5: the symbols that are shorter than 16 bits, then the others in ascending order.
    static let ac: DemoHuffman = {
        let frequent: [UInt8] = [
            0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61, 0x07,
            0x22, 0x71, 0x14, 0x32, 0x81, 0x91, 0xA1, 0x08, 0x23, 0x42, 0xB1, 0xC1, 0x15, 0x52, 0xD1, 0xF0,
            0x24, 0x33, 0x62, 0x72, 0x82,
        ]
        let all = (0...15).flatMap { run in (1...10).map { UInt8(run << 4 | $0) } }
        return DemoHuffman(
            counts: [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125],
            symbols: frequent + all.filter { !frequent.contains($0) }
        )
    }()
}

/// A Huffman table in JPEG's form: how many codes of each length, 1 to 16 bits, and their symbols in order.
struct DemoHuffman {
    struct Code {
        var bits: UInt32 = 0
        var length = 0
    }

    /// Counts and symbols, as a DHT segment carries them.
    let definition: [UInt8]
    /// The code of each symbol.
    let codes: [Code]

    init(counts: [UInt8], symbols: [UInt8]) {
        definition = counts + symbols
        var codes = [Code](repeating: Code(), count: 256)
        var next: UInt32 = 0
        var rest = symbols[...]
        for (index, count) in counts.enumerated() {
            for symbol in rest.prefix(Int(count)) {
                codes[Int(symbol)] = Code(bits: next, length: index + 1)
                next += 1
            }
            rest = rest.dropFirst(Int(count))
            next <<= 1
        }
        self.codes = codes
    }
}

/// Packs codes into bytes, highest bit first; a byte of ones is followed by a zero (T.81 F.1.2.3).
struct DemoBitWriter {
    private var bytes: [UInt8] = []
    private var pending: UInt64 = 0
    private var pendingBits = 0

    mutating func write(_ code: DemoHuffman.Code) {
        pending = pending << UInt64(code.length) | UInt64(code.bits)
        pendingBits += code.length
        while pendingBits >= 8 {
            pendingBits -= 8
            let byte = UInt8(truncatingIfNeeded: pending >> UInt64(pendingBits))
            bytes.append(byte)
            if byte == 0xFF { bytes.append(0) }
        }
    }

    /// All bytes, the last one filled up with ones.
    mutating func finish() -> [UInt8] {
        if pendingBits > 0 { write(.init(bits: (1 << UInt32(8 - pendingBits)) - 1, length: 8 - pendingBits)) }
        return bytes
    }
}
