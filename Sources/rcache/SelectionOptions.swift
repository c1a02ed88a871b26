import RenditionCache

/// The form of a picture that `get` is asked for, put together from its options.
struct SelectionOptions: Equatable {
    /// What to ask the service for.
    var selection: RenditionRequest.Selection
    /// The format that a native has to have, or else be converted to.
    var nativeFormat: ImageFormat?

    /// What the options say.
    struct Words: Equatable {
        /// `--rendition`, or what a URL names.
        var rendition = "native"
        /// `--transform`.
        var transform: String?
        /// `--width`, `--height`, `--format` and `--quality`.
        var parameters: [(name: String, value: String)] = []
        /// `-o`.
        var output: String?

        static func == (left: Words, right: Words) -> Bool {
            left.rendition == right.rendition && left.transform == right.transform && left.output == right.output
                && left.parameters.elementsEqual(right.parameters, by: ==)
        }
    }

    /// Puts them together; what contradicts itself is refused.
    ///
    /// - Parameter dialect: the language of `--transform` and of a form with a `=`; the other options are rcache's own.
    init(_ words: Words, presets: [String: Transform], dialect: TransformDialect = .own) throws(Failure) {
        var base: RenditionRequest.Selection
        var overlay: Transform
        do throws(RequestError) {
            base = try WarmSelection.selection(words.rendition, presets: presets, dialect: dialect, ignoringCase: true)
            overlay = try Self.overlay(words, dialect)
        } catch {
            throw .usage("\(error)")
        }
        let isPreset = presets[words.rendition] != nil
        if let format = words.output.flatMap(Self.format(ofFile:)) {
            let asked = Self.format(of: overlay) ?? (isPreset ? nil : Self.format(of: base))
            if let asked, asked != format {
                throw .usage(
                    "\(quoted(words.output ?? "")) asks for \(format.rawValue), and the options for \(asked.rawValue)"
                )
            }
            overlay.format = .fixed(format)
        }
        if let suffix = words.output.flatMap(Self.unknownSuffix), Self.format(of: overlay) == nil,
            base != .native || overlay != Transform(), isPreset ? false : Self.format(of: base) == nil
        {
            throw .usage("rcache does not write \(suffix); it writes \(Self.written), and --format says which")
        }
        if case .transform(let transform) = base { base = .transform(Self.merged(transform, overlay)) }
        (selection, nativeFormat) = try Self.combined(base, overlay, name: words.rendition)
        if case .transform(let transform) = selection {
            selection = .transform(transform.normalised.negotiated(AcceptedTypes(Self.accepted)))
        }
        switch selection {
        case .transform(let transform): if let format = Self.format(of: transform) { try Self.check(format) }
        case .named(let name, let format?) where WarmSelection.commonSpelling(name) != nil: try Self.check(format)
        default: break
        }
    }

    /// Refuses a format that rcache cannot write.
    static func check(_ format: ImageFormat) throws(Failure) {
        guard !format.isOutput else { return }
        throw .usage("rcache does not write \(format.rawValue); it writes \(written)")
    }

    private static var written: String { ImageFormat.outputs.map(\.rawValue).joined(separator: ", ") }

    // MARK: - Parts

    /// What whoever writes to a file can take: where a transform leaves the choice, it is the better format.
    private static let accepted = "image/avif, image/webp"

    /// In rcache's own dialect the options are one query, so that it finds what is given twice.
    private static func overlay(_ words: Words, _ dialect: TransformDialect) throws(RequestError) -> Transform {
        guard dialect != .own, let transform = words.transform else {
            return try OwnDialect.overlay(query: query(words, with: words.transform))
        }
        let own = try OwnDialect.overlay(query: query(words, with: nil))
        return try dialect.transform(written: transform).overlaid(by: own)
    }

    private static func query(_ words: Words, with transform: String?) -> String {
        var pieces = transform.map { [$0] } ?? []
        for (name, value) in words.parameters {
            pieces.append("\(name)=\(value.replacing("%", with: "%25").replacing("&", with: "%26"))")
        }
        return pieces.joined(separator: "&")
    }

    private static func merged(_ base: Transform, _ overlay: Transform) -> Transform { base.overlaid(by: overlay) }

    private static func combined(
        _ base: RenditionRequest.Selection,
        _ overlay: Transform,
        name: String
    ) throws(Failure) -> (RenditionRequest.Selection, ImageFormat?) {
        let onlyFormat = overlay == Transform(format: overlay.format)
        switch base {
        case .transform: return (base, nil)
        case .native: return onlyFormat ? (.native, format(of: overlay)) : (.transform(overlay), nil)
        case .named(let rendition, let own):
            let format = format(of: overlay) ?? own
            if onlyFormat { return (.named(rendition, format: format), nil) }
            guard let width = WarmSelection.commonWidths.first(where: { $0.key == rendition })?.value else {
                throw .usage(
                    "rendition \(quoted(name)) is the CMS's own; a size or quality goes with native, a preset or Medium"
                )
            }
            var transform = overlay
            if let format { transform.format = .fixed(format) }
            transform.resize = bounded(overlay.resize, width: width)
            return (.transform(transform), nil)
        }
    }

    /// A size within a rendition that is `width` pixels wide.
    private static func bounded(_ resize: Transform.Resize, width: Int) -> Transform.Resize {
        guard resize != .none, resize.mode != .automatic else { return .automatic(width: width) }
        var resize = resize
        if let asked = resize.width?.fixed {
            resize.width = .pixels(Int(min(asked, Double(width))))
        } else if resize.width == nil {
            resize.width = .pixels(width)
        }
        return resize
    }

    private static func format(of transform: Transform) -> ImageFormat? {
        if case .fixed(let format) = transform.format { format } else { nil }
    }

    private static func format(of selection: RenditionRequest.Selection) -> ImageFormat? {
        switch selection {
        case .native: nil
        case .named(_, let format): format
        case .transform(let transform): format(of: transform)
        }
    }

    private static func format(ofFile path: String) -> ImageFormat? { suffix(path).flatMap { ImageFormat(name: $0) } }

    /// An extension that is none of a picture's; `x.bmp` is not to hold a JPEG.
    private static func unknownSuffix(_ path: String) -> Substring? {
        suffix(path).flatMap { ImageFormat(name: $0) == nil ? $0 : nil }
    }

    /// What follows the last point of the file's name; nil for none and for a hidden file without one.
    private static func suffix(_ path: String) -> Substring? {
        guard let name = path.split(separator: "/").last, let point = name.dropFirst().lastIndex(of: ".") else {
            return nil
        }
        return name[name.index(after: point)...]
    }
}
