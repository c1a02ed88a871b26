/// How a form of a picture is written in `warm` lists, `--rendition` and `/v1/` paths.
public enum WarmSelection {
    /// The renditions that every channel has besides `native`, and how many pixels wide they are at most.
    package static let commonWidths: KeyValuePairs = ["Thumbnail": 150, "Small": 300, "Medium": 1024, "Large": 2048]

    /// Stands in a `warm` list for what content itself asks for: the parameters of the CMS's own picture URLs.
    public static let requested = "requested"

    /// How wide a rendition that every channel has is at most; `thumbnail` is OCM's other name of `Thumbnail` (spec OCM §8.3).
    static func commonWidth(_ name: String) -> Int? {
        commonWidths.first { $0.key == (name == "thumbnail" ? "Thumbnail" : name) }?.value
    }

    /// Whether a name means the same on every channel, in whatever case it is written.
    static func isCommonName(_ name: String) -> Bool { commonSpelling(name) != nil }

    /// The spelling of a common name that `name` is but for its case.
    package static func commonSpelling(_ name: String) -> String? {
        (commonWidths.map(\.key) + ["native"]).first { $0.lowercased() == name.lowercased() }
    }

    /// What a text asks for: a transform if it has a `=`, else the preset of that name, else the rendition of that name.
    ///
    /// A format may follow a name after a point, as in `Medium.webp`; on `native` it means the picture in its own size,
    /// converted.
    ///
    /// - Parameters:
    ///   - text: what was written.
    ///   - presets: the configuration's.
    ///   - dialect: the language of a transform.
    ///   - ignoringCase: whether `medium` is `Medium`, as on the command line.
    /// - Throws: what is wrong with a transform, or a format that a preset cannot have.
    public static func selection(
        _ text: String,
        presets: [String: Transform],
        dialect: TransformDialect = .own,
        ignoringCase: Bool = false
    ) throws(RequestError) -> RenditionRequest.Selection {
        if text.utf8.contains(UInt8(ascii: "=")) { return .transform(try dialect.transform(query: text)) }
        var name = text
        var format: ImageFormat?
        if let point = text.lastIndex(of: "."), let suffix = ImageFormat(name: text[text.index(after: point)...]) {
            (name, format) = (String(text[..<point]), suffix)
        }
        guard !name.isEmpty else { throw .malformed("a rendition has no name") }
        if ignoringCase { name = commonSpelling(name) ?? name }
        if var preset = presets[name] {
            if let format { preset.format = .fixed(try output(format, of: name)) }
            return .transform(preset)
        }
        guard name == "native" else { return .named(name, format: format) }
        guard let format else { return .native }
        return .transform(Transform(format: .fixed(try output(format, of: name))))
    }

    /// Every form that clients can be given for a selection: where the format is negotiated, each that it can become.
    public static func concrete(_ selection: RenditionRequest.Selection) -> [RenditionRequest.Selection] {
        guard case .transform(let transform) = selection, transform.isNegotiated else { return [selection] }
        return transform.concreteForms.map { .transform($0) }
    }

    private static func output(_ format: ImageFormat, of name: String) throws(RequestError) -> ImageFormat {
        guard !format.isOutput else { return format }
        let known = ImageFormat.outputs.map(\.rawValue).joined(separator: ", ")
        throw .badValue(parameter: name, value: format.rawValue, expected: "one of the formats \(known)")
    }
}

extension Configuration {
    /// What `warm` makes of a channel's assets unless told otherwise, besides what content asks for.
    ///
    /// - Throws: nothing for a configuration that is valid.
    public func warmSelections(of channel: ChannelSettings) throws(RequestError) -> [RenditionRequest.Selection] {
        var selections: [RenditionRequest.Selection] = []
        for text in channel.warm where text != WarmSelection.requested {
            let selection = try WarmSelection.selection(text, presets: presets, dialect: channel.dialect)
            selections += WarmSelection.concrete(selection)
        }
        return selections
    }
}

extension ChannelSettings {
    /// The language of the channel's transforms.
    public var dialect: TransformDialect {
        switch kind {
        case .folder, .ocm, .http: .own
        case .aem: .aem
        case .microcms: .microcms
        }
    }
}
