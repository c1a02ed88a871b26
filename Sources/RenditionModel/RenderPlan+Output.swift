extension RenderLimits {
    /// Refuses an output by its size.
    public func check(output size: PixelSize, _ format: ImageFormat) throws(RenderRefusal) {
        let edge = edgePixels(format)
        let longest = max(size.width, size.height)
        guard longest <= edge else { throw .tooLarge(what: "output edge", value: longest, limit: edge) }
        let most = outputPixels(format)
        guard size.area <= most else { throw .tooLarge(what: "output pixels", value: size.area, limit: most) }
    }

    /// Brings the layout within the limits, and says which of the formats can hold it.
    ///
    /// - Throws: the first format's refusal if none can.
    func fitted(
        _ layout: inout Layout,
        formats: [ImageFormat],
        isReduced: Bool
    ) throws(RenderRefusal) -> [ImageFormat] {
        let fitting = formats.filter { allows(layout.size, $0) }
        if !fitting.isEmpty { return fitting }
        let first = formats[0]
        var factor = 1.0
        // Rounding may leave a pixel too much, hence the second and third attempt.
        for _ in 0..<4 where isReduced && !allows(layout.size, first) {
            factor *= reduction(of: layout.size, first)
            layout.scale(by: factor)
        }
        try check(output: layout.size, first)
        return formats.filter { allows(layout.size, $0) }
    }

    private func allows(_ size: PixelSize, _ format: ImageFormat) -> Bool {
        max(size.width, size.height) <= edgePixels(format) && size.area <= outputPixels(format)
    }

    private func edgePixels(_ format: ImageFormat) -> Int {
        format == .webp ? min(outputEdgePixels, 16_383) : outputEdgePixels
    }

    private func reduction(of size: PixelSize, _ format: ImageFormat) -> Double {
        let byEdge = Double(edgePixels(format)) / Double(max(size.width, size.height))
        let area = Double(size.width) * Double(size.height)
        let byArea = (Double(outputPixels(format)) / area).squareRoot()
        return byArea < byEdge ? min(byArea, 1) * (1 - 1e-4) : min(byEdge, 1)
    }
}

extension Transform {
    /// The formats to write, of which the fewest bytes win; never empty.
    func outputFormats(of source: SourceDescription) -> [ImageFormat] {
        guard case .fewestBytes(let formats) = format else { return [outputFormat(of: source)] }
        // A still is always smaller than an animation, and not the same picture.
        let candidates = formats + [outputFormat(of: source)]
        let moving = frames == .all && source.isAnimated ? candidates.filter(\.canBeAnimated) : []
        return moving.isEmpty ? candidates : moving
    }

    func plannedFrames(of source: SourceDescription, as formats: [ImageFormat]) -> RenderPlan.Frames {
        switch frames {
        case .only(let number) where source.frames > 1: .one(min(max(1, number), source.frames) - 1)
        case .all where source.isAnimated && formats.allSatisfy(\.canBeAnimated): .all(source.frames)
        case .all, .first, .only: .primary
        }
    }

    /// How one of the formats is written.
    func encoding(_ format: ImageFormat, of source: SourceDescription) -> Encoding {
        var encoding = Encoding(format)
        if let variant, variant.format == format { encoding.variant = variant }
        switch quality {
        case .fixed(let number): encoding.set(number)
        case .auto: encoding.findsQuality = format.defaultQuality != nil
        case .lossless: encoding.setLossless()
        case .losslessIfSourceIs(let number):
            if source.isLossless { encoding.setLossless() } else { encoding.set(number) }
        case nil: break
        }
        return encoding
    }
}

extension Encoding {
    fileprivate mutating func set(_ number: Int) {
        if format.defaultQuality != nil || variant == .palette { quality = number }
    }

    fileprivate mutating func setLossless() {
        guard format.canBeLossless else { return }
        isLossless = true
        quality = nil
    }
}

extension ImageFormat {
    /// Whether a file can hold several frames that we can write.
    package var canBeAnimated: Bool { self == .gif || self == .webp }

    /// Whether an encoder has a choice between keeping every pixel and not.
    package var canBeLossless: Bool { self == .webp || self == .avif || self == .jxl }

    /// Whether it has an alpha channel.
    package var canHaveAlpha: Bool { self != .jpeg }
}
