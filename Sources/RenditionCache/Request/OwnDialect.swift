/// rcache's own transform grammar: `width=640&height=480&format=webp&quality=75`, strict.
///
/// Used by `/v1/…` queries, presets, and `--transform` on every channel without a dialect of its own. It reads AEM's delivery
/// parameters with AEM's meaning, except that a crop is clipped and an empty one is an error.
public enum OwnDialect {
    /// Every parameter, in canonical order.
    enum Parameter: String, CaseIterable {
        case width, height, size, fit, enlarge, crop, gravity, focus, rotate, flip, trim, dpr, background, blur,
            sharpen, preferwebp, format, quality, animated, metadata, profile
    }

    /// Longest side that can be asked for, in pixels.
    static let maxSidePixels = 8192

    /// Reads a raw query, percent-encoded or plain; an empty one is the source in its own size and format.
    ///
    /// - Parameter query: what stands behind the `?`, without it.
    /// - Throws: `RequestError` for an unknown name, a value outside its range, a repeated name, or a bad escape.
    public static func transform(query: String) throws(RequestError) -> Transform {
        try overlay(query: query).normalised
    }

    /// Reads a query as something to lay over a preset: what has no effect on its own stays.
    public static func overlay(query: String) throws(RequestError) -> Transform {
        guard !query.isEmpty else { return Transform() }
        var values: [(String, String)] = []
        for piece in query.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
            guard let equals = piece.firstIndex(of: UInt8(ascii: "=")) else {
                throw .malformed("\(quoted(String(decoding: piece, as: UTF8.self))) is not of the form name=value")
            }
            values.append((try decoded(piece[..<equals]), try decoded(piece[piece.index(after: equals)...])))
        }
        return try transform(values, mayListAVIF: false)
    }

    /// Reads parameters that are decoded already, as in a preset.
    ///
    /// `auto` and `smallest` consider AVIF where a preset lists it: `avif,auto`.
    static func transform(parameters: [(name: String, value: String)]) throws(RequestError) -> Transform {
        try transform(parameters, mayListAVIF: true).normalised
    }

    private static func transform(
        _ parameters: [(name: String, value: String)],
        mayListAVIF: Bool
    ) throws(RequestError) -> Transform {
        var seen: [Parameter: String] = [:]
        for (name, value) in parameters {
            guard let parameter = Parameter(rawValue: name) else {
                let known = Parameter.allCases.map(\.rawValue)
                throw .unknownParameter(name, nearest: nearest(to: name, among: known))
            }
            guard seen.updateValue(value, forKey: parameter) == nil else { throw .repeated(name) }
        }
        return try OwnValues(seen, mayListAVIF: mayListAVIF).transform()
    }

    private static func decoded(_ raw: Substring.UTF8View) throws(RequestError) -> String {
        guard let text = percentDecoded(raw) else {
            let shown = quoted(String(decoding: raw, as: UTF8.self))
            throw .malformed("\(shown) has a % without two hexadecimal digits, or is not UTF-8")
        }
        return text
    }
}
