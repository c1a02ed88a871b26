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

    /// What the server says about it; may hold secrets.
    var text: String? { detail ?? title ?? plainText }
}
