import Glibc

/// The demo's scenes of the night and of near things.
enum DemoStudies {
    /// A skyline of lit windows above its reflection.
    static func city(_ canvas: inout DemoCanvas, _ random: inout DemoRandom) {
        let noise = DemoNoise(using: &random)
        let roofs = (0..<90).map { _ in random.within(0.10...0.34) }
        let shore: Float = 0.68, aspect = canvas.aspect
        canvas.paint { x, y in
            let mirrored = y > shore
            let wave = mirrored ? (noise.fractal(x * 9, y * 90, octaves: 3) - 0.5) * (y - shore) * 0.5 : 0
            let across = x + wave
            let up = mirrored ? (y - shore) * 1.15 + wave : shore - y
            let plot = min(max(Int(across / aspect * 60), 0), 59)
            let column = across * 120, storey = up * 84
            let lamp = noise.value(Float(whole(column)) * 1.37 + 0.5, Float(whole(storey)) * 1.91 + 0.5)
            let haze = mix(SIMD3(0.55, 0.30, 0.22), SIMD3(0.03, 0.05, 0.14), step(0, 0.6, up))
            var colour = haze + (noise.fractal(x * 2, y * 3, octaves: 3) - 0.5) * 0.05
            if up < roofs[plot] + roofs[plot / 3 + 60] * 0.5 {
                let frame =
                    abs(column - Float(whole(column)) - 0.5) < 0.30 && abs(storey - Float(whole(storey)) - 0.5) < 0.28
                let lit = frame ? step(0.56, 0.70, lamp) : 0
                colour =
                    SIMD3(0.05, 0.06, 0.09) + mix(SIMD3(1, 0.72, 0.34), SIMD3(0.75, 0.86, 1), step(0.74, 0.84, lamp))
                    * lit
            }
            return mirrored ? colour * (0.62 - 0.5 * (y - shore)) : colour
        }
        for _ in 0..<40 {
            let glow = mix(SIMD3(1, 0.55, 0.2), SIMD3(0.5, 0.7, 1), random.within(0...1)) * 0.5
            canvas.light(
                x: random.within(0...aspect),
                y: shore,
                radius: random.within(0.008...0.03),
                rim: 1,
                colour: glow
            )
        }
    }

    /// Lamps out of focus.
    static func bokeh(_ canvas: inout DemoCanvas, _ random: inout DemoRandom) {
        let noise = DemoNoise(using: &random)
        canvas.paint { x, y in
            mix(SIMD3(0.04, 0.03, 0.07), SIMD3(0.20, 0.08, 0.07), noise.fractal(x * 1.5, y * 1.5, octaves: 3) * y * 1.4)
        }
        for _ in 0..<150 {
            let hue = random.within(0...1)
            let warm = mix(SIMD3(1, 0.35, 0.12), SIMD3(1, 0.82, 0.45), hue)
            let colour = hue > 0.93 ? SIMD3(0.25, 0.6, 0.9) : warm
            canvas.light(
                x: random.within(0...canvas.aspect),
                y: 0.5 + random.within(-0.5...0.5) * random.within(0.3...1),
                radius: random.within(0.02...0.11),
                rim: random.within(0.04...0.3),
                colour: colour * random.within(0.06...0.42)
            )
        }
    }

    /// Curtains of northern light over a dark ridge.
    static func aurora(_ canvas: inout DemoCanvas, _ random: inout DemoRandom) {
        let noise = DemoNoise(using: &random)
        let ridge = DemoSkyline(base: 0.16, spread: 0.07, roughness: 0.55, using: &random)
        let aspect = canvas.aspect
        canvas.paint { x, y in
            guard 1 - y > ridge.at(x / aspect) else { return SIMD3(0.01, 0.015, 0.03) }
            var colour = mix(SIMD3(0.01, 0.02, 0.07), SIMD3(0.04, 0.12, 0.16), y)
            for curtain in 0..<3 {
                let offset = Float(curtain) * 31
                let hem =
                    0.42 + 0.14 * Float(curtain) - 0.45 * (noise.fractal(x * 1.1 + offset, offset, octaves: 3) - 0.3)
                let above = hem - y
                let rays = noise.fractal(x * 16 + offset, y * 0.7 + offset, octaves: 4)
                let strength = step(-0.025, 0.02, above) * expf(-max(0, above) * 5.5) * (0.25 + rays * rays * 1.7)
                colour +=
                    mix(SIMD3(0.15, 0.95, 0.50), SIMD3(0.55, 0.18, 0.75), step(0.04, 0.34, above)) * strength * 0.62
            }
            return colour
        }
        for _ in 0..<420 {
            let y = random.within(0...0.78)
            let colour = SIMD3<Float>(0.8, 0.85, 1) * random.within(0.15...0.9)
            canvas.light(
                x: random.within(0...aspect),
                y: y,
                radius: random.within(0.0012...0.003),
                rim: 1,
                colour: colour
            )
        }
    }

