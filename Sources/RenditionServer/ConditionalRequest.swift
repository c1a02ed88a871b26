import RenditionCache

/// A request's conditions on its answer, and what they decide (RFC 9110 §13).
struct ConditionalRequest: Equatable, Sendable {
    /// `If-None-Match`, several fields joined by commas.
    var ifNoneMatch: String?
    /// `If-Modified-Since`.
    var ifModifiedSince: String?

    /// What becomes of the request.
    enum Verdict: Equatable, Sendable {
        /// Send the picture.
        case proceed
        /// The client has it already: 304.
        case notModified
    }

    /// Holds the conditions against a picture; without a tag and a time there is nothing to hold them against.
    ///
    /// An `If-None-Match` with nothing in it is no condition: Oracle's SDK sends it so on a first request (spec OCM §10.2).
    func verdict(entityTag: String?, modifiedSeconds: Double?) -> Verdict {
        if let list = ifNoneMatch?.trimmed, !list.isEmpty {
            guard let entityTag else { return .proceed }
            return list == "*" || Self.list(list, names: entityTag) ? .notModified : .proceed
        }
        guard let since = ifModifiedSince.flatMap({ HTTPDate.parse($0.trimmed) }), let modifiedSeconds else {
            return .proceed
        }
        // The field has whole seconds; a fraction would make the picture younger than its own Last-Modified.
        return modifiedSeconds.rounded(.down) <= since ? .notModified : .proceed
    }

    /// Whether a list of entity tags has this one, compared weakly (RFC 9110 §8.8.3.2); reading stops at junk.
    private static func list(_ list: Substring, names entityTag: String) -> Bool {
        let wanted = opaque(entityTag[...])
        var rest = list
        while true {
            rest = rest.drop { $0 == "," || $0 == " " || $0 == "\t" }
            if rest.hasPrefix("W/") { rest = rest.dropFirst(2) }
            guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else { return false }
            if rest[...end] == wanted { return true }
            rest = rest[rest.index(after: end)...].drop { $0 == " " || $0 == "\t" }
            guard rest.isEmpty || rest.first == "," else { return false }
        }
    }

    private static func opaque(_ entityTag: Substring) -> Substring {
        entityTag.hasPrefix("W/") ? entityTag.dropFirst(2) : entityTag
    }
}

extension StringProtocol {
    /// Without the white space that may surround a field's value.
    var trimmed: SubSequence {
        let text = drop { $0 == " " || $0 == "\t" }
        guard let last = text.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return text }
        return text[...last]
    }
}
