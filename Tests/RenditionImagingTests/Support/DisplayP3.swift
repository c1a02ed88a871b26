import Foundation
import TestSupport

/// Display P3 as a version 2 profile of three primaries and a curve, and the same by arithmetic.
enum DisplayP3 {
    /// Columns of the matrix to XYZ (D50), as Apple's profile has them.
    private static let columns = [
        (0.51512, 0.24120, -0.00105), (0.29198, 0.69225, 0.04189), (0.15710, 0.06657, 0.78407),
    ]

    static let profile: [UInt8] = {
        let curve = (0...1024).map { decoded(Double($0) / 1024) }
        let trc =
            text("curv") + bigEndian(0) + bigEndian(curve.count)
            + curve.flatMap { value -> [UInt8] in
                let number = Int(value * 65_535 + 0.5)
                return [UInt8(number >> 8), UInt8(number & 255)]
            }
        let description = text("desc") + bigEndian(0) + bigEndian(3) + text("P3") + [UInt8](repeating: 0, count: 82)
        let tags: [(String, [UInt8])] = [
            ("desc", description), ("wtpt", xyz((0.9642, 1, 0.8249))), ("rXYZ", xyz(columns[0])),
            ("gXYZ", xyz(columns[1])), ("bXYZ", xyz(columns[2])), ("rTRC", trc), ("gTRC", trc), ("bTRC", trc),
            ("cprt", text("text") + bigEndian(0) + text("none") + [0]),
        ]
        var table = bigEndian(tags.count)
        var body: [UInt8] = []
        for (name, data) in tags {
            table += text(name) + bigEndian(132 + 12 * tags.count + body.count) + bigEndian(data.count)
            body += data + [UInt8](repeating: 0, count: (4 - data.count % 4) % 4)
        }
        var header = bigEndian(128 + table.count + body.count) + bigEndian(0) + bigEndian(0x0210_0000)
        header += text("mntrRGB XYZ ") + [UInt8](repeating: 0, count: 12) + text("acsp")
        header += [UInt8](repeating: 0, count: 28) + xyzNumbers((0.9642, 1, 0.8249))
        return header + [UInt8](repeating: 0, count: 128 - header.count) + table + body
    }()

    /// The sRGB value of a colour, clipped.
    static func sRGB(_ colour: [Int]) -> [Int] {
        let linear = colour.map { decoded(Double($0) / 255) }
        let rows = [(1.2249, -0.2247, 0.0), (-0.0420, 1.0419, 0.0), (-0.0197, -0.0786, 1.0979)]
        return rows.map { row in
            let value = row.0 * linear[0] + row.1 * linear[1] + row.2 * linear[2]
            return Int(encoded(min(1, max(0, value))) * 255 + 0.5)
        }
    }

    private static func decoded(_ value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    private static func encoded(_ value: Double) -> Double {
        value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055
    }

    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static func xyz(_ value: (Double, Double, Double)) -> [UInt8] {
        text("XYZ ") + bigEndian(0) + xyzNumbers(value)
    }

    private static func xyzNumbers(_ value: (Double, Double, Double)) -> [UInt8] {
        [value.0, value.1, value.2].flatMap { bigEndian(Int(($0 * 65_536).rounded()) & 0xFFFF_FFFF) }
    }
}
