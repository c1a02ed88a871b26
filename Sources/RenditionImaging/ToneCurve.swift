import Glibc
import RenditionModel

/// What becomes of each of the 256 levels of a colour.
///
/// The CMSs publish ranges, not curves; these are monotone, do nothing at 0, and do what the names say (spec microCMS §8).
struct ToneCurve: Equatable {
    /// The new level of each old one.
    let levels: [UInt8]

    private init(_ curve: (Double) -> Double) {
        levels = (0...255).map { UInt8(min(255, max(0, (curve(Double($0) / 255) * 255).rounded()))) }
    }

    /// Brightness, contrast, exposure, gamma, highlights and shadows, in this order.
    init(_ adjustments: Transform.Adjustments) {
        self.init { level in
            var value = level + adjustments.brightness * 1.28 / 255
            value = Self.clamped((value - 0.5) * (100 + adjustments.contrast) / 100 + 0.5)
            if adjustments.exposure != 0 {
                value = Self.clamped(Self.encoded(Self.linear(value) * exp2(adjustments.exposure / 50)))
            }
            if adjustments.gamma != 0 { value = pow(value, exp2(-adjustments.gamma / 50)) }
            value += adjustments.highlights / 800 * Self.ramp(from: 0.5, to: 1, value)
            return value + adjustments.shadows / 800 * Self.ramp(from: 0.5, to: 0, value)
        }
    }

    /// Black for white.
    static let inverting = ToneCurve { 1 - $0 }

    /// Whether nothing changes.
    var isIdentity: Bool { levels == Array(0...255) }

    private static func clamped(_ value: Double) -> Double { min(1, max(0, value)) }

    /// IEC 61966-2-1.
    private static func linear(_ value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    private static func encoded(_ value: Double) -> Double {
        value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055
    }

    /// Rises smoothly from 0 at `start`, to its height at half way, and back to 0 at `end`, so that black and white stay.
    private static func ramp(from start: Double, to end: Double, _ value: Double) -> Double {
        let place = (value - start) / (end - start)
        return place > 0 && place < 1 ? 4 * place * (1 - place) : 0
    }
}
