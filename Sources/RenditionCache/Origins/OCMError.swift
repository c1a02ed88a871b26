/// An answer of OCM that is not a success (spec OCM §11).
struct OCMError: Equatable, Sendable {
    /// The kinds that OCM's own clients tell apart.
    enum Kind: String, Sendable {
        case notModified, badRequest, unauthorized, forbidden, notFound, conflict, internalServerError
        case serviceUnavailable, responseStatus
    }

    /// The status; the body's own does not count.
    let status: Int
    /// A short text, if the body has one.
    let title: String?
    /// An explanation, if the body has one.
    let detail: String?
    /// OCM's code, as in `CEC-CONTENT-001009`.
    let code: String?
    /// The body, where it is plain text or HTML.
    private let plainText: String?

    /// Most characters of an explanation.
    private static let maxCharacters = 300

    /// The error in a body, which may be empty, HTML or anything else.
    init(status: Int, body: [UInt8]) {
        self.status = status
        // A body that is no JSON is no failure: then its text explains.
        let json = JSONValue(body)
        title = json?["title"]?.string
        detail = json?["detail"]?.string
        code = json?["o:errorCode"]?.string
        let text = json?.string ?? (json == nil ? String(decoding: body, as: UTF8.self).trimmed : "")
        plainText = text.isEmpty ? nil : text
    }

    /// What sort of error the status is.
    var kind: Kind {
        switch status {
        case 304: .notModified
        case 400: .badRequest
        case 401: .unauthorized
        case 403: .forbidden
        case 404: .notFound
        case 409: .conflict
        case 500: .internalServerError
        case 503: .serviceUnavailable
        default: .responseStatus
        }
    }

    /// What the server says about it, on one line and cut to 300 characters.
    ///
    /// - Parameter redact: takes secrets out of the server's text, before the cut could leave half of one.
    func explanation(redact: (String) -> String = { $0 }) -> String? {
        guard let text = detail ?? title ?? plainText else { return nil }
        let line = redact(text.split { $0.isNewline }.joined(separator: " "))
        return line.count > Self.maxCharacters ? "\(line.prefix(Self.maxCharacters))…" : line
    }

    /// What it means for the request.
    ///
    /// - Parameters:
    ///   - what: what was asked for.
    ///   - retryAfter: how long the server asks to wait.
    ///   - redact: takes secrets out of the server's text.
    func originError(
        host: String,
        what: String,
        retryAfter: Duration?,
        redact: (String) -> String
    ) -> OriginError {
        let detail = explanation(redact: redact)
        return switch (status, retryAfter) {
        case (404, _), (410, _): .notFound(what)
        case (401, _), (403, _): .forbidden(host: host, status: status, detail: detail)
        case (429, _), (503, _?): .busy(host: host, status: status, retryAfter: retryAfter)
        default: .unusable(host: host, status: status, detail: detail)
        }
    }
}
