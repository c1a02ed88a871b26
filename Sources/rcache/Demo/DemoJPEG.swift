import Glibc

/// A baseline JPEG encoder (ITU-T T.81), 4:2:0, so that the demo's folder looks like a folder of photographs.
///
/// Real pictures are libvips' work, in the render worker; the demo only needs files before there is anything to render.
/// All three components share the luminance tables, which costs a few per cent of size and saves two tables.
struct DemoJPEG {
    private var bits = DemoBitWriter()
    private let divisors: [SIMD8<Float>]

    /// - Parameters:
    ///   - quality: 1 to 100, on the scale that every encoder uses.
    ///   - orientation: the EXIF orientation (1 to 8) to write; nil writes no EXIF at all.
    static func encode(_ canvas: DemoCanvas, quality: Int, orientation: UInt8? = nil) -> [UInt8] {
        let steps = DemoJPEGTables.quantisation(quality: quality)
        var encoder = DemoJPEG(steps: steps)
        encoder.writeScan(canvas)
        var file: [UInt8] = [0xFF, 0xD8]
        if let orientation { file += segment(0xE1, exif(orientation)) }
        file += segment(0xDB, [0] + DemoJPEGTables.zigzag.map { steps[$0] })
        file += segment(0xC0, frame(canvas))
        file += segment(0xC4, [0x00] + DemoJPEGTables.dc.definition)
        file += segment(0xC4, [0x10] + DemoJPEGTables.ac.definition)
        // Three components, all by table 0; then the spectral range that baseline prescribes.
        file += segment(0xDA, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0])
        return file + encoder.bits.finish() + [0xFF, 0xD9]
    }

    private init(steps: [UInt8]) {
        divisors = (0..<8).map { row in
            SIMD8((0..<8).map { 1 / Float(steps[row * 8 + $0]) })
        }
    }

    private static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
        [0xFF, marker, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 0xFF)] + body
    }

    /// Eight bits, three components, the first sampled twice as finely in both directions.
    private static func frame(_ canvas: DemoCanvas) -> [UInt8] {
        let size = [canvas.height >> 8, canvas.height & 0xFF, canvas.width >> 8, canvas.width & 0xFF].map(UInt8.init)
        return [8] + size + [3, 1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0]
    }

    /// A TIFF header and a directory of one entry: tag 0x0112, a short.
    private static func exif(_ orientation: UInt8) -> [UInt8] {
        Array("Exif\0\0II".utf8) + [
            42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0,
        ]
    }

    /// Squares of 16 by 16 pixels: four blocks of luminance, then one of each chrominance.
    private mutating func writeScan(_ canvas: DemoCanvas) {
        var previous = [0, 0, 0]
        for top in stride(from: 0, to: canvas.height, by: 16) {
            for left in stride(from: 0, to: canvas.width, by: 16) {
                var chroma = DemoChroma()
                for (down, right) in [(0, 0), (0, 8), (8, 0), (8, 8)] {
                    let block = chroma.split(canvas, left: left, top: top, right: right, down: down)
                    writeBlock(block, previous: &previous[0])
                }
                writeBlock(chroma.blue, previous: &previous[1])
                writeBlock(chroma.red, previous: &previous[2])
            }
        }
    }

    private mutating func writeBlock(_ block: DemoBlock, previous: inout Int) {
        let coefficients = block.transformed().transposed().transformed()
        // T.81 F.1.2: the difference of the means, then the rest as (run of zeros, value) in zigzag order.
        let mean = nearest(coefficients.columns[0][0] * divisors[0][0])
        writeValue(mean - previous, run: 0, table: DemoJPEGTables.dc)
        previous = mean
        var run = 0
        for place in DemoJPEGTables.zigzag.dropFirst() {
            let (row, column) = (place >> 3, place & 7)
            let value = nearest(coefficients.columns[row][column] * divisors[row][column])
            if value == 0 {
                run += 1
                continue
            }
            while run > 15 {
                bits.write(DemoJPEGTables.ac.codes[0xF0])
                run -= 16
            }
            writeValue(value, run: run, table: DemoJPEGTables.ac)
            run = 0
        }
        if run > 0 { bits.write(DemoJPEGTables.ac.codes[0x00]) }
    }

    private func nearest(_ value: Float) -> Int { Int(value + (value < 0 ? -0.5 : 0.5)) }

    /// The Huffman code of (run, number of bits), then the bits; a negative value is written as its complement.
    private mutating func writeValue(_ value: Int, run: Int, table: DemoHuffman) {
        let size = Int.bitWidth - abs(value).leadingZeroBitCount
        bits.write(table.codes[run << 4 | size])
        bits.write(DemoHuffman.Code(bits: UInt32(value < 0 ? value + (1 << size) - 1 : value), length: size))
    }
}

/// The chrominance of one square of 16 by 16, the mean of four pixels each.
private struct DemoChroma {
    var blue = DemoBlock()
    var red = DemoBlock()

    /// The luminance of the quarter at (right, down); its share of the chrominance is kept.
    mutating func split(_ canvas: DemoCanvas, left: Int, top: Int, right: Int, down: Int) -> DemoBlock {
        var luminance = DemoBlock()
        for x in 0..<8 {
            for y in 0..<8 {
                let sample = canvas.sample(left + right + x, top + down + y)
                let colour = SIMD3(sample.x, sample.y, sample.z)
                // JFIF 1.02, the conversion of ITU-R BT.601 at full range.
                luminance.columns[x][y] = (colour * SIMD3(0.299, 0.587, 0.114)).sum() - 128
                blue.columns[(right + x) / 2][(down + y) / 2] += (colour * SIMD3(-0.168736, -0.331264, 0.5)).sum() / 4
                red.columns[(right + x) / 2][(down + y) / 2] += (colour * SIMD3(0.5, -0.418688, -0.081312)).sum() / 4
            }
        }
        return luminance
    }
}

/// Eight by eight samples, by column so that one transform and a transposition leave them by row.
private struct DemoBlock {
    var columns = InlineArray<8, SIMD8<Float>>(repeating: .zero)

    /// The cosines of T.81 A.3.3, scaled so that applying them to both sides is the whole transform.
    private static let cosines: [[Float]] = (0..<8).map { u in
        (0..<8).map { x in
            (u == 0 ? Float(0.125).squareRoot() : 0.5) * cosf(Float((2 * x + 1) * u) * .pi / 16)
        }
    }

    func transformed() -> DemoBlock {
        var result = DemoBlock()
        for u in 0..<8 {
            for x in 0..<8 { result.columns[u] += Self.cosines[u][x] * columns[x] }
        }
        return result
    }

    func transposed() -> DemoBlock {
        var result = DemoBlock()
        for u in 0..<8 {
            for x in 0..<8 { result.columns[x][u] = columns[u][x] }
        }
        return result
    }
}