    /// The moon behind thin cloud; made to stand upright.
    static func moon(_ canvas: inout DemoCanvas, _ random: inout DemoRandom) {
        let noise = DemoNoise(using: &random)
        let centre = SIMD2<Float>(canvas.aspect * 0.52, 0.40), radius: Float = 0.24
        canvas.paint { x, y in
            let place = (SIMD2(x, y) - centre) / radius
            let away = (place * place).sum().squareRoot()
            let cloud = step(0.45, 0.8, noise.fractal(x * 1.7, y * 5.5, octaves: 6))
            var colour = SIMD3<Float>(0.03, 0.05, 0.11) + SIMD3(0.30, 0.30, 0.36) * expf(-max(0, away - 1) * 2.6)
            if away < 1 {
                let bulge = (1 - away * away).squareRoot()
                let seas = step(0.42, 0.60, noise.fractal(place.x * 1.6 + 40, place.y * 1.6 + 40, octaves: 4))
                let craters = noise.fractal(place.x * 13, place.y * 13, octaves: 4) - 0.5
                let shade = (0.55 + 0.45 * bulge) * (0.92 - 0.34 * seas + craters * 0.30)
                colour = mix(colour, SIMD3(1, 0.96, 0.86) * shade, 1 - step(0.985, 1, away))
            }
            return mix(colour, SIMD3(0.22, 0.24, 0.33) + SIMD3(0.3, 0.3, 0.28) * expf(-away), cloud * 0.72)
        }
    }

    /// A flower from above: rings of petals around a spiral of seeds.
    static func petals(_ canvas: inout DemoCanvas, _ random: inout DemoRandom) {
        let noise = DemoNoise(using: &random)
        let centreX = canvas.aspect / 2
        canvas.paint { x, y in
            let dx = x - centreX, dy = y - 0.5
            let away = (dx * dx + dy * dy).squareRoot(), angle = atan2f(dy, dx)
            for ring in 0..<4 {
                let turn = angle * 6.5 + Float(ring) * 0.9 + noise.value(Float(ring) * 9, 3) * 2
                let reach = 0.17 + 0.095 * Float(ring)
                let petal = abs(cosf(turn))
                guard away < reach * (0.55 + 0.45 * powf(petal, 0.4)) else { continue }
                let vein = noise.fractal(angle * 38, away * 7 + Float(ring) * 17, octaves: 3) - 0.5
                let body = mix(SIMD3(0.62, 0.05, 0.22), SIMD3(0.99, 0.62, 0.66), step(0.06, reach, away))
                return body * (0.62 + 0.38 * powf(petal, 0.7)) + vein * 0.14
            }
            let leaf = noise.fractal(x * 3, y * 3, octaves: 4)
            return mix(SIMD3(0.04, 0.10, 0.05), SIMD3(0.22, 0.36, 0.14), leaf) * (1.2 - away)
        }
        for seed in 1...260 {
            // Each a golden angle on from the last, as in a sunflower.
            let angle = Float(seed) * 2.399963, away = 0.0062 * Float(seed).squareRoot()
            let colour = mix(SIMD3(0.75, 0.62, 0.12), SIMD3(0.42, 0.26, 0.04), Float(seed) / 260)
            canvas.light(
                x: centreX + away * cosf(angle),
                y: 0.5 + away * sinf(angle),
                radius: 0.006,
                rim: 0.7,
                colour: colour
            )
        }
    }

    /// An emblem on nothing: a ring with three peaks, smooth rims and a shadow that shines through.
    static func emblem(_ canvas: inout DemoCanvas, _: inout DemoRandom) {
        canvas.paintWithAlpha { x, y in
            let dx = x - 0.5, dy = y - 0.5
            let away = (dx * dx + dy * dy).squareRoot()
            let ring = step(0.300, 0.303, away) * (1 - step(0.377, 0.380, away))
            let peak = max(0.20 - abs(dx) * 1.1, 0.10 - abs(dx - 0.13), 0.08 - abs(dx + 0.13))
            let mountain =
                step(-0.002, 0.002, peak + 0.10 - (0.5 + 0.10 - y)) * (1 - step(0.262, 0.265, away))
                * step(0.4, 0.402, 1 - y + 0.18)
            let shape = max(ring, mountain)
            let colour = mix(SIMD3(0.10, 0.35, 0.55), SIMD3(0.16, 0.62, 0.56), y)
            let shadow = 0.35 * (1 - step(0.30, 0.46, ((dx * dx) + (dy - 0.03) * (dy - 0.03)).squareRoot()))
            return SIMD4(mix(SIMD3(0.05, 0.06, 0.08), colour, shape), max(shape, shadow))
        }
    }
}
