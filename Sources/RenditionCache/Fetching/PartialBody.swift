/// The beginning of a good body whose transfer broke, and how to ask for the rest (RFC 9110 §13.1.5 and §14); pure.
struct PartialBody: Sendable {
    /// What a response to the wish for the rest is.
    enum Verdict: Equatable, Sendable {
        /// The rest, of a body of so many bytes in all.
        case rest(total: Int)
        /// The whole, because the server knows no ranges or has another version.
        case whole
        /// Nothing that fits: the body has to be asked for from its first byte.
        case mismatch
        /// An answer of another kind.
        case other
    }

    /// Where it came from; the rest is asked for nowhere else.
    let url: WebURL
    /// The header fields of the response that began it.
    let fields: [HeaderField]
    /// What has gone to the sink so far.
    let byteCount: Int
    /// How long the whole is, if that was said.
    let total: Int?
    /// For `If-Range`: a strong entity tag, or a date.
    private let validator: String

    /// What is there of a body; nil if its rest cannot be asked for with certainty.
    ///
    /// It has to be a plain 200 that some bytes have come of, not encoded, from a server that does not refuse ranges, with
    /// a strong validator.
    init?(_ head: ResponseHead, from url: WebURL, byteCount: Int) {
        guard head.isComplete, head.status == 200, byteCount > 0, head.isPlain,
            head.fields.value(of: "Accept-Ranges")?.lowercased() != "none",
            let validator = Self.strongValidator(head.fields)
        else { return nil }
        self.url = url
        fields = head.fields
        self.byteCount = byteCount
        total = head.contentLength
        self.validator = validator
    }

    /// The same with more bytes.
    init(_ earlier: PartialBody, byteCount: Int) {
        (url, fields, validator, total) = (earlier.url, earlier.fields, earlier.validator, earlier.total)
        self.byteCount = byteCount
    }

    /// The header fields that ask for the rest.
    var requestFields: [HeaderField] {
        [HeaderField("Range", "bytes=\(byteCount)-"), HeaderField("If-Range", validator)]
    }

    /// Judges the response to that.
    func verdict(_ head: ResponseHead) -> Verdict {
        switch head.status {
        case 206: return rest(head)
        case 416: return .mismatch
        case let status where ResponseHead.isGood(status): return .whole
        default: return .other
        }
    }

    private func rest(_ head: ResponseHead) -> Verdict {
        guard head.isPlain, let range = head.fields.value(of: "Content-Range").flatMap(Self.contentRange),
            range.first == byteCount, range.last == range.total - 1, total.map({ $0 == range.total }) ?? true
        else { return .mismatch }
        return isSameVersion(head.fields) ? .rest(total: range.total) : .mismatch
    }

    /// If-Range has compared versions, but there are servers that ignore it: the rest has to say of itself whose it is.
    ///
    /// The entity tag has to be there again (RFC 9110 §15.3.7), a date need not be.
    private func isSameVersion(_ rest: [HeaderField]) -> Bool {
        if validator.hasPrefix("\"") { return rest.value(of: "ETag") == validator }
        return rest.value(of: "ETag") == nil && rest.value(of: "Last-Modified").map { $0 == validator } ?? true
    }

    /// The numbers of `bytes 5-9/10`; a range whose whole is unknown proves nothing.
    private static func contentRange(_ text: String) -> (first: Int, last: Int, total: Int)? {
        let words = text.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let numbers = words[1].split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "/" }.map { Int($0) }
        guard numbers.count == 3, let first = numbers[0], let last = numbers[1], let total = numbers[2] else {
            return nil
        }
        return (first, last, total)
    }

    /// A strong tag; without any tag, a date that is strong because the response was made well after it (RFC 9110 §8.8.2.2).
    private static func strongValidator(_ fields: [HeaderField]) -> String? {
        if let tag = fields.value(of: "ETag") {
            return tag.count > 2 && tag.hasPrefix("\"") && tag.hasSuffix("\"") ? tag : nil
        }
        guard let text = fields.value(of: "Last-Modified"), let modified = HTTPDate.parse(text),
            let made = fields.value(of: "Date").flatMap({ HTTPDate.parse($0) }), made - modified >= 60
        else { return nil }
        return text
    }
}
