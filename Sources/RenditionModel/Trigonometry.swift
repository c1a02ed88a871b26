import Glibc

/// Cosine and sine, exact at every quarter turn.
func cosineAndSine(degrees: Double) -> (cosine: Double, sine: Double) {
    switch degrees.truncatingRemainder(dividingBy: 360) {
    case 0: (1, 0)
    case 90: (0, 1)
    case 180: (-1, 0)
    case 270: (0, -1)
    case let angle: (cos(angle * .pi / 180), sin(angle * .pi / 180))
    }
}
