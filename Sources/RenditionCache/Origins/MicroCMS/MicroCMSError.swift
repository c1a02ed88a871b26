/// An answer of microCMS that is not a success (spec microCMS §2.9).
struct MicroCMSError: Equatable, Sendable {
    /// What is to be done about it.
    enum Kind: String, Sendable {
        /// The request makes no sense: nothing to be gained by asking again.
        case badRequest
        /// The key, the address or the service may not read.
        case forbidden
        /// The answer would be too long: ask for less.
        case tooLong
        /// No such API or content, or none that this key may see.
        case notFound
        /// Wait.
        case busy
        /// The server is in trouble.
        case serverTrouble
        /// Anything else.
        case other
    }

    let status: Int
    /// What the server says; nil where the body is missing, empty, HTML or anything else.
    let message: String?

    /// About how long an answer may be, in bytes.
    static let maxAnswerBytes = 5_000_000

    init(status: Int, body: [UInt8]) {
        self.status = status
        let message = JSONValue(body)?["message"]?.string?.trimmed
        self.message = message.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Judged by the status; only what 400 lumps together by the message, which may change any day.
    var kind: Kind {
        switch status {
        case 400: Self.meanings.first { message?.lowercased().contains($0.words) ?? false }?.kind ?? .badRequest
        case 401, 403: .forbidden
        case 404, 410: .notFound
        case 414: .badRequest
        case 429: .busy
        case 500...599: .serverTrouble
        default: .other
        }
    }

    /// A missing permission is 400 here, not 403.
    private static let meanings: [(words: String, kind: Kind)] = [
        ("is forbidden", .forbidden), ("address rejected", .forbidden), ("api is stopped", .forbidden),
        ("too long", .tooLong),
    ]

    /// An explanation: the server's, or ours where it gives none.
    var text: String? {
        switch (message, status) {
        case (let message?, _): message
        case (nil, 414): "the URL is longer than the 8 KB that it takes"
        default: nil
        }
    }
}

extension OriginClient.FailedAnswer {
    /// What the answer of a content API means.
    var microCMSError: OriginError {
        let error = MicroCMSError(status: status, body: body)
        let plain = self.error(detail: error.text)
        switch (error.kind, plain) {
        case (.tooLong, _): return .tooLarge(limit: MicroCMSError.maxAnswerBytes)
        case (.forbidden, .unusable(let host, let status, let detail)):
            return .forbidden(host: host, status: status, detail: detail)
        default: return plain
        }
    }
}
