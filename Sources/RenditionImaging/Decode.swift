import RenditionModel

/// How much smaller a decoder can make the picture while it decodes, so that fewer pixels are ever touched.
struct DecodeScale {
    /// The loader's option and its value.
    let option: LoadOption
    /// The size that comes out, to within a pixel.
    let size: PixelSize

    /// The scale for a plan; nil where the decoder has none or the picture is not to shrink.
    init?(_ plan: RenderPlan, format: ImageFormat) {
        let isWhole = plan.region == PixelRect(plan.stored)
        self.init(
            format: format,
            stored: plan.stored,
            target: plan.decodeTarget,
            margin: isWhole ? Self.margin : Self.marginOfParts
        )
    }

    private init?(format: ImageFormat, stored: PixelSize, target: PixelSize, margin: Double) {
        switch format {
        case .jpeg:
            // Whole fractions, rounded down, by the DCT itself.
            let wanted = target.scaled(margin)
            guard let shrink = [8, 4, 2].first(where: { stored.shrunk($0).covers(wanted) }) else { return nil }
            option = LoadOption(name: "shrink", value: Double(shrink))
            size = stored.shrunk(shrink)
        case .webp where min(target.width, target.height) >= 16:
            let scale = margin * Self.scale(from: stored, to: target)
            guard scale < 1 else { return nil }
            option = LoadOption(name: "scale", value: scale)
            size = stored.scaled(scale)
        case .svg where target != stored:
            // The loader takes no scale below a thousandth.
            let scale = max(0.001, Self.scale(from: stored, to: target))
            option = LoadOption(name: "scale", value: scale)
            size = stored.scaled(scale)
        default:
            return nil
        }
    }

    /// How much larger than the output the decoder's picture stays, for a sharp resize.
    ///
    /// Three photographs, compared with a resize of all pixels (root mean square, of 255): 1.1 to 1.7 where the decoder's picture
    /// was 1.0 to 1.1 times the output, 0.9 at 1.7 times, 0.6 to 1.3 at 2 to 3.4 times.
    private static let margin = 1.5
    /// The same where only a part is used, whose edges then lie between the pixels of the decoder's picture.
    private static let marginOfParts = 3.0

    /// The factor that hits both sides exactly if one of the two does, else the one that leaves something to shrink.
    private static func scale(from stored: PixelSize, to target: PixelSize) -> Double {
        let factors = [
            Double(target.width) / Double(stored.width), Double(target.height) / Double(stored.height),
        ]
        return factors.first { stored.scaled($0) == target } ?? max(factors[0], factors[1])
    }
}

extension PixelSize {
    fileprivate func shrunk(_ factor: Int) -> PixelSize {
        PixelSize(width: width / factor, height: height / factor)
    }

    fileprivate func scaled(_ factor: Double) -> PixelSize {
        PixelSize(
            width: max(1, Int((Double(width) * factor).rounded())),
            height: max(1, Int((Double(height) * factor).rounded()))
        )
    }

    fileprivate func covers(_ other: PixelSize) -> Bool { width >= other.width && height >= other.height }
}
