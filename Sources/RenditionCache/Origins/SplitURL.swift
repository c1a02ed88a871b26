/// An absolute URL cut into what names a picture and what asks for a form of it; pure.
struct SplitURL: Hashable, Sendable {
    /// The URL without its query and fragment.
    let url: WebURL
    /// The path, byte for byte but for spaces and letters beyond ASCII, which are encoded; begins with a slash.
    let path: Substring
    /// What stands behind the `?`, undecoded; nil without one, or an empty one.
    let query: String?

    /// Cuts a text; nil unless it is an http or https URL without user and password.
    init?(_ text: String) {
        guard let whole = WebURL(text) else { return nil }
        let bare = whole.text.prefix { $0 != "?" }
        guard let url = WebURL(String(bare)), let separator = bare.firstRange(of: "://") else { return nil }
        self.url = url
        path = bare[separator.upperBound...].drop { $0 != "/" }
        let query = whole.text.dropFirst(bare.count + 1)
        self.query = query.isEmpty ? nil : String(query)
    }

    /// The path's parts decoded for use in an identifier; nil if one cannot be told apart from others once it is decoded.
    var names: [String]? { Self.names(path.dropFirst()) }

    /// The same for a path without its first slash.
    static func names(_ path: Substring) -> [String]? {
        var names: [String] = []
        for part in path.split(separator: "/", omittingEmptySubsequences: false) {
            guard let name = name(part) else { return nil }
            names.append(name)
        }
        return names
    }

    /// What a part of a path stands for (RFC 3986 §2.1); a `%` without two hexadecimal digits is one.
    ///
    /// Nil for bytes that are not UTF-8, for `.` and `..`, and where a slash, a question mark or NUL is encoded.
    static func name(_ part: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = part.utf8
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = hexValue(rest.first), let low = hexValue(rest.dropFirst().first) {
                let decoded = high << 4 | low
                guard ![0, UInt8(ascii: "/"), UInt8(ascii: "?")].contains(decoded) else { return nil }
                bytes.append(decoded)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        guard let name = String(validating: bytes, as: UTF8.self), name != ".", name != ".." else { return nil }
        return name
    }
}
