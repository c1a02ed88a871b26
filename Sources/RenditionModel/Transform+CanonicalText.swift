extension Transform {
    /// Part of the cache key and of what people are shown: equal for equal meaning, whichever dialect wrote it.
    ///
    /// The parameters of rcache's own dialect in its order, then what only a CMS's dialect can say; defaults and what has no
    /// effect are left out, numbers have their shortest form.
    public var canonicalText: String {
        let transform = normalised
        let parts = transform.sizeParts + transform.placeParts + transform.lookParts + transform.outputParts
        return (parts + transform.foreignParts).map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }

    private typealias Part = (String, String)

    private var sizeParts: [Part] {
        if resize.mode == .automatic { return resize.width.map { [("automatic", $0.text)] } ?? [] }
        var parts: [Part] = []
        if let width = resize.width { parts.append(("width", width.text)) }
        if let height = resize.height { parts.append(("height", height.text)) }
        if resize.mode != .inside { parts.append(("fit", resize.mode.rawValue)) }
        if resize.enlarge { parts.append(("enlarge", "true")) }
        return parts
    }

    private var placeParts: [Part] {
        var parts: [Part] = []
        if let crop {
            let lengths = [crop.x.text, crop.y.text, crop.width.text, crop.height.text]
            parts.append(("crop", lengths.joined(separator: ",")))
        }
        switch resize.position {
        case .centre: break
        case .side(let x, let y): parts.append(("gravity", Self.gravity(x: x, y: y)))
        case .entropy: parts.append(("gravity", "entropy"))
        case .attention: parts.append(("gravity", "attention"))
        case .focus(let x, let y, _): parts.append(("focus", [x, y].map(\.shortest).joined(separator: ",")))
        }
        if rotation != .none { parts.append(("rotate", "\(rotation.rawValue)")) }
        if flip != .none { parts.append(("flip", (flip.horizontal ? "h" : "") + (flip.vertical ? "v" : ""))) }
        if let trim { parts.append(("trim", "\(trim)")) }
        return parts
    }

    /// `north`, `southeast` and the like.
    static func gravity(x: Int, y: Int) -> String {
        let vertical = y < 0 ? "north" : y > 0 ? "south" : ""
        let horizontal = x < 0 ? "west" : x > 0 ? "east" : ""
        return vertical.isEmpty && horizontal.isEmpty ? "center" : vertical + horizontal
    }

    private var lookParts: [Part] {
        var parts: [Part] = []
        switch background {
        case .colour(let colour): parts.append(("background", colour.text))
        case .average: parts.append(("background", "auto"))
        case nil: break
        }
        if effects.blur > 0 { parts.append(("blur", effects.blur.shortest)) }
        if effects.sharpen > 0 { parts.append(("sharpen", effects.sharpen.shortest)) }
        return parts
    }

    private var outputParts: [Part] {
        var parts: [Part] = []
        if case .preferWebP(let other) = format {
            parts.append(("preferwebp", "true"))
            if let other { parts.append(("format", other.rawValue)) }
        } else if format != .source {
            parts.append(("format", format.text))
        }
        switch quality {
        case .fixed(let number): parts.append(("quality", "\(number)"))
        case .auto: parts.append(("quality", "auto"))
        case .lossless: parts.append(("quality", "lossless"))
        case .losslessIfSourceIs(let number): parts.append(("quality", "lossless,\(number)"))
        case nil: break
        }
        if frames == .first { parts.append(("animated", "false")) }
        if metadata != .none { parts.append(("metadata", metadata.rawValue)) }
        if profile != .srgb { parts.append(("profile", profile.rawValue)) }
        return parts
    }

    /// What rcache's own dialect has no word for.
    private var foreignParts: [Part] {
        var parts: [Part] = []
        if case .only(let number) = frames { parts.append(("frame", "\(number)")) }
        if let orientation { parts.append(("orient", "\(orientation)")) }
        if let base { parts.append(("base", "\(base)")) }
        if let crop, crop.outside != .refused { parts.append(("outside", crop.outside.rawValue)) }
        parts += resize.foreignParts
        if tilt != 0 { parts.append(("tilt", tilt.shortest)) }
        parts += adjustments.parts + effects.foreignParts
        if padding != Padding() {
            let sides = [padding.top, padding.right, padding.bottom, padding.left]
            parts.append(("padding", sides.map(\.shortest).joined(separator: ",")))
        }
        if let mask { parts += mask.parts }
        if let text { parts += text.parts }
        if let mark { parts += mark.parts }
        if let border { parts.append(("border", "\(border.width.shortest),\(border.colour.text)")) }
        if let variant { parts.append(("variant", variant.rawValue)) }
        if oversize != .refused { parts.append(("oversize", oversize.rawValue)) }
        return parts
    }
}

