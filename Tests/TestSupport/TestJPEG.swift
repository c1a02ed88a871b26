/// Writes baseline JPEG files of flat 8 × 8 blocks, exact to the last step, so that tests know every sample.
package struct TestJPEG {
    /// The samples of each component, one a block.
    package var blocks: [[[Int]]]
    /// Blocks in a row.
    package var columns: Int
    /// Segments right after the start of the image, markers included.
    package var segments: [UInt8] = []

    /// A picture of `columns` × `rows` blocks; the function gives a block's samples: 1 grey, 3 YCbCr, 4 CMYK.
    package init(_ columns: Int, _ rows: Int, samples: (Int, Int) -> [Int]) {
        self.columns = columns
        blocks = (0..<rows).map { y in (0..<columns).map { x in samples(x, y) } }
    }

    /// The file; CMYK is stored inverted, as Adobe's marker wants.
    package var bytes: [UInt8] {
        let components = blocks[0][0].count
        var file: [UInt8] = [0xFF, 0xD8] + segments
        if components == 4 { file += Self.segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0]) }
        file += Self.segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
        let size = [blocks.count * 8, columns * 8].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        file += Self.segment(
            0xC0,
            [8] + size + [UInt8(components)] + (1...components).flatMap { [UInt8($0), 0x11, 0] }
        )
        // Twelve DC categories of four bits each; one AC symbol, the end of the block, of one bit.
        file += Self.segment(0xC4, [0x00, 0, 0, 0, 12] + [UInt8](repeating: 0, count: 12) + Array(0...11))
        file += Self.segment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0])
        file += Self.segment(0xDA, [UInt8(components)] + (1...components).flatMap { [UInt8($0), 0] } + [0, 63, 0])
        return file + scan(components) + [0xFF, 0xD9]
    }

    /// A marker segment with its length.
    package static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
        [0xFF, marker, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 255)] + body
    }

    /// An EXIF segment that says nothing but the orientation.
    package static func orientation(_ value: UInt8) -> [UInt8] {
        let tiff: [UInt8] = [
            0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, value, 0, 0, 0, 0, 0, 0,
        ]
        return segment(0xE1, Array("Exif".utf8) + [0, 0] + tiff)
    }

    /// A profile in one APP2 segment (ICC.1 §B.4).
    package static func profile(_ bytes: [UInt8]) -> [UInt8] {
        segment(0xE2, Array("ICC_PROFILE".utf8) + [0, 1, 1] + bytes)
    }

    private func scan(_ components: Int) -> [UInt8] {
        var bits: [Bool] = []
        var previous = [Int](repeating: 0, count: components)
        for block in blocks.joined() {
            for (component, sample) in block.enumerated() {
                let level = 8 * ((components == 4 ? 255 - sample : sample) - 128)
                let difference = level - previous[component]
                previous[component] = level
                let category = Int.bitWidth - abs(difference).leadingZeroBitCount
                append(category, 4, &bits)
                append(difference < 0 ? difference + (1 << category) - 1 : difference, category, &bits)
                bits.append(false)
            }
        }
        while bits.count % 8 != 0 { bits.append(true) }
        return stride(from: 0, to: bits.count, by: 8).flatMap { start -> [UInt8] in
            let byte = bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
            return byte == 0xFF ? [0xFF, 0] : [byte]
        }
    }

    private func append(_ value: Int, _ count: Int, _ bits: inout [Bool]) {
        for index in (0..<count).reversed() { bits.append(value >> index & 1 == 1) }
    }
}
