extension Transform {
    /// Another picture laid over this one, a watermark (spec microCMS §8); lengths are in pixels of the output.
    public struct Mark: Codable, Hashable, Sendable {
        /// What of the other picture is laid over this one.
        public indirect enum Form: Codable, Hashable, Sendable {
            /// Its pixels as they are.
            case native
            /// A rendition of it; a mark of its own has no effect.
            case rendition(Transform)
        }

        /// The other picture: its URL without a query as somebody wrote it, or its identifier once it is found.
        public var picture: String
        /// What of it is laid over.
        public var form: Form
        /// Which version of it; nil as long as nobody has looked.
        public var version: String?
        /// From 0, which shows nothing, to 1.
        public var opacity = 1.0
        /// Its size; without a width and height its own, fractions being of the picture that it lies on.
        public var resize = Resize.none
        /// Which side of the picture it lies at: −1 is left or top, 0 the middle, 1 right or bottom.
        public var horizontal = 1
        /// The same from top to bottom.
        public var vertical = 1
        /// The left edge instead of a side.
        public var x: Double?
        /// The upper edge instead of a side.
        public var y: Double?
        /// The distance from the picture's edges.
        public var padding = 5.0

        /// A mark in its own size, at the lower right.
        public init(_ picture: String, form: Form = .native) {
            self.picture = picture
            self.form = form
        }
    }
}

extension Transform.Mark {
    /// What brings the other picture to its size on a canvas.
    public func transform(on canvas: PixelSize) -> Transform {
        func pixels(_ length: Transform.Length?, of side: Int) -> Transform.Length? {
            length.map { Transform.Length(pixels: max(1, $0.resolved(on: Double(side)))) }
        }
        var transform = Transform(resize: resize, format: .fixed(.png))
        transform.resize.width = pixels(resize.width, of: canvas.width)
        transform.resize.height = pixels(resize.height, of: canvas.height)
        return transform
    }

    /// Where the upper left corner of a mark of this size comes to lie, which may be outside of the canvas.
    public func place(of size: PixelSize, on canvas: PixelSize) -> (x: Int, y: Int) {
        func start(_ place: Double?, _ side: Int, _ excess: Int) -> Int {
            let whole = Double(excess)
            let start = place ?? (side < 0 ? padding : side > 0 ? whole - padding : (whole / 2).rounded(.down))
            return Int(start.rounded())
        }
        return (
            start(x, horizontal, canvas.width - size.width), start(y, vertical, canvas.height - size.height)
        )
    }

    /// The mark of equal meaning that all its spellings share; nil for one that nobody sees.
    var normalised: Self? {
        guard opacity > 0 else { return nil }
        var result = self
        let plain = Self(picture)
        result.opacity = min(1, opacity)
        result.resize = Transform(resize: resize).normalised.resize
        if case .rendition(var transform) = form {
            transform.mark = nil
            result.form = .rendition(transform.normalised)
        }
        if x != nil { result.horizontal = plain.horizontal }
        if y != nil { result.vertical = plain.vertical }
        let isPadded = x == nil && horizontal != 0 || y == nil && vertical != 0
        if !isPadded { result.padding = plain.padding }
        return result
    }

    /// Its part of the canonical text.
    var parts: [(String, String)] {
        let plain = Self(picture)
        var parts = [("mark", Transform.Text.escaped(picture))]
        if case .rendition(let transform) = form {
            parts.append(("markform", Transform.Text.escaped(transform.canonicalText)))
        }
        if let version { parts.append(("markversion", Transform.Text.escaped(version))) }
        if opacity != plain.opacity { parts.append(("markopacity", opacity.shortest)) }
        if resize != plain.resize {
            parts.append(("marksize", Transform.Text.escaped(Transform(resize: resize).canonicalText)))
        }
        if horizontal != plain.horizontal || vertical != plain.vertical {
            parts.append(("markgravity", Transform.gravity(x: horizontal, y: vertical)))
        }
        if let x { parts.append(("markx", x.shortest)) }
        if let y { parts.append(("marky", y.shortest)) }
        if padding != plain.padding { parts.append(("markpadding", padding.shortest)) }
        return parts
    }
}
