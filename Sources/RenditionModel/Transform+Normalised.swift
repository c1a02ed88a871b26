extension Transform {
    /// The transform of equal meaning that all its spellings share: defaults and what has no effect are gone.
    ///
    /// Transforms with the same canonical text have the same normalised form.
    public var normalised: Transform {
        // Before all else: what is rounded to nothing has no effect.
        asWritten.withoutWhatHasNoEffect
    }

    private var withoutWhatHasNoEffect: Transform {
        var result = self
        result.foldBase()
        result.crop = crop?.normalised
        result.resize = result.resize.normalised(isCropped: crop != nil)
        result.effects = effects.normalised(isPainted: padding != Padding() || background != nil || mask != nil)
        result.tilt = tilt.truncatingRemainder(dividingBy: 360)
        if result.tilt < 0 { result.tilt += 360 }
        result.mark = mark?.normalised
        if let border, border.width < 0.5 || border.colour.alpha == 0 { result.border = nil }
        if result.resize.bars != .background, let background, case .colour(let bars) = result.resize.bars,
            background == .colour(bars)
        {
            result.resize.bars = .background
        }
        switch format {
        case .fewestBytes([]), .firstFitting([]): result.format = .family
        // It keeps all that `family` would keep, frames included.
        case .firstFitting([.webp]) where result.alwaysFits(.webp): result.format = .fixed(.webp)
        default: break
        }
        if case .fixed(let format) = result.format { result.drop(whatDoesNotFit: format) }
        if result.hasBoundedSize { result.oversize = .refused }
        return result
    }

    /// Without a crop a base is but another box around a box.
    private mutating func foldBase() {
        guard let base, crop == nil, resize.mode == .inside, !resize.enlarge else { return }
        let limit = Double(base)
        func held(_ side: Length?) -> Length? {
            guard let side else { return Length(pixels: limit) }
            return side.fixed.map { Length(pixels: min($0, limit)) }
        }
        guard let width = held(resize.width), let height = held(resize.height) else { return }
        (resize.width, resize.height) = (width, height)
        self.base = nil
    }

    private mutating func drop(whatDoesNotFit format: ImageFormat) {
        if variant?.format != format { variant = nil }
        if frames == .first, !format.canBeAnimated { frames = .all }
        switch quality {
        case .fixed(let number):
            let hasChoice = format.defaultQuality != nil || variant == .palette
            if !hasChoice || number == format.defaultQuality { quality = nil }
        case .auto: if format.defaultQuality == nil { quality = nil }
        case .lossless: if !format.canBeLossless { quality = nil }
        case .losslessIfSourceIs(let number):
            guard !format.canBeLossless else { return }
            quality = .fixed(number)
            drop(whatDoesNotFit: format)
        case nil: break
        }
    }

    /// Whether whatever passes no edge passes no number of pixels either, with the limits that are default.
    private func alwaysFits(_ format: ImageFormat) -> Bool {
        let limits = RenderLimits()
        let edge = Double(limits.outputEdgePixels)
        func most(_ side: Length?, _ padding: Double) -> Double {
            min(edge, side?.fixed.map { $0 + padding + 1 } ?? edge)
        }
        let width = most(resize.width, padding.left + padding.right)
        return width * most(resize.height, padding.top + padding.bottom) <= Double(limits.outputPixels(format))
    }

    /// Whether no still source can make the output pass any format's limit.
    private var hasBoundedSize: Bool {
        guard let width = resize.width?.fixed, let height = resize.height?.fixed else { return false }
        let total = Size(
            width: max(1, width) + padding.left + padding.right,
            height: max(1, height) + padding.top + padding.bottom
        )
        return max(total.width, total.height) <= 8192 && total.width * total.height <= 8_000_000
    }
}

extension Transform.Crop {
    /// Where all is a part of the sides and lies within, nothing can be outside.
    fileprivate var normalised: Self {
        func isWithin(_ start: Start, _ length: Transform.Length) -> Bool {
            guard length.pixels == 0, length.fraction > 0, length.fraction <= 1 else { return false }
            guard case .at(let place) = start else { return true }
            return place.pixels == 0 && place.fraction >= 0 && place.fraction + length.fraction <= 1 + 1e-9
        }
        var result = self
        if isWithin(x, width), isWithin(y, height) { result.outside = .refused }
        return result
    }
}

extension Transform.Resize {
    fileprivate func normalised(isCropped: Bool) -> Self {
        var result = self
        if mode != .cover { result.bounds = Transform.Bounds() }
        if width != nil && height != nil || mode == .inside || mode == .automatic || mode == .fill {
            result.ratio = nil
        }
        if mode != .pad { (result.bars, result.holdsBoxWithinSource) = (.background, false) }
        result.position = normalisedPosition
        let hasFraction = width?.fraction ?? 0 != 0 || height?.fraction ?? 0 != 0
        if !isCropped || !hasFraction { result.measure = .source }
        guard result.ratio == nil, result.bounds == Transform.Bounds(), !result.position.magnifies else {
            return result
        }
        if width == nil && height == nil { return .none }
        let isOneSided = width == nil || height == nil
        if isOneSided, mode == .cover || mode == .fill || mode == .pad && enlarge && !holdsBoxWithinSource {
            result.mode = .inside
            (result.position, result.bars) = (.centre, .background)
        }
        return result
    }

    private var normalisedPosition: Transform.Position {
        switch (mode, position) {
        case (.cover, .focus(let x, let y, let zoom)):
            zoom <= 1 && x == 0.5 && y == 0.5 ? .centre : .focus(x: x, y: y, zoom: max(1, zoom))
        case (.cover, let position): position
        case (.pad, .side(let x, let y)): .side(x: x, y: y)
        default: .centre
        }
    }
}

extension Transform.Position {
    fileprivate var magnifies: Bool {
        if case .focus(_, _, let zoom) = self { zoom > 1 } else { false }
    }
}

extension Transform.Effects {
    /// - Parameter isPainted: whether something is painted between the two places where effects may be.
    fileprivate func normalised(isPainted: Bool) -> Self {
        var result = self
        // Less than this moves no pixel.
        if result.blur < 0.3 { result.blur = 0 }
        if result.pixelate < 2 { result.pixelate = 0 }
        if result.unsharp == 0 { result.unsharpRadius = Self().unsharpRadius }
        if monochrome?.alpha == 0 { result.monochrome = nil }
        let orderMatters = !result.isEmpty && isPainted || result.blur > 0 && (sharpen != 0 || unsharp != 0)
        if !orderMatters { result.order = .afterPadding }
        return result
    }
}
