import CVips
import RenditionModel

extension Raster {
    /// Puts the picture into a larger canvas.
    consuming func embedded(
        in canvas: PixelSize,
        x: Int,
        y: Int,
        _ surround: RenderStep.Surround
    ) throws(StepFailure) -> Raster {
        switch surround {
        case .colour(let colour): return try embedded(in: canvas, x: x, y: y, colour: colour)
        case .average:
            let average = try averageColour()
            return try embedded(in: canvas, x: x, y: y, colour: average)
        case .edges:
            return try applying("embed") {
                cvips_embed($0, Int32(x), Int32(y), Int32(canvas.width), Int32(canvas.height), nil, $1)
            }
        case .blur:
            let ground = try copied().covering(canvas).blurred(Self.groundBlur(canvas)).materialised()
            return try ground.overlaid(with: self, x: x, y: y)
        }
    }

    private consuming func embedded(
        in canvas: PixelSize,
        x: Int,
        y: Int,
        colour: Transform.Colour
    ) throws(StepFailure) -> Raster {
        try applying("embed") {
            cvips_embed($0, Int32(x), Int32(y), Int32(canvas.width), Int32(canvas.height), colour.samples, $1)
        }
    }

    /// The middle of the picture, scaled to cover a canvas.
    private consuming func covering(_ canvas: PixelSize) throws(StepFailure) -> Raster {
        let own = size
        let (across, down) = (Double(canvas.width) / Double(own.width), Double(canvas.height) / Double(own.height))
        // Cut first: what will be outside the canvas is never scaled.
        let factor = max(across, down)
        let kept = PixelSize(
            width: min(own.width, max(1, Int((Double(canvas.width) / factor).rounded()))),
            height: min(own.height, max(1, Int((Double(canvas.height) / factor).rounded())))
        )
        let middle = PixelRect(x: (own.width - kept.width) / 2, y: (own.height - kept.height) / 2, size: kept)
        return try cropped(to: middle).resized(to: canvas)
    }

    private static func groundBlur(_ canvas: PixelSize) -> Double {
        min(50, max(2, Double(max(canvas.width, canvas.height)) / 30))
    }

    /// Lays another picture over this one.
    consuming func overlaid(with other: borrowing Raster, x: Int, y: Int) throws(StepFailure) -> Raster {
        let place = other.borrowing { overlay in
            { (image: OpaquePointer, out: UnsafeMutablePointer<OpaquePointer?>) in
                cvips_place(image, overlay, Int32(x), Int32(y), out)
            }
        }
        return try applying("overlay", place)
    }

    /// Paints everything transparent.
    consuming func painted(_ background: Transform.Background) throws(StepFailure) -> Raster {
        guard hasAlpha else { return self }
        let colour: Transform.Colour
        switch background {
        case .colour(let given): colour = given
        case .average: colour = try averageColour()
        }
        let samples = colour.samples
        return colour.alpha == 255
            ? try applying("background") { cvips_flatten($0, samples, $1) }
            : try applying("background") { cvips_on_ground($0, samples, $1) }
    }

    private func averageColour() throws(StepFailure) -> Transform.Colour {
        var sums = [0.0, 0.0, 0.0]
        guard borrowing({ cvips_average($0, &sums) }) == 0 else { throw StepFailure("average") }
        let levels = sums.map { UInt8(min(255, max(0, $0.rounded()))) }
        return Transform.Colour(red: levels[0], green: levels[1], blue: levels[2])
    }

    /// Another reference to the same picture.
    func copied() throws(StepFailure) -> Raster { try deriving("copy", cvips_copy) }
}

extension Transform.Colour {
    /// Red, green, blue and alpha.
    var samples: [Double] { [red, green, blue, alpha].map(Double.init) }
}
