extension Transform {
    /// Which format comes out.
    public enum Format: Codable, Hashable, Sendable {
        /// The source's if a browser can show it and we can write it, else JPEG, or PNG where there is alpha.
        case source
        case fixed(ImageFormat)
        /// JPEG, or PNG where there is alpha; GIF for an animation of which all frames are kept.
        case family
        /// WebP if the client accepts it by name, else the given one, nil being `source` (spec AEM §8).
        case preferWebP(else: ImageFormat?)
        /// AVIF where it is listed and accepted, else WebP where accepted, else as `family`.
        case auto(avif: Bool)
        /// The first of these that the limits allow, else `family`: what `auto` becomes for one client.
        case firstFitting([ImageFormat])
        /// Of the formats that `auto` could choose, the one with the fewest bytes.
        case smallest(avif: Bool)
        /// As `smallest`, from these and `family`: what `smallest` becomes for one client.
        case fewestBytes([ImageFormat])
    }

    /// How much of the picture the encoder keeps.
    public enum Quality: Codable, Hashable, Sendable, ExpressibleByIntegerLiteral {
        /// 1…100.
        case fixed(Int)
        /// The lowest that meets the perceptual target.
        case auto
        /// Everything, where the format can; elsewhere its default.
        case lossless
        /// Everything where the source's format is lossless, else this, 1…100 (spec AEM §6.7).
        case losslessIfSourceIs(else: Int)

        /// A number of 1…100.
        public init(integerLiteral value: Int) { self = .fixed(value) }
    }

    /// A way of writing a format.
    public enum Variant: String, Codable, Hashable, Sendable {
        /// JPEG in several passes, or in one.
        case progressive, baseline
        /// PNG with a palette of at most 256 colours.
        case palette
        /// PNG with alpha, added where it is missing.
        case rgba

        /// The format that it is a way of writing.
        public var format: ImageFormat {
            switch self {
            case .progressive, .baseline: .jpeg
            case .palette, .rgba: .png
            }
        }
    }

    /// Whether the format depends on what the client accepts.
    public var isNegotiated: Bool {
        switch format {
        case .preferWebP, .auto, .smallest: true
        case .source, .fixed, .family, .firstFitting, .fewestBytes: false
        }
    }

    /// The format that a render of `source` comes out in; before negotiation, what a client that says nothing gets.
    public func outputFormat(of source: SourceDescription) -> ImageFormat {
        let family: ImageFormat = source.hasAlpha ? .png : .jpeg
        switch format {
        case .fixed(let format), .preferWebP(let format?): return format
        case .source, .preferWebP(nil):
            return source.format.isShownByBrowsers && source.format.isOutput ? source.format : family
        case .family, .auto, .firstFitting, .smallest, .fewestBytes:
            return source.isAnimated && frames == .all ? .gif : family
        }
    }
}

extension Transform {
    /// The size that a picture of `source` pixels, already upright, comes out with, limits apart.
    public func outputSize(of source: PixelSize) -> PixelSize {
        let frame = rotation.exchangesSides ? source.exchanged : source
        let whole = Cut(rect: PixelRect(frame), measured: Size(frame), whole: Size(frame))
        return Layout(self, cut: (try? cut(of: frame)) ?? whole).size
    }
}
