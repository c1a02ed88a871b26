extension Transform {
    /// The formats that may be written, in order of preference; never empty.
    func outputFormats(of source: SourceDescription) -> [ImageFormat] {
        let formats: [ImageFormat]
        switch format {
        case .fewestBytes(let several), .firstFitting(let several): formats = several
        default: return [outputFormat(of: source)]
        }
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
