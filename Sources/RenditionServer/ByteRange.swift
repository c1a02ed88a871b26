import RenditionCache

/// Which bytes of a body a request wants (RFC 9110 §14).
enum ByteRange {
    /// What becomes of the request.
    enum Verdict: Equatable, Sendable {
        /// All of it, with 200.
        case whole
        /// That part, with 206.
        case part(Range<Int>)
        /// There is no such part: 416.
        case unsatisfiable
    }

    /// Holds a `Range` field against a body of `count` bytes.
    ///
    /// Several ranges, another unit and what cannot be read are answered with the whole, as RFC 9110 §14.2 allows.
    ///
    /// - Parameter ifRange: a strong entity tag or a time that the picture must still have, else the whole is sent.
    static func verdict(
        _ field: String,
        ifRange: String?,
        count: Int,
        entityTag: String?,
        modifiedSeconds: Double?
    ) -> Verdict {
        if let ifRange, !holds(ifRange.trimmed, entityTag: entityTag, modifiedSeconds: modifiedSeconds) {
            return .whole
        }
        let text = field.trimmed
        guard text.prefix(6).lowercased() == "bytes=" else { return .whole }
        let spec = text.dropFirst(6).trimmed
        guard !spec.contains(","), let dash = spec.firstIndex(of: "-") else { return .whole }
        let (first, last) = (spec[..<dash].trimmed, spec[spec.index(after: dash)...].trimmed)
        guard first.isDigits, last.isDigits, !(first.isEmpty && last.isEmpty) else { return .whole }
        // A number too large for `Int` is beyond every body.
        let lastByte = last.isEmpty ? Int.max : Int(last) ?? .max
        guard !first.isEmpty else {
            return lastByte == 0 || count == 0 ? .unsatisfiable : .part(max(0, count - lastByte)..<count)
        }
        let firstByte = Int(first) ?? .max
        guard firstByte <= lastByte else { return .whole }
        return firstByte >= count ? .unsatisfiable : .part(firstByte..<min(count - 1, lastByte) + 1)
    }

    /// Compares strongly (RFC 9110 §13.1.5): a weak tag never holds, a time only if it is exactly Last-Modified.
    private static func holds(_ ifRange: Substring, entityTag: String?, modifiedSeconds: Double?) -> Bool {
        if ifRange.hasPrefix("\"") { return ifRange == entityTag?[...] }
        guard let time = HTTPDate.parse(ifRange), let modifiedSeconds else { return false }
        return time == modifiedSeconds.rounded(.down)
    }
}

extension Substring {
    fileprivate var isDigits: Bool { utf8.allSatisfy { (0x30...0x39).contains($0) } }
}
