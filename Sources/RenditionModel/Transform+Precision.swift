extension Transform {
    /// With each value as exact as the canonical text writes it, so that equal texts are equal transforms.
    ///
    /// Numbers keep nine decimals, lengths in percent as well; a colour that nobody sees has no shade.
    var asWritten: Transform {
        var result = self
        result.crop = crop?.asWritten
        result.resize = resize.asWritten
        result.tilt = tilt.asWritten
        result.adjustments = adjustments.asWritten
        result.effects = effects.asWritten
        result.padding = Padding(
            top: padding.top.asWritten,
            right: padding.right.asWritten,
            bottom: padding.bottom.asWritten,
            left: padding.left.asWritten
        )
        if case .colour(let colour)? = background { result.background = .colour(colour.asWritten) }
        result.mask = mask?.asWritten
        result.text = text?.asWritten
        result.border = border.map { Border(width: $0.width.asWritten, colour: $0.colour.asWritten) }
        return result
    }
}

extension Transform.Crop {
    fileprivate var asWritten: Self {
        Self(x: x.asWritten, y: y.asWritten, width: width.asWritten, height: height.asWritten, outside: outside)
    }
}

extension Transform.Crop.Start {
    fileprivate var asWritten: Self {
        if case .at(let length) = self { .at(length.asWritten) } else { self }
    }
}

extension Transform.Length {
    fileprivate var asWritten: Self { Self(fraction: (fraction * 100).asWritten / 100, pixels: pixels.asWritten) }
}

extension Transform.Resize {
    fileprivate var asWritten: Self {
        var result = self
        result.width = width?.asWritten
        result.height = height?.asWritten
        result.ratio = ratio?.asWritten
        result.bounds.minWidth = bounds.minWidth?.asWritten
        result.bounds.maxWidth = bounds.maxWidth?.asWritten
        result.bounds.minHeight = bounds.minHeight?.asWritten
        result.bounds.maxHeight = bounds.maxHeight?.asWritten
        if case .focus(let x, let y, let zoom) = position {
            result.position = .focus(x: x.asWritten, y: y.asWritten, zoom: zoom.asWritten)
        }
        if case .colour(let colour) = bars { result.bars = .colour(colour.asWritten) }
        return result
    }
}

extension Transform.Adjustments {
    fileprivate var asWritten: Self {
        var result = self
        for path in [
            \Self.brightness, \.contrast, \.exposure, \.gamma, \.highlights, \.shadows, \.saturation, \.vibrance, \.hue,
        ] { result[keyPath: path] = self[keyPath: path].asWritten }
        return result
    }
}

extension Transform.Effects {
    fileprivate var asWritten: Self {
        var result = self
        for path in [\Self.sharpen, \.unsharp, \.unsharpRadius, \.blur, \.pixelate, \.sepia] {
            result[keyPath: path] = self[keyPath: path].asWritten
        }
        result.monochrome = monochrome?.asWritten
        return result
    }
}

extension Transform.Mask {
    fileprivate var asWritten: Self {
        var result = Self(shape, background: background?.asWritten)
        if case .corners(let radii?) = shape { result.shape = .corners(radii.map(\.asWritten)) }
        return result
    }
}

extension Transform.Text {
    fileprivate var asWritten: Self {
        var result = self
        for path in [\Self.size, \.padding, \.outline, \.shadow] {
            result[keyPath: path] = self[keyPath: path].asWritten
        }
        result.x = x?.asWritten
        result.y = y?.asWritten
        result.width = width?.asWritten
        return result
    }
}

extension Transform.Colour {
    fileprivate var asWritten: Self { alpha == 0 ? .transparent : self }
}

extension Double {
    /// Without what is beyond nine decimals; from a million on, nothing is cut off.
    package var asWritten: Double { abs(self) < 1e6 ? (self * 1e9).rounded() / 1e9 : self }
}
