/// Talks to one origin on behalf of one channel: JSON and pictures, every answer but a good one as an error.
///
/// What its errors mean is for the kind of CMS to say; everything else is the same for all of them.
struct OriginClient: Sendable {
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

    /// Requests that may go out at once where the origin's operator counts them.
    private static let rateBurst = 10
    /// Most bytes of a JSON document.
    static let maxDocumentBytes = 32_000_000

    let channel: String
    /// The origin that the configuration names.
    let base: WebURL
    private let credentials: Credentials
    /// Where the credential is a token that expires.
    let tokens: AccessTokens?
    private let policy: OriginPolicy
    /// Requests a second to the origin itself that its operator allows; nil for no such limit.
    private let requestsPerSecond: Double?
    private let fetcher: Fetcher
    private let log: Log
    private let failure: @Sendable (FailedAnswer) -> OriginError

    /// A client of the origin that the settings name.
    ///
    /// - Parameters:
    ///   - fixed: header fields that the kind of CMS asks for.
    ///   - pictureHosts: further origins that the configuration names; they get no credential.
    ///   - onlyConfiguredHosts: whether redirects lead nowhere but to hosts that the configuration names.
    ///   - allow: further hosts that may be at private addresses, and such addresses.
    ///   - requestsPerSecond: how many requests a second the origin's operator allows; nil for no such limit.
    ///   - tokens: those of another client with the same credential, where it is a token that expires.
    ///   - failure: what an answer means that is not a success.
    /// - Throws: if the URL is not http or https.
    init(
        channel: String,
        settings: any OriginSettings,
        fixed: [HeaderField] = [],
        pictureHosts: [WebURL] = [],
        onlyConfiguredHosts: Bool = false,
        allow: [String],
        requestsPerSecond: Double? = nil,
        fetcher: Fetcher,
        log: Log,
        tokens: AccessTokens? = nil,
        failure: @escaping @Sendable (FailedAnswer) -> OriginError
    ) throws(OriginError) {
        guard let base = WebURL(settings.url) else {
            // Not printed, because a password may stand in it.
            throw .unreachable(.badURL("that of the channel \(channel)"))
        }
        self.channel = channel
        self.base = base
        credentials = Credentials(settings, fixed: fixed)
        policy = OriginPolicy(
            origin: base,
            pictureHosts: pictureHosts,
            onlyConfiguredHosts: onlyConfiguredHosts,
            allow: allow
        )
        self.requestsPerSecond = requestsPerSecond
        if case .oauth(let settings) = settings.authentication {
            self.tokens = if let tokens { tokens } else { try AccessTokens(settings, fetcher: fetcher) }
        } else {
            self.tokens = nil
        }
        self.fetcher = fetcher
        self.log = log
        self.failure = failure
    }

    /// The host, for messages.
    var host: String { base.host }

    /// Fetches JSON.
    func json(
        _ url: WebURL,
        what: String,
        _ options: FetchOptions = FetchOptions()
    ) async throws(OriginError) -> JSONValue {
        let (bytes, response) = try await document(url, what: what, options)
        guard let json = JSONValue(bytes) else {
            let type = response["Content-Type"] ?? "an undeclared type"
            let detail = bytes.isEmpty ? "an empty body" : "something that is not JSON (\(type))"
            throw .unusable(host: host, status: response.status, detail: detail)
        }
        return json
    }

    /// The error for a successful answer that says otherwise inside.
    ///
    /// - Parameter detail: why; secrets in it are taken out.
    func unusable(_ detail: String) -> OriginError {
        .unusable(host: host, status: 200, detail: line(detail))
    }

    /// An origin's text as it may be shown: on one line, cut, without secrets.
    func line(_ text: String) -> String {
        FailedAnswer.line(text) { credentials.redacting($0, and: tokens?.newestText) }
    }

    /// Fetches a text of any kind, whole.
    func document(
        _ url: WebURL,
        what: String,
        _ options: FetchOptions = FetchOptions()
    ) async throws(OriginError) -> (bytes: [UInt8], response: FetchResponse) {
        let sink = CollectingSink()
        let response = try await response(url, what: what, maxBytes: Self.maxDocumentBytes, into: sink, options)
        return (sink.bytes, response)
    }

