/// A request target as it stood in the request line, cut at `?`, `/` and `&` before anything is decoded.
///
/// Raw spaces and quotes are accepted, because callers of OCM send them.
package struct RequestTarget: Sendable {
    /// The path's segments, still encoded; the empty one before the first `/` is left out.
    package let segments: [Substring]
    /// What stands behind the `?`, still encoded; nil without one.
    package let query: Substring?

    /// Cuts a raw target.
    ///
    /// - Throws: `malformed` for anything but the origin form (RFC 9112 §3.2.1), a fragment, a control character, or bytes
    ///   that are not UTF-8.
    package init(_ raw: some Collection<UInt8>) throws(RequestError) {
        guard raw.first == UInt8(ascii: "/") else { throw .malformed("the target does not begin with a slash") }
        guard !raw.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw .malformed("the target has a control character")
        }
        guard !raw.contains(UInt8(ascii: "#")) else { throw .malformed("the target has a fragment") }
        guard let text = String(validating: raw, as: UTF8.self) else { throw .malformed("the target is not UTF-8") }
        let mark = text.utf8.firstIndex(of: UInt8(ascii: "?"))
        query = mark.map { text[text.utf8.index(after: $0)...] }
        let path = text[..<(mark ?? text.endIndex)]
        segments = path.utf8.dropFirst()
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Substring($0) }
    }

    /// The query's parameters in order, decoded leniently as a CMS does: `+` is a space, a broken escape stays as it is.
    ///
    /// Only `&` separates: `;` belongs to values (spec OCM §2.4).
    package var parameters: [(name: String, value: String)] { Self.parameters(query ?? "") }

    /// The parameters of a query, still encoded, as `parameters` reads them.
    package static func parameters(_ query: Substring) -> [(name: String, value: String)] {
        query.utf8.split(separator: UInt8(ascii: "&")).map { pair in
            let halves = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return (
                decodedForm(Substring(halves[0])), halves.count > 1 ? decodedForm(Substring(halves[1])) : ""
            )
        }
    }

    /// The query, still encoded, without the parameters of that name; empty if nothing is left.
    package func query(without name: String) -> String {
        let kept = (query ?? "").split(separator: "&", omittingEmptySubsequences: false).filter { pair in
            pair.prefix { $0 != "=" } != name
        }
        return kept.joined(separator: "&")
    }

    /// What a segment may name: decoded once, then decoded twice if that succeeds and changes it (spec OCM §2.6).
    ///
    /// Empty for what names nothing: a broken escape, nothing at all, `.` and `..`.
    package static func candidates(_ segment: Substring) -> [String] {
        guard let once = decoded(segment) else { return [] }
        guard let twice = decoded(once[...]), twice != once else { return nameable(once) }
        return nameable(once) + nameable(twice)
    }

    /// The segment decoded once (RFC 3986 §2.1); nil for a broken escape or bytes that are not UTF-8.
    package static func decoded(_ segment: Substring) -> String? {
        segment.utf8.contains(UInt8(ascii: "%")) ? percentDecoded(segment.utf8) : String(segment)
    }

    private static func nameable(_ name: String) -> [String] {
        // A NUL would cut the name short in every C call below.
        name.isEmpty || name == "." || name == ".." || name.utf8.contains(0) ? [] : [name]
    }

    private static func decodedForm(_ text: Substring) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
            return String(text)
        }
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = hexValue(rest.first), let low = hexValue(rest.dropFirst().first) {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
