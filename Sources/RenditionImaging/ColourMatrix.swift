import Glibc
import RenditionModel

/// How the three colours of a pixel are mixed, row by row: red, green, blue.
struct ColourMatrix: Equatable {
    /// Nine factors.
    let rows: [Double]

    private init(_ rows: [Double]) { self.rows = rows }

    static let identity = ColourMatrix([1, 0, 0, 0, 1, 0, 0, 0, 1])

    /// Whether nothing changes.
    var isIdentity: Bool { self == .identity }

    /// The share of each colour in the lightness of sRGB (ITU-R BT.709).
    private static let lightness = [0.2126, 0.7152, 0.0722]

    /// 0 is grey, 1 changes nothing.
    static func saturation(_ factor: Double) -> ColourMatrix {
        mix(ColourMatrix(lightness + lightness + lightness), strength: 1 - factor)
    }

    /// Turns the colour wheel; lightness and grey stay.
    static func hueRotation(degrees: Double) -> ColourMatrix {
        guard degrees != 0 else { return .identity }
        let (cosine, sine) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
        // W3C Filter Effects §9.6, with BT.709's own factors.
        let along: [Double] = [
            0.7874, -0.7152, -0.0722, -0.2126, 0.2848, -0.0722, -0.2126, -0.7152, 0.9278,
        ]
        let across: [Double] = [
            -0.2126, -0.7152, 0.9278, 0.143, 0.140, -0.283, -0.7874, 0.7152, 0.0722,
        ]
        return ColourMatrix((0..<9).map { lightness[$0 % 3] + cosine * along[$0] + sine * across[$0] })
    }

    /// The brown of old prints, 0…1.
    static func sepia(_ strength: Double) -> ColourMatrix {
        mix(ColourMatrix([0.393, 0.769, 0.189, 0.349, 0.686, 0.168, 0.272, 0.534, 0.131]), strength: strength)
    }

    /// One colour in all its shades; its alpha is the strength.
    static func monochrome(_ colour: Transform.Colour) -> ColourMatrix {
        let shades = [colour.red, colour.green, colour.blue].map { Double($0) / 255 }
        let all = ColourMatrix(shades.flatMap { shade in lightness.map { $0 * shade } })
        return mix(all, strength: Double(colour.alpha) / 255)
    }

    private static func mix(_ other: ColourMatrix, strength: Double) -> ColourMatrix {
        ColourMatrix(zip(identity.rows, other.rows).map { $0 * (1 - strength) + $1 * strength })
    }

    /// This mixture and then another.
    func followed(by next: ColourMatrix) -> ColourMatrix {
        guard !isIdentity else { return next }
        guard !next.isIdentity else { return self }
        var product = [Double](repeating: 0, count: 9)
        for row in 0..<3 {
            for column in 0..<3 {
                for middle in 0..<3 {
                    product[row * 3 + column] += next.rows[row * 3 + middle] * rows[middle * 3 + column]
                }
            }
        }
        return ColourMatrix(product)
    }
}