extension Transform.Resize {
    fileprivate var foreignParts: [(String, String)] {
        var parts: [(String, String)] = []
        if case .focus(_, _, let zoom) = position, zoom > 1 { parts.append(("zoom", zoom.shortest)) }
        if let ratio { parts.append(("ratio", ratio.shortest)) }
        for (name, bound) in [
            ("minwidth", bounds.minWidth), ("maxwidth", bounds.maxWidth), ("minheight", bounds.minHeight),
            ("maxheight", bounds.maxHeight),
        ] {
            if let bound { parts.append((name, bound.shortest)) }
        }
        if measure == .crop { parts.append(("measure", measure.rawValue)) }
        switch bars {
        case .background: break
        case .colour(let colour): parts.append(("bars", colour.text))
        case .blur: parts.append(("bars", "blur"))
        case .edges: parts.append(("bars", "edges"))
        }
        if holdsBoxWithinSource { parts.append(("box", "source")) }
        return parts
    }
}

extension Transform.Adjustments {
    fileprivate var parts: [(String, String)] {
        let numbers = [
            ("brightness", brightness), ("contrast", contrast), ("exposure", exposure), ("gamma", gamma),
            ("highlights", highlights), ("shadows", shadows), ("saturation", saturation), ("vibrance", vibrance),
            ("hue", hue),
        ]
        let parts = numbers.filter { $0.1 != 0 }.map { ($0.0, $0.1.shortest) }
        return parts + (invert ? [("invert", "true")] : [])
    }
}

extension Transform.Effects {
    fileprivate var foreignParts: [(String, String)] {
        var parts: [(String, String)] = []
        if unsharp != 0 { parts.append(("unsharp", "\(unsharp.shortest),\(unsharpRadius.shortest)")) }
        if pixelate != 0 { parts.append(("pixelate", pixelate.shortest)) }
        if sepia != 0 { parts.append(("sepia", sepia.shortest)) }
        if let monochrome { parts.append(("monochrome", monochrome.text)) }
        if order != .afterPadding { parts.append(("effects", "first")) }
        return parts
    }
}

extension Transform.Mask {
    fileprivate var parts: [(String, String)] {
        let outside = background.map { [("outsidecolor", $0.text)] } ?? []
        switch shape {
        case .ellipse: return [("mask", "ellipse")] + outside
        case .corners(nil): return [("mask", "corners")] + outside
        case .corners(let radii?):
            return [("mask", "corners"), ("radius", radii.map(\.shortest).joined(separator: ","))] + outside
        }
    }
}

extension Transform.Format {
    /// The word for it; `source` is the default and never written.
    fileprivate var text: String {
        switch self {
        case .source, .preferWebP: "source"
        case .fixed(let format): format.rawValue
        case .family: "family"
        case .auto(let avif): avif ? "avif,auto" : "auto"
        case .smallest(let avif): avif ? "avif,smallest" : "smallest"
        case .firstFitting(let formats): "first-of-" + (formats.map(\.rawValue) + ["family"]).joined(separator: "-")
        case .fewestBytes(let formats): "fewest-of-" + (formats.map(\.rawValue) + ["family"]).joined(separator: "-")
        }
    }
}

extension Transform.Length {
    /// `640`, `50%`, `50%-20`.
    fileprivate var text: String {
        guard fraction != 0 else { return pixels.shortest }
        let part = "\((fraction * 100).shortest)%"
        return pixels == 0 ? part : part + (pixels > 0 ? "+" : "") + pixels.shortest
    }
}

extension Transform.Crop.Start {
    fileprivate var text: String {
        switch self {
        case .at(let length): length.text
        case .middle: "middle"
        case .end: "end"
        }
    }
}

extension Transform.Colour {
    fileprivate var text: String { alpha == 0 ? "transparent" : hexadecimal }
}

extension Double {
    /// Without a fraction where there is none, and without what binary arithmetic adds beyond nine places.
    var shortest: String {
        let exact = asWritten
        return abs(exact) < 1e15 && exact == exact.rounded() ? "\(Int64(exact))" : "\(exact)"
    }
}
