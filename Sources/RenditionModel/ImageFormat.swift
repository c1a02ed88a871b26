/// A picture format that rcache recognises by content.
public enum ImageFormat: String, CaseIterable, Codable, Hashable, Sendable {
    case jpeg, png, webp, gif, avif, heic, jxl, tiff, svg

    /// The media type, as registered with IANA.
    public var mediaType: String {
        switch self {
        case .svg: "image/svg+xml"
        default: "image/\(rawValue)"
        }
    }

    /// The usual file name extension, without the dot.
    public var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        default: rawValue
        }
    }

    /// The format that a name in a URL, a file extension or an option means; case does not matter.
    public init?(name: some StringProtocol) {
        switch name.lowercased() {
        case "jpg", "jpeg", "jpe", "jfif": self = .jpeg
        case "tif", "tiff": self = .tiff
        case "heic", "heif": self = .heic
        case let other:
            guard let format = ImageFormat(rawValue: other) else { return nil }
            self = format
        }
    }

    /// The formats that a render can be asked to write.
    public static let outputs: [ImageFormat] = [.jpeg, .png, .webp, .avif, .jxl, .gif]

    /// Whether a render can write this format.
    public var isOutput: Bool { Self.outputs.contains(self) }

    /// The encoder's quality unless another is asked for, of 1…100; nil where there is no such choice.
    public var defaultQuality: Int? {
        switch self {
        case .jpeg, .webp, .jxl: 80
        case .avif: 55
        case .png, .gif, .heic, .tiff, .svg: nil
        }
    }

    /// Whether every current browser shows it, so that a rendition may keep its source's format.
    public var isShownByBrowsers: Bool {
        switch self {
        case .jpeg, .png, .webp, .gif, .avif: true
        case .heic, .jxl, .tiff, .svg: false
        }
    }

    /// Whether a file of this format has every pixel of what it was made from, unless its header says otherwise.
    var isUsuallyLossless: Bool {
        switch self {
        case .png, .gif, .tiff, .svg: true
        case .jpeg, .webp, .avif, .heic, .jxl: false
        }
    }
}
