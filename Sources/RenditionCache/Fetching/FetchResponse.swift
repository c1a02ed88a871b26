/// The answer to a `FetchRequest`; its body, if it is a good one, has gone to the sink.
struct FetchResponse: Sendable {
    /// The status of the last hop.
    var status: Int
    /// The header fields of the last hop, in order.
    var headers: [HeaderField]
    /// Where the last hop was.
    var url: WebURL
    /// Decoded bytes that went to the sink.
    var byteCount: Int
    /// The beginning of the body of a status other than 2xx, at most 64 KB.
    var errorBody: [UInt8]

    /// Whether what the validators name still holds (304).
    var isNotModified: Bool { status == 304 }

    /// Whether the body is what was asked for, and went to the sink.
    var isGood: Bool { ResponseHead.isGood(status) }

    /// How long the server asks to wait; `now` in seconds since 1970.
    ///
    /// `Retry-After` is a number of seconds or a date (RFC 9110 §10.2.3) and counts up to a day. A 429 without it may name
    /// the beginning of the next window in `X-RateLimit-Reset`, in seconds since 1970, which counts up to 5 s (spec
    /// microCMS §3).
    func retryAfter(now: Double) -> Duration? {
        if let text = self["Retry-After"]?.trimmed {
            let wait = Double(text) ?? HTTPDate.parse(text, now: now).map { $0 - now }
            if let wait, wait.isFinite { return .seconds(min(max(wait, 0), 86_400)) }
        }
        guard status == 429, let reset = self["X-RateLimit-Reset"].flatMap({ Double($0.trimmed) }), reset > now else {
            return nil
        }
        return .seconds(min(reset - now, 5))
    }

    /// The value of a header field, several joined by commas (RFC 9110 §5.3); case does not matter.
    subscript(name: String) -> String? { headers.value(of: name) }
}

extension [HeaderField] {
    /// The value of the field of that name, several joined by commas (RFC 9110 §5.3); case does not matter.
    func value(of name: String) -> String? {
        let name = name.lowercased()
        let values = filter { $0.name.lowercased() == name }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}
