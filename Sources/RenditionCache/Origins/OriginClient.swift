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

    /// Most bytes of a JSON document.
    static let maxDocumentBytes = 32_000_000

    let channel: String
    /// The origin that the configuration names.
    let base: WebURL
    private let credentials: Credentials
    private let policy: OriginPolicy
    private let fetcher: Fetcher
    private let log: Log
    private let failure: @Sendable (FailedAnswer) -> OriginError

    /// A client of the origin that the settings name.
    ///
    /// - Parameters:
    ///   - fixed: header fields that the kind of CMS asks for.
    ///   - pictureHosts: further origins that the configuration names; they get no credential.
    ///   - allow: further hosts that may be at private addresses, and such addresses.
    ///   - failure: what an answer means that is not a success.
    /// - Throws: if the URL is not http or https.
    init(
        channel: String,
        settings: any OriginSettings,
        fixed: [HeaderField] = [],
        pictureHosts: [WebURL] = [],
        allow: [String],
        fetcher: Fetcher,
        log: Log,
        failure: @escaping @Sendable (FailedAnswer) -> OriginError
    ) throws(OriginError) {
        guard let base = WebURL(settings.url) else {
            // Not printed, because a password may stand in it.
            throw .unreachable(.badURL("that of the channel \(channel)"))
        }
        self.channel = channel
        self.base = base
        credentials = Credentials(settings, fixed: fixed)
        policy = OriginPolicy(origin: base, pictureHosts: pictureHosts, allow: allow)
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
    func line(_ text: String) -> String { FailedAnswer.line(text, redact: credentials.redacting) }

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
        request.validators = FetchRequest.Validators(
            entityTag: options.entityTag,
            modifiedSeconds: options.entityTag == nil ? options.modifiedSeconds : nil
        )
        let response: FetchResponse
        do throws(FetchError) {
            response = try await fetcher.fetch(request, into: sink, progress: options.progress)
        } catch {
            throw OriginError(error)
        }
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
                redact: credentials.redacting
            )
        )
    }
}

extension OriginClient.FailedAnswer {
    /// Most characters of an explanation.
    private static let maxCharacters = 300

    /// What the status means by HTTP alone (RFC 9110 §15): gone, refused, asked to wait, or unusable.
    ///
    /// - Parameter detail: the CMS's own words.
    func error(detail: String?) -> OriginError {
        let detail = detail.map(line)
        return switch (status, retryAfter) {
        case (404, _), (410, _): .notFound(what)
        case (401, _), (403, _): .forbidden(host: host, status: status, detail: detail)
        case (429, _), (503, _?): .busy(host: host, status: status, retryAfter: retryAfter)
        default: .unusable(host: host, status: status, detail: detail)
        }
    }

    /// On one line and cut to 300 characters; secrets go before the cut could leave half of one.
    func line(_ text: String) -> String { Self.line(text, redact: redact) }

    static func line(_ text: String, redact: (String) -> String) -> String {
        let line = redact(text.split { $0.isNewline }.joined(separator: " "))
        return line.count > maxCharacters ? "\(line.prefix(maxCharacters))…" : line
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
