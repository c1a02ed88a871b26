import RenditionCache

/// Why a request is refused before or instead of looking for its picture.
enum Refusal: Error, Equatable, Sendable {
    /// The request is malformed; the reason is one clause about the request alone.
    case badRequest(String)
    /// The parameters are not in the dialect.
    case parameters(RequestError)
    /// No route leads there.
    case notFound
    /// Only GET and HEAD are answered.
    case methodNotAllowed
    /// The target is longer than `limit` bytes.
    case targetTooLong(limit: Int)
    /// A body came with the request.
    case bodyNotAllowed
    /// The channel token is missing or wrong.
    case tokenRefused
    /// The `Authorization` is missing or wrong; the scheme is the one that is asked for.
    case credentialsRefused(scheme: String)
    /// A search that is not answered yet.
    case queryNotAnswered
    /// No byte of the body is in the range.
    case rangeNotSatisfiable(byteCount: Int)
    /// The body cannot be read, or there is no memory or descriptor for it.
    case unreadable
    /// As many requests wait already as may.
    case tooManyWaiting
    /// The picture took longer than a request may wait.
    case waitedTooLong
    /// The server is stopping.
    case stopping
    /// The service said why.
    case rendition(RenditionError)
}

/// The only map from an error to a status and a public text, which never has a path, an address or a library's message.
enum ErrorResponse {
    /// The answer in the surface's manner.
    static func answer(_ refusal: Refusal, _ manner: Manner) -> Answer {
        var answer = answer(refusal, surface: manner.surface)
        if manner.isNegotiated { answer.fields.append(.varyByAccept) }
        return answer
    }

    /// The answer where the URL alone decides.
    static func answer(_ refusal: Refusal, surface: SurfaceKind) -> Answer {
        let verdict = verdict(refusal)
        let json: JSON
        switch surface {
        case .own: json = .object([("error", .string(verdict.detail))])
        case .ocm: json = ocmBody(verdict)
        }
        var answer = Answer(
            status: verdict.status,
            fields: [
                HeaderField("Content-Type", "application/json"),
                HeaderField("X-Content-Type-Options", "nosniff"),
                HeaderField("Cache-Control", "no-store"),
            ],
            body: Array(json.text.utf8)
        )
        if let wait = verdict.retryAfter { answer.fields.append(HeaderField("Retry-After", String(wait))) }
        if case .rangeNotSatisfiable(let count) = refusal {
            answer.fields.append(HeaderField("Content-Range", "bytes */\(count)"))
        }
        if case .credentialsRefused(let scheme) = refusal {
            answer.fields.append(HeaderField("WWW-Authenticate", "\(scheme) realm=\"rcache\""))
        }
        if case .methodNotAllowed = refusal { answer.fields.append(HeaderField("Allow", "GET, HEAD, OPTIONS")) }
        return answer
    }

    /// Status, title and detail; how long to wait in seconds where that helps.
    struct Verdict: Equatable {
        var status: Int
        var title: String
        var detail: String
        var retryAfter: Int?

        init(_ status: Int, _ title: String, _ detail: String, retryAfter: Int? = nil) {
            self.status = status
            self.title = title
            self.detail = detail
            self.retryAfter = retryAfter
        }
    }

    static func verdict(_ refusal: Refusal) -> Verdict {
        switch refusal {
        case .badRequest(let reason): Verdict(400, "Bad Request", reason)
        case .parameters(let error): Verdict(400, "Bad Request", error.description)
        case .notFound: Verdict(404, "Not Found", "There is nothing at this address.")
        case .methodNotAllowed: Verdict(405, "Method Not Allowed", "Only GET and HEAD are answered.")
        case .targetTooLong(let limit): Verdict(414, "URI Too Long", "The request target passes \(limit) bytes.")
        case .bodyNotAllowed: Verdict(413, "Content Too Large", "A request here has no body.")
        case .credentialsRefused:
            Verdict(401, "Unauthorized", "The channel's credentials are incorrect or missing in the request")
        case .tokenRefused: Verdict(403, "Forbidden", "Channel Token is incorrect or missing in the request")
        case .queryNotAnswered:
            Verdict(400, "Invalid Query", "Of queries only id eq \"…\" is answered; leave q out to list the channel.")
        case .rangeNotSatisfiable(let count):
            Verdict(416, "Range Not Satisfiable", "The picture has \(count) bytes.")
        case .unreadable: Verdict(500, "Internal Server Error", "The picture could not be read.")
        case .tooManyWaiting: Verdict(503, "Service Unavailable", "Too many requests wait already.", retryAfter: 1)
        case .waitedTooLong: Verdict(504, "Gateway Timeout", "The picture could not be had in time.")
        case .stopping: Verdict(503, "Service Unavailable", "The service is stopping.", retryAfter: 5)
        case .rendition(let error): verdict(error)
        }
    }

