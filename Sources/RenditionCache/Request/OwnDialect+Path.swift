extension OwnDialect {
    /// Reads `/v1/{channel}/{id…}/{rendition}`; nil for a path that names nothing.
    ///
    /// The last segment is the rendition: `native`, `thumbnail`, a preset, any rendition name, or `image` with a transform
    /// in the query, each also with `.{format}`; all between is the id. Names are decoded once. A `channelToken` in the
    /// query says who asks, not what.
    ///
    /// - Throws: `RequestError` for a parameter that is unknown, repeated, out of range or in contradiction to the path.
    package static func request(
        _ target: RequestTarget,
        presets: [String: Transform]
    ) throws(RequestError) -> RenditionRequest? {
        guard target.segments.first == "v1", target.segments.count >= 4 else { return nil }
        let names = target.segments.dropFirst().map { RequestTarget.candidates($0).first }
        // A slash inside a segment must not read like two segments.
        guard let channel = names[0], let form = names.last ?? nil,
            !names.contains(where: { $0?.contains("/") ?? true })
        else { return nil }
        return RenditionRequest(
            channel: channel,
            asset: .id(names[1..<(names.count - 1)].compactMap { $0 }.joined(separator: "/")),
            selection: try selection(form, query: target.query(without: "channelToken"), presets: presets)
        )
    }

    private static func selection(
        _ form: String,
        query: String,
        presets: [String: Transform]
    ) throws(RequestError) -> RenditionRequest.Selection {
        let (name, format) = presets[form] == nil ? try cut(form) : (form, nil)
        if name == "image" { return .transform(try withFormat(format, try transform(query: query))) }
        guard query.isEmpty else {
            throw .malformed("\(quoted(name)) takes no parameters; \"image\" does, as in image?width=640")
        }
        if var preset = presets[name] {
            // The preset's own format is what it makes without a suffix.
            if let format { preset.format = .fixed(format) }
            return .transform(preset)
        }
        switch (name, format) {
        case ("native", nil): return .native
        case ("native", let format?): return .transform(Transform(format: .fixed(format)))
        case ("thumbnail", _): return .named("Thumbnail", format: format)
        default: return .named(name, format: format)
        }
    }

    /// Cuts `.{format}` off; a suffix that is no format's name belongs to the rendition's name.
    private static func cut(_ form: String) throws(RequestError) -> (name: String, format: ImageFormat?) {
        guard let dot = form.lastIndex(of: "."), dot != form.startIndex,
            let format = ImageFormat(name: form[form.index(after: dot)...])
        else { return (form, nil) }
        guard format.isOutput else {
            throw .badValue(
                parameter: "format",
                value: String(form[form.index(after: dot)...]),
                expected: "one of \(ImageFormat.outputs.map(\.rawValue).joined(separator: ", "))"
            )
        }
        return (String(form[..<dot]), format)
    }

    private static func withFormat(_ format: ImageFormat?, _ transform: Transform) throws(RequestError) -> Transform {
        guard let format else { return transform }
        var transform = transform
        if case .fixed(let other) = transform.format, other != format {
            throw .malformed("the path asks for \(format.rawValue), the parameters for \(other.rawValue)")
        }
        transform.format = .fixed(format)
        return transform
    }
}