    /// Fetches a picture or file.
    func body(
        _ url: WebURL,
        what: String,
        expecting expectation: PictureSink.Expectation,
        into sink: any ByteSink,
        _ options: FetchOptions
    ) async throws(OriginError) -> FetchedBody {
        let picture = PictureSink(expectation, passingTo: sink)
        let response: FetchResponse
        do throws(OriginError) {
            response = try await self.response(url, what: what, into: picture, options)
        } catch {
            throw refusal(by: picture, status: 200) ?? error
        }
        guard !response.isNotModified else { return FetchedBody(response) }
        do { try picture.finish() } catch {
            throw refusal(by: picture, status: response.status) ?? .sink("\(error)")
        }
        // The CMS may be another rcache, whose stand-ins are not to be taken for pictures here.
        if let provenance = response["RCache-Provenance"], provenance.hasPrefix(Provenance.Maker.placeholder.rawValue) {
            throw .placeholder(host: host, cause: Provenance.cause(inFieldValue: provenance) ?? .originDown)
        }
        return FetchedBody(response)
    }

    private func refusal(by sink: PictureSink, status: Int) -> OriginError? {
        sink.refusal.map { .unusable(host: host, status: status, detail: $0.description) }
    }

    /// Fetches, and turns every answer but a good one into an error.
    private func response(
        _ url: WebURL,
        what: String,
        maxBytes: Int? = nil,
        into sink: any ByteSink,
        _ options: FetchOptions
    ) async throws(OriginError) -> FetchResponse {
        var request = FetchRequest(url: url, ownHeaders: credentials.headers, policy: policy, maxBytes: maxBytes)
        request.priority = options.priority
        if let requestsPerSecond, policy.isOwn(url) {
            request.rate = FetchRate(group: base.root, perSecond: requestsPerSecond, burst: Self.rateBurst)
        }
        request.validators = FetchRequest.Validators(
            entityTag: options.entityTag,
            modifiedSeconds: options.entityTag == nil ? options.modifiedSeconds : nil
        )
        let (response, token) = try await answer(to: request, into: sink, options)
        // A 304 that nobody asked for says nothing.
        if response.isGood || (response.isNotModified && options.isConditional) { return response }
        log(.debug, "origin did not answer with success", ["channel": channel, "url": url, "status": response.status])
        throw failure(
            FailedAnswer(
                status: response.status,
                body: response.errorBody,
                host: response.url.host,
                what: what,
                retryAfter: response.retryAfter(now: SystemClock.seconds()),
                redact: { [credentials] in credentials.redacting($0, and: token?.text) }
            )
        )
    }

    /// The answer, and the token that was sent; where a token is refused (401), that to a second request with a new one.
    ///
    /// There is a third request if the new one had been taken from others, and so has expired while this one waited.
    private func answer(
        to request: FetchRequest,
        into sink: any ByteSink,
        _ options: FetchOptions
    ) async throws(OriginError) -> (FetchResponse, AccessTokens.Token?) {
        guard let tokens else { return (try await fetch(request, into: sink, options), nil) }
        var token = try await tokens.current()
        var renewals = 0
        while true {
            let response = try await fetch(request.with(token.field), into: sink, options)
            // Another host has not seen the token, and refuses something else.
            guard response.status == 401, policy.isOwn(response.url) else {
                tokens.noteAccepted(token)
                return (response, token)
            }
            guard renewals == 0 || renewals == 1 && tokens.wasAccepted(token) else { return (response, token) }
            token = try await tokens.replacement(of: token)
            renewals += 1
        }
    }

    private func fetch(
        _ request: FetchRequest,
        into sink: any ByteSink,
        _ options: FetchOptions
    ) async throws(OriginError) -> FetchResponse {
        do throws(FetchError) {
            return try await fetcher.fetch(request, into: sink, progress: options.progress)
        } catch {
            throw OriginError(error)
        }
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

extension FetchRequest {
    /// The same with one more field for the channel's own origin.
    fileprivate func with(_ field: HeaderField) -> FetchRequest {
        var request = self
        request.ownHeaders.append(field)
        return request
    }
}

extension OriginError {
    /// What a broken transfer means.
    init(_ error: FetchError) {
        switch error {
        case .tooLarge(_, let limit): self = .tooLarge(limit: limit)
        case .sink(let reason): self = .sink(reason)
        case .busy(let host, let status, let wait): self = .busy(host: host, status: status, retryAfter: wait)
        case .cancelled: self = .cancelled
        default: self = .unreachable(error)
        }
    }
}

extension FetchedBody {
    /// What a response says about the body that came with it.
    init(_ response: FetchResponse) {
        self.init(
            mediaType: response["Content-Type"].map { String($0.prefix { $0 != ";" }).trimmed.lowercased() },
            entityTag: response["ETag"],
            modifiedSeconds: response["Last-Modified"].flatMap { HTTPDate.parse($0) },
            isNotModified: response.isNotModified
        )
    }
}
