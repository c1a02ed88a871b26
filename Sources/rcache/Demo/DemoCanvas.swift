/// A picture in the making: red, green, blue and alpha, 0 to 1, straight, in sRGB as the eye sees it.
///
/// A place is given in heights of the picture: x from 0 to `aspect`, y from 0 (top) to 1.
struct DemoCanvas {
    let width: Int
    let height: Int
    private(set) var pixels: [SIMD4<Float>]

    var aspect: Float { Float(width) / Float(height) }

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        pixels = [SIMD4<Float>](repeating: .zero, count: width * height)
    }

    /// Fills the picture with the colour of each place.
    @inline(__always) mutating func paint(_ colour: (_ x: Float, _ y: Float) -> SIMD3<Float>) {
        paintWithAlpha { SIMD4(colour($0, $1), 1) }
    }

    /// The same, with alpha.
    @inline(__always) mutating func paintWithAlpha(_ colour: (_ x: Float, _ y: Float) -> SIMD4<Float>) {
        let scale = 1 / Float(height)
        for row in 0..<height {
            let y = (Float(row) + 0.5) * scale
            for column in 0..<width { pixels[row * width + column] = colour((Float(column) + 0.5) * scale, y) }
        }
    }

    /// Adds light in a disc with a soft rim; `rim` is the share of the radius over which it fades.
    mutating func light(x: Float, y: Float, radius: Float, rim: Float, colour: SIMD3<Float>) {
        let scale = Float(height)
        let left = max(0, Int((x - radius) * scale)), right = min(width - 1, Int((x + radius) * scale))
        let top = max(0, Int((y - radius) * scale)), bottom = min(height - 1, Int((y + radius) * scale))
        guard left <= right, top <= bottom else { return }
        for row in top...bottom {
            for column in left...right {
                let dx = (Float(column) + 0.5) / scale - x, dy = (Float(row) + 0.5) / scale - y
                let away = (dx * dx + dy * dy).squareRoot() / radius
                let share = 1 - step(1 - rim, 1, away)
                pixels[row * width + column] += SIMD4(colour * share, 0)
            }
        }
    }

    /// Adds the grain of a sensor, `strength` at most either way.
    mutating func grain(_ strength: Float, using random: inout DemoRandom) {
        for index in pixels.indices {
            // The sum of two halves of one random word falls as a triangle, which looks like film.
            let word = random.next()
            let sum = Float(UInt16(truncatingIfNeeded: word)) - Float(UInt16(truncatingIfNeeded: word >> 16))
            let value = sum / 65536 * strength
            pixels[index] += SIMD4(value, value, value, 0)
        }
    }

    /// Turned a quarter to the left, as a camera on its side stores an upright picture.
    func turnedLeft() -> DemoCanvas {
        var turned = DemoCanvas(width: height, height: width)
        for row in 0..<turned.height {
            for column in 0..<turned.width {
                turned.pixels[row * turned.width + column] = pixels[column * width + (width - 1 - row)]
            }
        }
        return turned
    }

    /// The pixel on the scale of a byte, 0 to 255; the nearest one for a place outside.
    @inline(__always) func sample(_ column: Int, _ row: Int) -> SIMD4<Float> {
        let pixel = pixels[min(row, height - 1) * width + min(column, width - 1)] * 255
        return SIMD4(limit(pixel.x), limit(pixel.y), limit(pixel.z), limit(pixel.w))
    }

    @inline(__always) private func limit(_ value: Float) -> Float { min(max(value, 0), 255) }
}
