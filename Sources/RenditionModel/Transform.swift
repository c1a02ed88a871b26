/// What to do to a source, as a value: how large, which format, how good.
///
/// Two transforms that mean the same have the same `canonicalText`, whatever dialect wrote them.
public struct Transform: Codable, Hashable, Sendable {
    /// How the picture's size comes about.
    ///
    /// Sides are in pixels of the upright picture; none is ever enlarged.
    public enum Resize: Codable, Hashable, Sendable {
        /// The source's own size.
        case none
        /// The largest size that fits the box, a missing side being free; sides round to nearest, at least 1.
        case inside(width: Int?, height: Int?)
        /// A CMS's automatic rendition: this wide, the height rounded down, at least 1 (spec OCM §10.5).
        case automatic(width: Int)
    }

    /// Which format comes out.
    public enum Format: Codable, Hashable, Sendable {
        /// The source's if a browser can show it and we can write it, else JPEG, or PNG where there is alpha.
        case source
        case fixed(ImageFormat)
    }

    /// The size.
    public var resize: Resize
    /// The output format.
    public var format: Format
    /// The encoder's quality, 1…100; nil is the format's default (JPEG 80, WebP 80, AVIF 55).
    ///
    /// PNG has none.
    public var quality: Int?

    /// A transform; without arguments, the source in its own size and format.
    public init(resize: Resize = .none, format: Format = .source, quality: Int? = nil) {
        self.resize = resize
        self.format = format
        self.quality = quality
    }

    /// Part of the cache key: parameters in a fixed order, defaults and what has no effect left out.
    public var canonicalText: String {
        var parts: [String] = []
        switch resize {
        case .none: break
        case .inside(let width, let height):
            if let width { parts.append("width=\(width)") }
            if let height { parts.append("height=\(height)") }
        case .automatic(let width): parts.append("automatic=\(width)")
        }
        var quality = quality
        if case .fixed(let format) = format {
            parts.append("format=\(format.rawValue)")
            if format.defaultQuality == nil || quality == format.defaultQuality { quality = nil }
        }
        if let quality { parts.append("quality=\(quality)") }
        return parts.joined(separator: "&")
    }

    /// The format that a render of `source` comes out in.
    public func outputFormat(of source: SourceDescription) -> ImageFormat {
        switch format {
        case .fixed(let format): format
        case .source where source.format.isShownByBrowsers && source.format.isOutput: source.format
        case .source: source.hasAlpha ? .png : .jpeg
        }
    }

    /// The size that a picture of `source` pixels, already upright, comes out with.
    public func outputSize(of source: PixelSize) -> PixelSize {
        switch resize {
        case .none: return source
        case .inside(let width, let height):
            let byWidth = width.map { Double($0) / Double(source.width) } ?? 1
            let byHeight = height.map { Double($0) / Double(source.height) } ?? 1
            let factor = min(byWidth, byHeight, 1)
            return PixelSize(
                width: max(1, Int((Double(source.width) * factor).rounded())),
                height: max(1, Int((Double(source.height) * factor).rounded()))
            )
        case .automatic(let width):
            guard width < source.width else { return source }
            return PixelSize(width: width, height: max(1, source.height * width / source.width))
        }
    }
}

/// A width and a height in pixels.
public struct PixelSize: Codable, Hashable, Sendable, CustomStringConvertible {
    /// Pixels from left to right.
    public var width: Int
    /// Pixels from top to bottom.
    public var height: Int

    /// A size of `width` × `height` pixels.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// `1024×768`.
    public var description: String { "\(width)×\(height)" }
}
