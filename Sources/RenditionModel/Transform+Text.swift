extension Transform {
    /// One line of text over the picture (spec microCMS §8); lengths are in pixels of the output.
    public struct Text: Codable, Hashable, Sendable {
        /// The line, 1…500 characters without control characters.
        public var content: String
        /// A font family's name, or one of CSS's generic ones.
        public var family = "sans-serif"
        /// Whether it is bold.
        public var isBold = false
        /// Whether it is italic.
        public var isItalic = false
        /// Height of the letters.
        public var size = 12.0
        /// The letters' colour.
        public var colour = Colour(red: 0, green: 0, blue: 0)
        /// Which side of the picture it stands at: −1 is left or top, 0 the middle, 1 right or bottom.
        public var horizontal = 1
        /// The same from top to bottom.
        public var vertical = 1
        /// The left edge instead of a side.
        public var x: Double?
        /// The upper edge instead of a side.
        public var y: Double?
        /// The distance from the picture's edges.
        public var padding = 10.0
        /// How much room it has; nil for all there is.
        public var width: Double?
        /// Whether the letters take the size at which the line fills its room.
        public var fillsWidth = false
        /// What goes where there is not enough room.
        public var clip = Clip.end
        /// Whether `…` stands for what is gone.
        public var hasEllipsis = false
        /// Width of an outline inside the letters.
        public var outline = 0.0
        /// The outline's colour.
        public var outlineColour = Colour.white
        /// Strength of the shadow, 0…10.
        public var shadow = 0.0

        /// Which part of a line goes.
        public enum Clip: String, Codable, Hashable, Sendable {
            case start, middle, end
        }

        /// Most characters.
        public static let maxCharacters = 500

        /// A line; nil for one without a visible character.
        public init?(_ content: String) {
            let visible = content.unicodeScalars.map { scalar in
                scalar.properties.generalCategory == .control || scalar.value & 0xFFFE == 0xFFFE ? " " : scalar
            }
            var kept = String.UnicodeScalarView()
            kept.append(contentsOf: visible)
            // Combining marks have no end, so scalars count as well.
            let line = String(String(kept.prefix(4 * Self.maxCharacters)).prefix(Self.maxCharacters))
            guard line.contains(where: { !$0.isWhitespace }) else { return nil }
            self.content = line
        }
    }
}

extension Transform.Text {
    /// Where the line has to stay on a canvas.
    func room(on canvas: PixelSize) -> PixelRect {
        func part(_ place: Double?, _ side: Int, _ width: Double?, _ alignment: Int) -> (Int, Int) {
            let whole = Double(side)
            let start = min(max(0, place ?? padding), whole - 1)
            let end = place == nil ? max(start + 1, whole - padding) : whole
            let length = min(max(1, width ?? .infinity), end - start)
            // A narrower room stands where its line is aligned to.
            let rest = end - start - length
            let offset = place != nil || alignment < 0 ? 0 : alignment > 0 ? rest : rest / 2
            return (Int((start + offset).rounded(.down)), max(1, Int(length.rounded())))
        }
        let (left, width) = part(x, canvas.width, width, horizontal)
        let (top, height) = part(y, canvas.height, nil, vertical)
        return PixelRect(x: left, y: top, size: PixelSize(width: width, height: height))
    }

    /// Its part of the canonical text.
    var parts: [(String, String)] {
        guard let plain = Self(content) else { return [] }
        var parts = [("text", Self.escaped(content))]
        func add<Value: Equatable>(_ name: String, _ path: KeyPath<Self, Value>, _ text: String) {
            if self[keyPath: path] != plain[keyPath: path] { parts.append((name, text)) }
        }
        add("textfont", \.family, Self.escaped(family))
        add("textbold", \.isBold, "true")
        add("textitalic", \.isItalic, "true")
        add("textsize", \.size, size.shortest)
        add("textcolor", \.colour, colour.hexadecimal)
        if horizontal != 1 || vertical != 1 {
            parts.append(("textgravity", Transform.gravity(x: horizontal, y: vertical)))
        }
        if let x { parts.append(("textx", x.shortest)) }
        if let y { parts.append(("texty", y.shortest)) }
        add("textpadding", \.padding, padding.shortest)
        if let width { parts.append(("textwidth", width.shortest)) }
        add("textfill", \.fillsWidth, "true")
        add("textclip", \.clip, clip.rawValue)
        add("textellipsis", \.hasEllipsis, "true")
        add("textoutline", \.outline, outline.shortest)
        add("textoutlinecolor", \.outlineColour, outlineColour.hexadecimal)
        add("textshadow", \.shadow, shadow.shortest)
        return parts
    }

    /// Anything but letters and digits of ASCII as percent and two digits, so that no line reads like a parameter.
    static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) && byte < 0x80
            let digits = String(byte, radix: 16, uppercase: true)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + (digits.count < 2 ? "0" : "") + digits
        }.joined()
    }
}
