/// The parameters of colour and style (spec microCMS §8).
struct MicroCMSLooks {
    private let values: MicroCMSValues

    init(_ values: MicroCMSValues) { self.values = values }

    /// A transform with nothing but them.
    func transform() -> Transform {
        var transform = Transform()
        transform.adjustments = adjustments
        transform.effects = effects
        transform.background = background
        return transform
    }

    private var adjustments: Transform.Adjustments {
        let both = -100.0...100.0
        var adjustments = Transform.Adjustments()
        adjustments.brightness = values.number("bri", both) ?? 0
        adjustments.contrast = values.number("con", both) ?? 0
        adjustments.exposure = values.number("exp", both) ?? 0
        adjustments.gamma = values.number("gam", both) ?? 0
        adjustments.highlights = values.number("high", -100...0) ?? 0
        adjustments.shadows = values.number("shad", 0...100) ?? 0
        adjustments.saturation = values.number("sat", both) ?? 0
        adjustments.vibrance = values.number("vib", both) ?? 0
        adjustments.hue = (values.number("hue", 0...360) ?? 0).truncatingRemainder(dividingBy: 360)
        adjustments.invert = values.isOn("invert")
        return adjustments
    }

    private var effects: Transform.Effects {
        var effects = Transform.Effects()
        // Scales of 0…100 and 0…2000, ours being 0…10 and pixels.
        effects.sharpen = (values.number("sharp", 0...100) ?? 0) / 10
        effects.blur = (values.number("blur", 0...2000) ?? 0) / 10
        effects.unsharp = values.number("usm", -100...100) ?? 0
        effects.unsharpRadius = values.number("usmrad", 0...500) ?? effects.unsharpRadius
        effects.pixelate = (values.number("px", 0...100) ?? 0).rounded()
        effects.sepia = values.number("sepia", 0...100) ?? 0
        effects.monochrome = values.colour("monochrome")
        effects.order = .beforePadding
        return effects
    }

    /// Nothing at all is the default.
    private var background: Transform.Background? {
        guard let colour = values.colour("bg"), colour.alpha > 0 else { return nil }
        return .colour(colour)
    }
}

/// The parameters of the output (spec microCMS §9).
struct MicroCMSOutput {
    private let values: MicroCMSValues

    init(_ values: MicroCMSValues) { self.values = values }

    /// What a transform without any output parameters becomes with them.
    func outcome(of geometry: Transform) -> MicroCMSDialect.Outcome {
        let word = values.word("fm")
        if word == "json" { return .information }
        var transform = geometry
        let named = word.flatMap(Self.format)
        let compresses = values.auto.contains("compress")
        if let named { (transform.format, transform.variant) = (.fixed(named.format), named.variant) }
        if compresses { (transform.format, transform.variant) = (.family, nil) }
        let quality = values["q"].flatMap(decimal).map { Int(min(max($0, 1), 100).rounded()) }
        let isLossless = transform.format == .fixed(.webp) && values.isOn("lossless")
        // It says nothing of a PNG, not even of one with a palette.
        if transform.format != .fixed(.png) {
            transform.quality = isLossless ? .lossless : .fixed(quality ?? (compresses ? 45 : 75))
        }
        if word == "blurhash" { return .blurHash(transform.normalised) }
        var bare = geometry
        bare.oversize = .refused
        let changesNothing = bare.normalised == Transform() && named == nil && quality == nil && !compresses
        return changesNothing ? .untouched : .transform(transform.normalised)
    }

    private static func format(_ word: String) -> (format: ImageFormat, variant: Transform.Variant?)? {
        switch word {
        case "jpg", "jpeg": (.jpeg, nil)
        case "pjpg": (.jpeg, .progressive)
        case "png": (.png, nil)
        case "png8": (.png, .palette)
        case "png32": (.png, .rgba)
        case "webp": (.webp, nil)
        case "avif": (.avif, nil)
        case "gif": (.gif, nil)
        default: nil
        }
    }
}
