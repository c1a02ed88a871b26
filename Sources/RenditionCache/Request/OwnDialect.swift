/// rcache's own transform grammar: `width=640&height=480&format=webp&quality=75`, strict.
///
/// Used by `/v1/…` queries, presets, and `--transform` on every channel without a dialect of its own.
public enum OwnDialect {
    /// Every parameter, in canonical order.
    enum Parameter: String, CaseIterable {
        case width, height, format, quality
    }

    /// Longest side that can be asked for, in pixels.
    static let maxSidePixels = 8192

    /// Reads a raw query, percent-encoded or plain; an empty one is the source in its own size and format.
    ///
    /// - Parameter query: what stands behind the `?`, without it.
    /// - Throws: `RequestError` for an unknown name, a value outside its range, a repeated name, or a bad escape.
    public static func transform(query: String) throws(RequestError) -> Transform {
        guard !query.isEmpty else { return Transform() }
        var values: [(String, String)] = []
        for piece in query.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
            guard let equals = piece.firstIndex(of: UInt8(ascii: "=")) else {
                throw .malformed("\(quoted(String(decoding: piece, as: UTF8.self))) is not of the form name=value")
            }
            values.append((try decoded(piece[..<equals]), try decoded(piece[piece.index(after: equals)...])))
        }
        return try transform(parameters: values)
    }

    /// Reads parameters that are decoded already, as in a preset.
    static func transform(parameters: [(name: String, value: String)]) throws(RequestError) -> Transform {
        var seen: [Parameter: String] = [:]
        for (name, value) in parameters {
            guard let parameter = Parameter(rawValue: name) else {
                let known = Parameter.allCases.map(\.rawValue)
                throw .unknownParameter(name, nearest: nearest(to: name, among: known))
            }
            guard seen.updateValue(value, forKey: parameter) == nil else { throw .repeated(name) }
        }
        var transform = Transform()
        let width = try number(seen[.width], of: .width, upTo: maxSidePixels)
        let height = try number(seen[.height], of: .height, upTo: maxSidePixels)
        if width != nil || height != nil { transform.resize = .inside(width: width, height: height) }
        if let name = seen[.format] { transform.format = try format(name) }
        transform.quality = try number(seen[.quality], of: .quality, upTo: 100).map(Transform.Quality.fixed)
        return transform
    }

    private static func number(_ value: String?, of parameter: Parameter, upTo limit: Int) throws(RequestError) -> Int?
    {
        guard let value else { return nil }
        // `Int` alone would also take a sign.
        guard value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(value), (1...limit) ~= number
        else {
            let unit = parameter == .quality ? "" : " px"
            throw .badValue(parameter: parameter.rawValue, value: value, expected: "1…\(limit)\(unit)")
        }
        return number
    }

    private static func format(_ name: String) throws(RequestError) -> Transform.Format {
        if name == "source" { return .source }
        guard let format = ImageFormat(name: name), format.isOutput else {
            let known = ImageFormat.outputs.map(\.rawValue) + ["source"]
            throw .badValue(parameter: "format", value: name, expected: "one of \(known.joined(separator: ", "))")
        }
        return .fixed(format)
    }

    private static func decoded(_ raw: Substring.UTF8View) throws(RequestError) -> String {
        guard let text = percentDecoded(raw) else {
            let shown = quoted(String(decoding: raw, as: UTF8.self))
            throw .malformed("\(shown) has a % without two hexadecimal digits, or is not UTF-8")
        }
        return text
    }
}
