import FoundationEssentials
import Synchronization

/// OAuth 2.0 access tokens of one client, by client credentials (RFC 6749 §4.4): fetched when needed, kept until shortly
/// before they expire.
///
/// There is one renewal at a time, whose outcome everybody who waits shares; a failure holds for two seconds, so that a token
/// endpoint that is down is not stormed. Neither the secret nor a token stands in any error.
actor AccessTokens {
    /// A token, and which one it is.
    struct Token: Sendable {
        /// What follows `Bearer`.
        let text: String
        fileprivate let number: Int
        fileprivate let goodUntilSeconds: Double

        /// The header field that carries it (RFC 6750 §2.1).
        var field: HeaderField { HeaderField("Authorization", "Bearer \(text)") }
    }

    /// Most bytes of an answer.
    private static let maxAnswerBytes = 64_000
    /// How long a token is kept whose lifetime the server does not say.
    private static let defaultLifetimeSeconds = 3600.0
    /// A token is not used in the last minute of its life, or the last tenth of a short one.
    private static let marginSeconds = 60.0
    private static let failureSeconds = 2.0

    private let url: WebURL
    private let settings: OAuthSettings
    private let fetcher: Fetcher
    private let now: @Sendable () -> Double
    private var token: Token?
    private nonisolated let newest = Mutex<String?>(nil)
    private var renewal: Task<Result<Token, OriginError>, Never>?
    private var failure: (error: OriginError, untilSeconds: Double)?
    private var lastNumber = 0
    /// The number of the newest token that the origin has taken.
    private nonisolated let accepted = Atomic(0)

    /// The text of the newest token, expired or not, so that it can be kept out of other texts.
    nonisolated var newestText: String? { newest.withLock { $0 } }

    /// Asks for nothing yet; throws if the token URL is none.
    init(
        _ settings: OAuthSettings,
        fetcher: Fetcher,
        now: @escaping @Sendable () -> Double = SystemClock.seconds
    ) throws(OriginError) {
        guard let url = WebURL(settings.tokenURL) else { throw .unreachable(.badURL("that of the access tokens")) }
        self.url = url
        self.settings = settings
        self.fetcher = fetcher
        self.now = now
    }

    /// Notes that the origin has taken a token.
    nonisolated func noteAccepted(_ token: Token) { accepted.max(token.number, ordering: .relaxed) }

    /// Whether the origin has taken that token before, or a newer one.
    nonisolated func wasAccepted(_ token: Token) -> Bool { accepted.load(ordering: .relaxed) >= token.number }

    /// A token that is good by its lifetime.
    func current() async throws(OriginError) -> Token {
        if let token, now() < token.goodUntilSeconds { return token }
        return try await renewed()
    }

    /// A token in the place of one that was refused: for all who met with the refusal the same.
    func replacement(of refused: Token) async throws(OriginError) -> Token {
        if let token, token.number != refused.number, now() < token.goodUntilSeconds { return token }
        return try await renewed()
    }

    private func renewed() async throws(OriginError) -> Token {
        if let failure, now() < failure.untilSeconds { throw failure.error }
        let task = renewal ?? begin()
        return try await task.value.get()
    }

    /// The renewal belongs to all who wait, so that the first one's leaving ends nothing; the fetch has its own limits.
    private func begin() -> Task<Result<Token, OriginError>, Never> {
        let task = Task {
            let outcome: Result<Token, OriginError>
            do throws(OriginError) {
                outcome = .success(try await self.ask())
            } catch {
                outcome = .failure(error)
            }
            self.finish(outcome)
            return outcome
        }
        renewal = task
        return task
    }

    private func finish(_ outcome: Result<Token, OriginError>) {
        renewal = nil
        switch outcome {
        case .success(let new): (token, failure) = (new, nil)
        case .failure(let error): (token, failure) = (nil, (error, now() + Self.failureSeconds))
        }
    }

    private func ask() async throws(OriginError) -> Token {
        let sink = CollectingSink()
        let response: FetchResponse
        do throws(FetchError) {
            response = try await fetcher.fetch(try request(), into: sink)
        } catch {
            throw OriginError(error)
        }
        guard response.isGood else { throw refusal(response) }
        let json = JSONValue(sink.bytes)
        guard let text = json?["access_token"]?.string, !text.isEmpty,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw .unusable(host: url.host, status: response.status, detail: "an answer without an access token")
        }
        newest.withLock { $0 = text }
        lastNumber += 1
        let lifetime = json?["expires_in"]?.looseInt.map(Double.init) ?? Self.defaultLifetimeSeconds
        let margin = min(Self.marginSeconds, lifetime / 10)
        return Token(text: text, number: lastNumber, goodUntilSeconds: now() + max(0, lifetime - margin))
    }

    /// The client proves itself by Basic (RFC 6749 §2.3.1), to its own origin alone.
    private func request() throws(FetchError) -> FetchRequest {
        var fields = [(name: "grant_type", value: "client_credentials")]
        if let scope = settings.scope { fields.append((name: "scope", value: scope)) }
        guard let form = FetchRequest.Form(fields) else {
            throw .transport(host: url.host, reason: "the scope is too long to be sent")
        }
        return FetchRequest(
            url: url,
            ownHeaders: [
                HeaderField("Authorization", "Basic \(proof)"),
                HeaderField("Accept", "application/json"),
            ],
            policy: OriginPolicy(origin: url),
            maxBytes: Self.maxAnswerBytes,
            form: form
        )
    }

    private static func formEncoded(_ text: String) -> String {
        PercentEncoding.encode(text, keeping: "*").replacing("%20", with: "+").replacing("~", with: "%7E")
    }

    /// 400 and 401 say that the client or what it wants is refused (RFC 6749 §5.2); its description might quote secrets.
    private func refusal(_ response: FetchResponse) -> OriginError {
        let code = JSONValue(response.errorBody)?["error"]?.string.map {
            "no access token: \(redacting($0).prefix(60))"
        }
        let wait = response.retryAfter(now: now())
        return switch (response.status, wait) {
        case (400, _), (401, _), (403, _):
            .forbidden(host: url.host, status: response.status, detail: code ?? "no access token")
        case (429, _), (503, _?): .busy(host: url.host, status: response.status, retryAfter: wait)
        default: .unusable(host: url.host, status: response.status, detail: "no access token")
        }
    }

    /// What `Basic` is followed by.
    private var proof: String {
        let words = [settings.clientID, settings.clientSecret].map(Self.formEncoded)
        return Data(words.joined(separator: ":").utf8).base64EncodedString()
    }

    /// The text without the secret in any form in which a server has seen it; to be cut only afterwards.
    private func redacting(_ text: String) -> String {
        [proof, Self.formEncoded(settings.clientSecret), settings.clientSecret].reduce(text) {
            $0.replacing($1, with: "…")
        }
    }
}
