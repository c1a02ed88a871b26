/// One thing to fetch, and what may be told to whom on the way.
struct FetchRequest: Sendable {
    /// Where it is; may hold a secret in its query.
    var url: WebURL
    /// Credentials and custom header fields: only for hops that the policy calls the channel's own.
    var ownHeaders: [HeaderField] = []
    /// Header fields that anybody may see.
    var headers: [HeaderField] = []
    /// Who gets `ownHeaders`, and which addresses may be connected to.
    var policy: any HopPolicy
    /// What is already there, if anything; then the answer may be 304.
    var validators = Validators()
    /// Who waits.
    var priority = Urgency.live
    /// Most bytes of the decoded body; nil for the setting.
    var maxBytes: Int?

    /// What a conditional request compares (RFC 9110 §13.1).
    struct Validators: Equatable, Sendable {
        /// The entity tag with its quotes, for `If-None-Match`.
        var entityTag: String?
        /// Seconds since 1970, for `If-Modified-Since`.
        var modifiedSeconds: Double?
    }
}

/// A name and a value.
struct HeaderField: Equatable, Sendable {
    var name: String
    var value: String

    init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// Judges the hops of one transfer; pure.
protocol HopPolicy: Sendable {
    /// Whether credentials and custom header fields may go to this scheme, host and port.
    func isOwn(_ url: WebURL) -> Bool

    /// Whether a connection to that address may be made for that URL.
    func permits(_ address: IPAddress, for url: WebURL) -> Bool
}

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

    /// How long the server asks to wait (RFC 9110 §10.2.3), from a number of seconds or a date; at most a day.
    func retryAfter(now: Double) -> Duration? {
        guard let text = self["Retry-After"]?.trimmed else { return nil }
        let wait = Double(text) ?? HTTPDate.parse(text, now: now).map { $0 - now }
        guard let wait, wait.isFinite else { return nil }
        return .seconds(min(max(wait, 0), 86_400))
    }

    /// The value of a header field, several joined by commas (RFC 9110 §5.3); case does not matter.
    subscript(name: String) -> String? {
        let values = headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}
