import Glibc

/// The daylight scenes of the demo: landscapes out of noise and skylines.
enum DemoScenes {
    /// Six ridges in the haze of the morning.
    static func ridges(_ canvas: inout DemoCanvas, _ random: inout DemoRandom) {
        let noise = DemoNoise(using: &random)
        let skylines = (0..<6).map { layer in
            DemoSkyline(base: 0.30 - 0.13 * Float(layer) + 0.25, spread: 0.16, roughness: 0.56, using: &random)
        }
        let aspect = canvas.aspect
        canvas.paint { x, y in
            let height = 1 - y
            for layer in (0..<6).reversed() where height < skylines[layer].at(x / aspect) {
                let near = Float(layer) / 5
                let rock = noise.fractal(x * (14 + 20 * near), y * (22 + 30 * near), octaves: 4) - 0.5
                let below = min(1, (skylines[layer].at(x / aspect) - height) * 3)
                let colour = mix(SIMD3(0.86, 0.66, 0.56), SIMD3(0.09, 0.14, 0.17), near)
                return mix(colour, SIMD3(0.93, 0.76, 0.66), below * (0.55 - 0.4 * near)) + rock * 0.16 * near
            }
            let sun = expf(-9 * ((x - 0.9) * (x - 0.9) + (y - 0.34) * (y - 0.34)))
            let cirrus = step(0.5, 0.85, noise.fractal(x * 2.2, y * 11, octaves: 5)) * 0.28
            return mix(SIMD3(0.30, 0.45, 0.68), SIMD3(0.98, 0.80, 0.60), step(0, 0.62, y)) + sun * 0.35 + cirrus
        }
    }

    /// Heaps of cloud in a summer sky, lit from the upper left.
    static func clouds(_ canvas: inout DemoCanvas, _ random: inout DemoRandom) {
        let noise = DemoNoise(using: &random)
        canvas.paint { x, y in
            let bank = noise.fractal(x * 2.1, y * 3.0, octaves: 6)
            let edge = 0.56 - 0.16 * y
            let cover = step(edge, edge + 0.12, bank)
            let lit = (bank - noise.fractal(x * 2.1 - 0.09, y * 3.0 - 0.12, octaves: 4)) * 3.2
            let sky = mix(SIMD3(0.16, 0.38, 0.74), SIMD3(0.66, 0.82, 0.94), y)
            let shade = min(max(0.80 + lit - 0.28 * step(edge, edge + 0.4, bank), 0.42), 1)
            return mix(sky, SIMD3(shade, shade, shade * 0.97 + 0.03), cover)
        }
    }

    /// The sun on the sea: waves grow smaller towards the horizon and catch the light below it.
    static func sea(_ canvas: inout DemoCanvas, _ random: inout DemoRandom) {
        let noise = DemoNoise(using: &random)
        let sunX = canvas.aspect * 0.6, horizon: Float = 0.36
        canvas.paint { x, y in
            if y < horizon {
                let away = ((x - sunX) * (x - sunX) + (y - 0.22) * (y - 0.22)).squareRoot()
                let veil = noise.fractal(x * 1.6, y * 9, octaves: 5) * 0.22
                let sky = mix(SIMD3(0.28, 0.36, 0.55), SIMD3(1.0, 0.66, 0.36), y / horizon)
                return sky + SIMD3(0.8, 0.62, 0.35) * (expf(-away * 6) + 1 - step(0.045, 0.055, away)) - veil
            }
            let far = 0.22 / (y - horizon + 0.012)
            let wave = noise.fractal((x - sunX) * far * 7 + 160, far * 16, octaves: 4)
            let spark = noise.value((x - sunX) * far * 70 + 2000, far * 110)
            let road = expf(-abs(x - sunX) * (1.4 + far * 0.7))
            let glint = (powf(wave, 3.2) * 2.4 + powf(spark, 7) * 1.6) * road
            let water = mix(SIMD3(0.05, 0.15, 0.22), SIMD3(0.55, 0.42, 0.36), min(1, far / 14))
            return water + (wave - 0.5) * 0.22 + SIMD3(1, 0.80, 0.50) * glint
        }
    }

