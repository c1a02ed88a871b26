import TestSupport

/// Writes an uncompressed RGB TIFF of one strip, big end first (TIFF 6.0 §6).
struct TestTIFF {
    let bytes: [UInt8]

    /// - Parameter depth: 8 or 16 bits a sample; the function gives 0…255.
    init(width: Int, height: Int, depth: Int, orientation: Int, samples: (Int, Int) -> [Int]) {
        let levels = (0..<height).flatMap { y in (0..<width).flatMap { x in samples(x, y) } }
        let pixels = levels.flatMap { [UInt8](repeating: UInt8($0), count: depth / 8) }
        let depths: [UInt8] = [0, UInt8(depth), 0, UInt8(depth), 0, UInt8(depth)]
        let start = 8 + depths.count
        // A short of one stands in the upper half of its field; three of them lie right behind the header.
        var directory = Self.entry(256, 4, width) + Self.entry(257, 4, height) + Self.entry(258, 3, 8, count: 3)
        directory += Self.entry(259, 3, 1 << 16) + Self.entry(262, 3, 2 << 16) + Self.entry(273, 4, start)
        directory += Self.entry(274, 3, orientation << 16) + Self.entry(277, 3, 3 << 16) + Self.entry(278, 4, height)
        directory += Self.entry(279, 4, pixels.count) + Self.entry(284, 3, 1 << 16)
        let header: [UInt8] = [0x4D, 0x4D, 0, 42] + bigEndian(start + pixels.count)
        bytes = header + depths + pixels + [0, UInt8(directory.count / 12)] + directory + bigEndian(0)
    }

    private static func entry(_ tag: Int, _ type: UInt8, _ value: Int, count: Int = 1) -> [UInt8] {
        [UInt8(tag >> 8), UInt8(tag & 255), 0, type] + bigEndian(count) + bigEndian(value)
    }
}
