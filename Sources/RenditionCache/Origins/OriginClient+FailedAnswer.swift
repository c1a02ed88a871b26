extension OriginClient {
    /// An answer that is not a success.
    struct FailedAnswer: Sendable {
        let status: Int
        /// The beginning of the body; may be empty, HTML or anything else.
        let body: [UInt8]
        let host: String
        /// What was asked for, in words.
        let what: String
        /// How long the server asks to wait.
        let retryAfter: Duration?
        /// Takes secrets out of the server's text.
        let redact: @Sendable (String) -> String
    }
}

extension OriginClient.FailedAnswer {
    /// Most characters of an explanation.
    private static let maxCharacters = 300

    /// What the status means by HTTP alone (RFC 9110 §15): gone, refused, asked to wait, or unusable.
    ///
    /// - Parameter detail: the CMS's own words.
    func error(detail: String?) -> OriginError {
        let detail = detail.flatMap { Self.isReadable($0) ? line($0) : nil }
        return switch (status, retryAfter) {
        case (404, _), (410, _): .notFound(what)
        case (401, _), (403, _): .forbidden(host: host, status: status, detail: detail)
        case (429, _), (503, _?): .busy(host: host, status: status, retryAfter: retryAfter)
        default: .unusable(host: host, status: status, detail: detail)
        }
    }

    /// Whether a body is a text, and not a picture or another file that came with a bad status.
    private static func isReadable(_ text: String) -> Bool {
        !text.unicodeScalars.prefix(maxCharacters).contains { $0 == "\u{FFFD}" || $0 == "\0" }
    }

    /// On one line and cut to 300 characters; secrets go before the cut could leave half of one.
    func line(_ text: String) -> String { Self.line(text, redact: redact) }

    static func line(_ text: String, redact: (String) -> String) -> String {
        let line = redact(text.split { $0.isNewline }.joined(separator: " "))
        return line.count > maxCharacters ? "\(line.prefix(maxCharacters))…" : line
    }
}
