/// A seeded source of randomness (SplitMix64), so that the demo's pictures are the same on every machine.
struct DemoRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    mutating func within(_ range: ClosedRange<Float>) -> Float { Float.random(in: range, using: &self) }
}

/// Smooth noise over the plane: random values on a lattice of whole numbers, blended between.
struct DemoNoise {
    private static let side = 256
    private let lattice: [Float]

    init(using random: inout DemoRandom) {
        lattice = (0..<Self.side * Self.side).map { _ in random.within(0...1) }
    }

    /// One octave, 0 to 1.
    @inline(__always) func value(_ x: Float, _ y: Float) -> Float {
        let wholeX = whole(x), wholeY = whole(y)
        let column = wholeX & (Self.side - 1), row = (wholeY & (Self.side - 1)) * Self.side
        let right = (column + 1) & (Self.side - 1), below = (row + Self.side) & (Self.side * Self.side - 1)
        let across = smooth(x - Float(wholeX)), down = smooth(y - Float(wholeY))
        let top = lattice[row + column] + (lattice[row + right] - lattice[row + column]) * across
        let bottom = lattice[below + column] + (lattice[below + right] - lattice[below + column]) * across
        return top + (bottom - top) * down
    }

    /// Octaves of halving weight and doubling frequency, 0 to 1: clouds, rock, fog.
    @inline(__always) func fractal(_ x: Float, _ y: Float, octaves: Int) -> Float {
        var sum: Float = 0, weight: Float = 0.5, scale: Float = 1, total: Float = 0
        for _ in 0..<octaves {
            sum += weight * value(x * scale, y * scale)
            total += weight
            weight *= 0.5
            // Not quite 2, so that the lattices of the octaves do not coincide.
            scale *= 2.03
        }
        return sum / total
    }
}

/// A skyline by midpoint displacement: heights over 0 to 1.
struct DemoSkyline {
    private var heights: [Float]

    /// - Parameter roughness: what the displacement is multiplied by at each halving; 0.5 is rolling, 0.65 is jagged.
    init(base: Float, spread: Float, roughness: Float, using random: inout DemoRandom) {
        var step = 1024
        var reach = spread
        heights = [Float](repeating: base, count: step + 1)
        while step > 1 {
            for middle in stride(from: step / 2, to: heights.count, by: step) {
                let mean = (heights[middle - step / 2] + heights[middle + step / 2]) / 2
                heights[middle] = mean + random.within(-reach...reach)
            }
            step /= 2
            reach *= roughness
        }
    }

    /// The skyline that `height` draws.
    init(_ height: (_ position: Float) -> Float) { heights = (0...1024).map { height(Float($0) / 1024) } }

    /// Raises the skyline to a conifer that stands at `centre` with its foot at the height `foot`.
    mutating func plantTree(at centre: Float, foot: Float, height: Float, width: Float) {
        let last = Float(heights.count - 1)
        for index in max(0, Int((centre - width) * last))...min(Int(last), max(0, Int((centre + width) * last))) {
            let away = abs(Float(index) / last - centre) / width
            let branch = 0.88 + 0.12 * abs((away * 9).truncatingRemainder(dividingBy: 1) - 0.5) * 2
            heights[index] = max(heights[index], foot + height * (1 - away) * branch)
        }
    }

    @inline(__always) func at(_ position: Float) -> Float {
        let exact = min(max(position, 0), 1) * Float(heights.count - 1)
        let index = min(Int(exact), heights.count - 2)
        return heights[index] + (heights[index + 1] - heights[index]) * (exact - Float(index))
    }
}

/// The whole number at or below; `rounded(.down)` is a call into the C library on older processors.
@inline(__always) func whole(_ value: Float) -> Int {
    let towardZero = Int(value)
    return value < Float(towardZero) ? towardZero - 1 : towardZero
}

@inline(__always) func smooth(_ t: Float) -> Float { t * t * (3 - 2 * t) }

/// 0 below `low`, 1 above `high`, smooth between.
@inline(__always) func step(_ low: Float, _ high: Float, _ value: Float) -> Float {
    smooth(min(max((value - low) / (high - low), 0), 1))
}

@inline(__always) func mix(_ from: SIMD3<Float>, _ to: SIMD3<Float>, _ share: Float) -> SIMD3<Float> {
    from + (to - from) * share
}