    /// Dunes with a lit and a shaded side, rippled by the wind.
    static func dunes(_ canvas: inout DemoCanvas, _ random: inout DemoRandom) {
        let noise = DemoNoise(using: &random)
        let crests = (0..<5).map { layer in
            DemoSkyline { 0.55 - 0.14 * Float(layer) + 0.30 * noise.fractal($0 * 3 + Float(layer) * 17, 9, octaves: 2) }
        }
        let aspect = canvas.aspect
        canvas.paint { x, y in
            let height = 1 - y
            for layer in (0..<5).reversed() where height < crests[layer].at(x / aspect) {
                let down = crests[layer].at(x / aspect) - height
                let slope = crests[layer].at(x / aspect + 0.02) - crests[layer].at(x / aspect - 0.02)
                let lean = noise.fractal(x * 2, y * 3, octaves: 3)
                let ripple = sinf((y * 300 + lean * 90 + x * 70) / (1 + Float(5 - layer) * 0.3)) * 0.025
                let light = step(-0.03, 0.03, slope * 0.9 + (lean - 0.5) * 0.04 - down * 0.06)
                let sand = mix(SIMD3(0.45, 0.25, 0.16), SIMD3(0.95, 0.72, 0.44), light)
                return mix(sand, SIMD3(0.92, 0.80, 0.68), Float(4 - layer) * 0.11) + ripple + (lean - 0.5) * 0.08
            }
            return mix(SIMD3(0.24, 0.48, 0.76), SIMD3(0.86, 0.88, 0.86), step(0, 0.45, y))
        }
    }

    /// Conifers, one row behind the other, that fade into the fog.
    ///
    /// Made to stand upright.
    static func forest(_ canvas: inout DemoCanvas, _ random: inout DemoRandom) {
        let noise = DemoNoise(using: &random)
        let aspect = canvas.aspect
        let rows = (0..<5).map { row -> DemoSkyline in
            let near = Float(row)
            let ground = DemoSkyline(base: 0.52 - 0.13 * near, spread: 0.06, roughness: 0.5, using: &random)
            var skyline = ground
            for _ in 0..<(60 - 11 * row) {
                let centre = random.within(-0.02...1.02), height = random.within(0.09...0.19) * (1 + near * 0.45)
                skyline.plantTree(at: centre, foot: ground.at(centre), height: height, width: height * 0.20 / aspect)
            }
            return skyline
        }
        canvas.paint { x, y in
            let height = 1 - y
            let mist = noise.fractal(x * 2.4, y * 5, octaves: 5)
            let fog = mix(SIMD3(0.66, 0.71, 0.72), SIMD3(0.90, 0.91, 0.88), mist)
            for row in (0..<5).reversed() where height < rows[row].at(x / aspect) {
                let needles = noise.fractal(x * 60, y * 60, octaves: 3) - 0.5
                let green = mix(SIMD3(0.55, 0.62, 0.61), SIMD3(0.06, 0.12, 0.10), Float(row) / 4)
                let sunk = step(0, 0.5, rows[row].at(x / aspect) - height) * (0.85 - 0.14 * Float(row))
                return mix(green + needles * 0.05 * Float(row), fog, sunk * (0.5 + mist * 0.6))
            }
            return fog
        }
    }

    /// The wall of a canyon: bands of sandstone, bent and worn.
    static func canyon(_ canvas: inout DemoCanvas, _ random: inout DemoRandom) {
        let noise = DemoNoise(using: &random)
        canvas.paint { x, y in
            let bend = noise.fractal(x * 1.3, y * 0.9, octaves: 4)
            let band = noise.fractal(7, y * 9 + bend * 5 + x * 1.2, octaves: 4)
            let fine = noise.fractal(x * 5, (y * 9 + bend * 5) * 7, octaves: 3)
            let stone = mix(SIMD3(0.42, 0.14, 0.08), SIMD3(0.97, 0.66, 0.40), step(0.25, 0.75, band))
            let slot = abs(x - 0.36 - (bend - 0.5) * 0.5 - 0.08 * sinf(y * 7))
            let light = 0.30 + 0.85 * expf(-slot * slot * 16) + (fine - 0.5) * 0.22
            return stone * light + SIMD3(0.30, 0.25, 0.20) * (1 - step(0.01, 0.05, slot))
        }
    }
}
