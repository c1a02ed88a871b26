import CVips
import RenditionModel

extension Raster {
    /// Sharpens lightness, 0…10.
    consuming func sharpened(_ amount: Double) throws(StepFailure) -> Raster {
        try applying("sharpen") { cvips_sharpen($0, 0.5, amount, $1) }
    }

    /// Sharpens lightness by −100…100 with a radius in pixels; softens where negative.
    consuming func unsharpened(_ amount: Double, radius: Double) throws(StepFailure) -> Raster {
        let sigma = min(10, max(0.3, radius))
        return amount < 0
            ? try blurred(max(0.3, -amount / 100 * sigma))
            : try applying("unsharp") { cvips_sharpen($0, sigma, amount / 25, $1) }
    }

    /// Blurs by a standard deviation in pixels.
    ///
    /// A wide blur is computed on a smaller picture, where it is narrow: what that loses, the blur takes away anyway.
    consuming func blurred(_ sigma: Double) throws(StepFailure) -> Raster {
        guard sigma > Self.widestBlur else { return try applying("blur") { cvips_blur($0, sigma, $1) } }
        let (own, factor) = (size, Self.widestBlur / sigma)
        let small = PixelSize(
            width: max(1, Int((Double(own.width) * factor).rounded())),
            height: max(1, Int((Double(own.height) * factor).rounded()))
        )
        return try resized(to: small).applying("blur") { cvips_blur($0, Self.widestBlur, $1) }.resized(to: own)
    }

    private static let widestBlur = 8.0

    /// Makes blocks of so many pixels' side.
    consuming func pixelated(_ side: Int) throws(StepFailure) -> Raster {
        try applying("pixelate") { cvips_pixelate($0, Int32(side), $1) }
    }

    /// Mixes each pixel's three colours.
    consuming func recombined(_ matrix: ColourMatrix) throws(StepFailure) -> Raster {
        guard !matrix.isIdentity else { return self }
        return try applying("colours") { cvips_recombine($0, matrix.rows, $1) }
    }

    /// Changes tone and colour.
    consuming func adjusted(_ adjustments: Transform.Adjustments) throws(StepFailure) -> Raster {
        let curve = ToneCurve(adjustments)
        let toned = curve.isIdentity ? self : try applying("tone") { cvips_map($0, curve.levels, $1) }
        let matrix = ColourMatrix.saturation(1 + adjustments.saturation / 100)
            .followed(by: .hueRotation(degrees: adjustments.hue))
        let coloured = try toned.recombined(matrix)
        let strength = adjustments.vibrance / 100
        let vibrant = strength == 0 ? coloured : try coloured.applying("vibrance") { cvips_vibrance($0, strength, $1) }
        guard adjustments.invert else { return vibrant }
        return try vibrant.applying("invert") { cvips_map($0, ToneCurve.inverting.levels, $1) }
    }
}
