/// AEM's image delivery grammar (spec AEM §6): what a path's extension and a query mean.
///
/// Unknown parameters are ignored, of equal names the last counts, and what cannot be parsed or is out of range is refused.
public enum AEMDialect {
    /// The two generations of delivery addresses.
    package enum Surface: Sendable {
        /// `/adobe/dynamicmedia/deliver/…`: WebP where `preferwebp` asks for it.
        case webOptimized
        /// `/adobe/assets/…/as/…`: WebP wherever it is accepted, unless `auto-format=false` (spec AEM §9).
        case openAPI
    }

    /// Largest side that is ever delivered, in pixels (spec AEM §6.3).
    static let baseSidePixels = 2048

    /// Reads a query as `--transform` and `warm` have it: `format` stands for a path's extension, without it the source's.
    public static func transform(query: String) throws(RequestError) -> Transform {
        let values = AEMValues(RequestTarget.parameters(query[...]))
        return try transform(values, extension: values["format"], surface: .webOptimized, smartCrops: [:])
    }

    /// Reads a delivery address's query and extension.
    ///
    /// - Parameters:
    ///   - target: the request's target, of which the query is read.
    ///   - extension: what follows the last point of the path.
    ///   - surface: which generation the address belongs to.
    ///   - smartCrops: the regions stored with the asset, by name; an unknown name is ignored.
    package static func transform(
        _ target: RequestTarget,
        extension: String,
        surface: Surface,
        smartCrops: [String: Transform.Crop] = [:]
    ) throws(RequestError) -> Transform {
        let values = AEMValues(target.parameters)
        return try transform(values, extension: `extension`, surface: surface, smartCrops: smartCrops)
    }

    /// What `/adobe/assets/{id}` delivers: JPEG or WebP of quality 65, at most 1024 pixels wide (spec AEM §9).
    package static var convenience: Transform {
        var transform = Transform(
            resize: .inside(width: 1024, height: nil),
            format: .preferWebP(else: .jpeg),
            quality: 65
        )
        transform.base = baseSidePixels
        return transform.normalised
    }

    /// A stored smart crop's region, each number a part of the original's side; nil for one that is negative or empty.
    package static func smartCrop(left: Double, top: Double, width: Double, height: Double) -> Transform.Crop? {
        guard left >= 0, top >= 0, width > 0, height > 0, left.isFinite, top.isFinite, width.isFinite, height.isFinite
        else { return nil }
        return Transform.Crop(
            x: .at(Transform.Length(fraction: left)),
            y: .at(Transform.Length(fraction: top)),
            width: Transform.Length(fraction: width),
            height: Transform.Length(fraction: height),
            outside: .clipped
        )
    }

    /// What a rendition of the standard set is made by (spec AEM §10); nil for any other name.
    package static func rendition(named name: String) -> Transform? {
        guard let (_, side, format) = renditions.first(where: { $0.name == name }) else { return nil }
        return Transform(resize: .inside(width: side.width, height: side.height), format: .fixed(format)).normalised
    }

    /// The standard set: the numbers are the box, not the size.
    package static let renditions: [(name: String, box: PixelSize, format: ImageFormat)] = [
        ("cq5dam.thumbnail.48.48.png", PixelSize(width: 48, height: 48), .png),
        ("cq5dam.thumbnail.140.100.png", PixelSize(width: 140, height: 100), .png),
        ("cq5dam.thumbnail.319.319.png", PixelSize(width: 319, height: 319), .png),
        ("cq5dam.web.1280.1280.jpeg", PixelSize(width: 1280, height: 1280), .jpeg),
        ("cq5dam.web.1280.1280.png", PixelSize(width: 1280, height: 1280), .png),
        ("cq5dam.zoom.2048.2048.jpeg", PixelSize(width: 2048, height: 2048), .jpeg),
    ]

    private static func transform(
        _ values: AEMValues,
        extension: String?,
        surface: Surface,
        smartCrops: [String: Transform.Crop]
    ) throws(RequestError) -> Transform {
        var transform = Transform(resize: try values.resize())
        transform.base = baseSidePixels
        transform.rotation = try values.rotation()
        transform.crop = try values.crop()
        if let region = values["smartcrop"].flatMap({ smartCrops[$0] }) { transform.crop = region }
        transform.flip = try values.flip()
        let quality = try values.quality()
        let output = try `extension`.map { name throws(RequestError) in try AEMOutput(name) } ?? AEMOutput.source
        let negotiates =
            switch surface {
            case .webOptimized: values["preferwebp"] == "true"
            case .openAPI: values["auto-format"] != "false"
            }
        output.apply(quality, to: &transform, prefersWebP: negotiates)
        return transform.normalised
    }
}

/// What an extension of a delivery path means (spec AEM §6.7).
private struct AEMOutput {
    var format: ImageFormat?
    var variant: Transform.Variant?
    /// How a WebP path says that it is lossless or not.
    var webp: WebP?

    enum WebP { case asSource, lossless, lossy }

    static let source = AEMOutput(format: nil)

    private init(format: ImageFormat?) { self.format = format }

    init(_ name: String) throws(RequestError) {
        switch name.lowercased() {
        case "jpg", "jpeg": format = .jpeg
        case "pjpg": (format, variant) = (.jpeg, .progressive)
        case "bjpg": (format, variant) = (.jpeg, .baseline)
        case "png": format = .png
        case "png8": (format, variant) = (.png, .palette)
        case "gif": format = .gif
        case "webp": (format, webp) = (.webp, .asSource)
        case "webpll": (format, webp) = (.webp, .lossless)
        case "webply": (format, webp) = (.webp, .lossy)
        default:
            throw .badValue(
                parameter: "format",
                value: name,
                expected: "one of gif, png, png8, jpg, pjpg, bjpg, webp, webpll, webply"
            )
        }
    }

    func apply(_ quality: Int, to transform: inout Transform, prefersWebP: Bool) {
        transform.variant = variant
        transform.quality = .fixed(quality)
        switch webp {
        case nil: transform.format = prefersWebP ? .preferWebP(else: format) : format.map { .fixed($0) } ?? .source
        case .lossy?: transform.format = .fixed(.webp)
        case .lossless?: (transform.format, transform.quality) = (.fixed(.webp), .lossless)
        case .asSource?: (transform.format, transform.quality) = (.fixed(.webp), .losslessIfSourceIs(else: quality))
        }
    }
}