    private static func verdict(_ error: RenditionError) -> Verdict {
        switch error {
        case .unknownChannel: Verdict(404, "Not Found", "There is no such channel.")
        case .assetNotFound(_, let asset): Verdict(404, "Item Not Found", "Item not found: \(asset)")
        case .renditionNotFound(_, _, let name): Verdict(404, "Rendition Not Found", "Rendition not found: \(name)")
        case .notCached: Verdict(504, "Gateway Timeout", "The picture is not in the cache.")
        case .request(let error): Verdict(400, "Bad Request", error.description)
        case .origin(let error): verdict(error)
        case .cache(.noRoom): Verdict(503, "Service Unavailable", "There is no room for the picture.", retryAfter: 60)
        case .cache: Verdict(500, "Internal Server Error", "The cache failed.")
        case .render(.overloaded(let wait)):
            Verdict(503, "Service Unavailable", "Too many pictures are being made.", retryAfter: seconds(wait))
        case .render(.refused(let refusal)) where refusal.isOfRequest:
            Verdict(400, "Bad Request", refusal.description)
        case .render(.refused): Verdict(422, "Unprocessable Content", "No such picture can be made of this asset.")
        case .render: Verdict(500, "Internal Server Error", "The picture could not be made.")
        case .cancelled, .closed: Verdict(503, "Service Unavailable", "The service is stopping.", retryAfter: 5)
        }
    }

    private static func verdict(_ error: OriginError) -> Verdict {
        switch error {
        case .notFound: Verdict(404, "Item Not Found", "The CMS has no such item.")
        case .busy(_, _, let wait):
            Verdict(503, "Service Unavailable", "The CMS asks to wait.", retryAfter: seconds(wait ?? .seconds(10)))
        case .unreachable(.resting(_, _, let wait)):
            Verdict(503, "Service Unavailable", "The CMS has failed too often.", retryAfter: seconds(wait))
        case .unreachable(.timedOut): Verdict(504, "Gateway Timeout", "The CMS did not answer in time.")
        case .folderMissing: Verdict(503, "Service Unavailable", "The folder is not there.", retryAfter: 10)
        case .cancelled: Verdict(503, "Service Unavailable", "The service is stopping.", retryAfter: 5)
        case .forbidden, .unusable, .placeholder, .tooLarge, .unreachable:
            Verdict(502, "Bad Gateway", "The CMS did not give the picture.")
        case .notEnumerable: Verdict(502, "Bad Gateway", "The channel cannot be listed.")
        case .sink: Verdict(500, "Internal Server Error", "The picture could not be written down.")
        }
    }

    /// The body of spec OCM §11, in the order of its recordings.
    private static func ocmBody(_ verdict: Verdict) -> JSON {
        // Recordings cite this section for 400 and 404 alike.
        let section = [401: "10.4.2", 403: "10.4.4"][verdict.status] ?? "10.5.1"
        return .object([
            ("detail", .string(verdict.detail)),
            ("title", .string(verdict.title)),
            ("status", .integer(verdict.status)),
            ("type", .string("http://www.w3.org/Protocols/rfc2616/rfc2616-sec10.html#sec\(section)")),
        ])
    }

    private static func seconds(_ duration: Duration) -> Int {
        max(1, Int(duration.components.seconds) + (duration.components.attoseconds > 0 ? 1 : 0))
    }
}
