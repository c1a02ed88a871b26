import Foundation
import Synchronization
import TestSupport
import Testing

@testable import RenditionCache

@Suite(.timeLimit(.minutes(1))) struct OCMAuthenticationTests {
    /// A token endpoint that counts, and an API that takes the newest token alone.
    private final class Provider: Sendable {
        private final class State: Sendable {
            let issued = Mutex(0)
            let expiresIn = Mutex<String?>("3600")
            let refusing = Mutex<LoopbackOrigin.Response?>(nil)
            let gate = Mutex<Gate?>(nil)
            let acceptsNothing = Mutex(false)
        }
        private let state = State()
        let tokens: LoopbackOrigin
        let api: LoopbackOrigin

        init() throws {
            let state = state
            tokens = try LoopbackOrigin { _ in
                if let refusal = state.refusing.withLock({ $0 }) { return refusal }
                let number = state.issued.withLock { count in
                    count += 1
                    return count
                }
                let lifetime = state.expiresIn.withLock { $0 }.map { #","expires_in":\#($0)"# } ?? ""
                let answer = LoopbackOrigin.Response.json(
                    #"{"access_token":"live-token-\#(number)","token_type":"Bearer"\#(lifetime)}"#
                )
                return state.gate.withLock { $0 }.map(answer.held) ?? answer
            }
            api = try LoopbackOrigin { request in
                let isGood =
                    !state.acceptsNothing.withLock { $0 }
                    && request["Authorization"] == "Bearer live-token-\(state.issued.withLock { $0 })"
                guard isGood else { return .init(401, body: "no: \(request["Authorization"] ?? "")".utf8) }
                return .json(#"{"id":"x","items":[]}"#)
            }
        }

        var issued: Int { state.issued.withLock { $0 } }
        /// The API takes a token that nobody has been given yet.
        func revoke() { state.issued.withLock { $0 += 1 } }
        func acceptNothing() { state.acceptsNothing.withLock { $0 = true } }
        func expire(in text: String?) { state.expiresIn.withLock { $0 = text } }
        func refuse(with response: LoopbackOrigin.Response?) { state.refusing.withLock { $0 = response } }
        func hold(by gate: Gate) { state.gate.withLock { $0 = gate } }

        func settings(secret: String = "cl1ent secret") -> OCMSettings {
            var settings = OCMSettings(url: api.url, channelToken: "t0ken-of-channel")
            settings.authentication = .oauth(oauth(secret: secret))
            settings.headers = ["authorization": "overridden"]
            return settings
        }

        func oauth(secret: String = "cl1ent secret") -> OAuthSettings {
            OAuthSettings(
                tokenURL: tokens.url + "/oauth2/v1/token",
                clientID: "reader:1",
                clientSecret: secret,
                scope: "https://ocm.example.com/urn:opc:cec:all"
            )
        }
    }

    private let provider: Provider

    init() throws { provider = try Provider() }

    private func origin(log: Log = .silent) throws -> OCMOrigin {
        let fetcher = Fetcher(settings: FetchSettings(), metrics: Metrics(), log: log)
        return try OCMOrigin(channel: "blog", settings: provider.settings(), allow: [], fetcher: fetcher, log: log)
    }

    private func failure(_ origin: OCMOrigin) async -> OriginError? {
        do throws(OriginError) {
            _ = try await origin.asset(.id("x"))
            return nil
        } catch {
            return error
        }
    }

    @Test func `a token is asked for as RFC 6749 says and used until it expires`() async throws {
        let origin = try origin()
        for _ in 0..<3 { _ = try await origin.asset(.id("x")) }
        #expect(provider.tokens.requests.count == 1)
        let request = try #require(provider.tokens.requests.first)
        #expect(request.method == "POST" && request.path == "/oauth2/v1/token")
        let proof = Data("reader%3A1:cl1ent+secret".utf8).base64EncodedString()
        #expect(request["Authorization"] == "Basic \(proof)")
        #expect(request["Content-Type"] == "application/x-www-form-urlencoded")
        let form = String(decoding: request.body, as: UTF8.self)
        #expect(form == "grant_type=client_credentials&scope=https%3A%2F%2Focm.example.com%2Furn%3Aopc%3Acec%3Aall")
        #expect(request["X-Requested-With"] == nil && !request.target.contains("t0ken"))
        #expect(provider.api.requests.allSatisfy { $0["Authorization"] == "Bearer live-token-1" })
        #expect(provider.api.requests.allSatisfy { $0.headers.count { $0.name.lowercased() == "authorization" } == 1 })
    }

    @Test func `however many ask at once, one token is asked for`() async throws {
        let gate = Gate()
        provider.hold(by: gate)
        let origin = try origin()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { _ = try await origin.asset(.id("x")) } }
            try await until { gate.arrived == 1 }
            gate.open()
            try await group.waitForAll()
        }
        #expect(provider.issued == 1 && provider.api.requests.count == 20)
    }

    @Test func `a refused token is replaced once, for all who were refused together`() async throws {
        let origin = try origin()
        _ = try await origin.asset(.id("x"))
        provider.revoke()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { _ = try await origin.asset(.id("x")) } }
            try await group.waitForAll()
        }
        #expect(provider.tokens.requests.count == 2, "one at first, one for all")
        let refused = provider.api.requests.count { $0["Authorization"] == "Bearer live-token-1" } - 1
        #expect(provider.api.requests.count == 21 + refused, "each refused request was repeated once")
    }

    @Test func `a call that differs takes the token that is there`() async throws {
        let origin = try origin()
        _ = try await origin.asset(.id("x"))
        var call = OCMCall()
        call.additionalHeaders = ["X-Extra": "1"]
        _ = try await origin.with(call).item(.id("x"), expand: [])
        #expect(provider.issued == 1 && provider.api.requests.last?["X-Extra"] == "1")
        // Another instance is not the token's.
        let other = try LoopbackOrigin { _ in .json(#"{"id":"x"}"#) }
        call.url = other.url
        _ = try await origin.with(call).item(.id("x"), expand: [])
        #expect(other.requests.map { $0["Authorization"] } == [nil])
    }

    @Test func `a token that expires while its request waits is replaced once more`() async throws {
        let gate = Gate()
        let issued = Atomic(0)
        let api = try LoopbackOrigin { request in
            if request.path == "/token" {
                return .json(#"{"access_token":"token-\#(issued.add(1, ordering: .relaxed).newValue)"}"#)
            }
            let token = request["Authorization"]
            // The late one is refused with the first token, and with the second after others have used that up.
            guard request.path.hasSuffix("/late"), token != "Bearer token-3" else { return .json(#"{"id":"x"}"#) }
            if token == "Bearer token-2" { gate.hold() }
            return .json("{}", status: 401)
        }
        var settings = OCMSettings(url: api.url)
        settings.authentication = .oauth(
            OAuthSettings(tokenURL: "\(api.url)/token", clientID: "c", clientSecret: "secret of the client")
        )
        let origin = try OCMOrigin(
            channel: "blog",
            settings: settings,
            allow: [],
            fetcher: Fetcher(settings: FetchSettings(), metrics: Metrics(), log: .silent),
            log: .silent
        )
        let late = Task { try await origin.asset(.id("late")) }
        try await gate.waitUntilArrived(1)
        _ = try await origin.asset(.id("early"))
        gate.open()
        #expect(try await late.value.id == "x")
        #expect(issued.load(ordering: .relaxed) == 3)
    }

    @Test func `a second refusal is the answer`() async throws {
        provider.acceptNothing()
        let failure = await failure(try origin())
        guard case .forbidden("127.0.0.1", 401, let detail?) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(provider.api.requests.count == 2 && provider.tokens.requests.count == 2)
        #expect(!detail.contains("live-token"), "\(detail)")
    }

    @Test(arguments: ["0", "-5", #""0""#]) func `a token without a future is used once`(_ lifetime: String) async throws
    {
        provider.expire(in: lifetime)
        let origin = try origin()
        for _ in 0..<3 { _ = try await origin.asset(.id("x")) }
        #expect(provider.issued == 3 && provider.api.requests.count == 3)
    }

    @Test(
        arguments: [(3600, 3539, 1), (3600, 3541, 2), (100, 89, 1), (100, 91, 2), (nil, 3539, 1), (nil, 3541, 2)]
            as [(Int?, Double, Int)]
    )
    func `a token is replaced shortly before it expires`(_ lifetime: Int?, _ after: Double, _ expected: Int)
        async throws
    {
        provider.expire(in: lifetime.map { "\($0)" })
        let clock = ManualTime(1_800_000_000)
        let settings = provider.oauth()
        let fetcher = Fetcher(settings: FetchSettings(), metrics: Metrics(), log: .silent)
        let tokens = try AccessTokens(settings, fetcher: fetcher, now: { clock.seconds })
        let first = try await tokens.current()
        clock.advance(by: after)
        _ = try await tokens.current()
        #expect(provider.issued == expected && first.text == "live-token-1")
    }

    @Test(
        arguments: [
            (
                .json(#"{"error":"invalid_client","error_description":"cl1ent secret"}"#, status: 401),
                "invalid_client"
            ),
            (.json(#"{"error":"cl1ent secret"}"#, status: 400), "no access token"),
            // What was sent, and a secret that a cut would leave half of.
            (.json(#"{"error":"Basic cmVhZGVyJTNBMTpjbDFlbnQrc2VjcmV0"}"#, status: 401), "Basic …"),
            (.json(#"{"error":"client_secret=cl1ent+secret"}"#, status: 401), "client_secret=…"),
            (.json(#"{"error":"\#(String(repeating: "x", count: 52))cl1ent secret"}"#, status: 401), "no access token"),
            (.init(500), "no access token"),
            (.json("{}"), "without an access token"),
            (.json(#"{"access_token":"a b"}"#), "without an access token"),
            (.init(body: "<html>".utf8), "without an access token"),
            (.redirect(to: "/elsewhere"), "no access token"),
        ] as [(LoopbackOrigin.Response, String)]
    )
    func `without a token nothing is asked`(_ answer: LoopbackOrigin.Response, _ words: String) async throws {
        provider.refuse(with: answer)
        let text = await failure(try origin()).map { "\($0)" } ?? ""
        #expect(text.contains(words) && !text.contains("cl1ent") && !text.contains("cmVhZGVy"), "\(text)")
        #expect(provider.tokens.requests.count == 1 && provider.api.requests.isEmpty)
    }

    @Test func `a failure to get a token holds for two seconds`() async throws {
        provider.refuse(with: .json(#"{"error":"invalid_client"}"#, status: 401))
        let clock = ManualTime(1_800_000_000)
        let settings = provider.oauth()
        let fetcher = Fetcher(settings: FetchSettings(), metrics: Metrics(), log: .silent)
        let tokens = try AccessTokens(settings, fetcher: fetcher, now: { clock.seconds })
        for _ in 0..<3 { await #expect(throws: OriginError.self) { try await tokens.current() } }
        #expect(provider.tokens.requests.count == 1)
        provider.refuse(with: nil)
        clock.advance(by: 2.5)
        #expect(try await tokens.current().text == "live-token-1")
    }

    @Test func `neither secret nor token is ever told`() async throws {
        provider.acceptNothing()
        let told = Mutex<[String]>([])
        let log = Log(minimum: .debug) { record in
            told.withLock { $0.append("\(record.message) \(record.fields)") }
        }
        let failure = await failure(try origin(log: log))
        let texts = told.withLock { $0 } + ["\(String(describing: failure))", "\(provider.settings())"]
        #expect(texts.count > 2)
        for text in texts {
            for secret in ["cl1ent", "live-token", "t0ken-of-channel"] { #expect(!text.contains(secret), "\(text)") }
        }
    }

    @Test func `a call that is printed shows neither token nor values`() {
        var call = OCMCall()
        (call.channelToken, call.url, call.headers) = (
            "s3cret-1", "https://s3cret-2.example.com", ["X-Key": "s3cret-3"]
        )
        call.additionalHeaders = ["X-More": "s3cret-4"]
        for text in ["\(call)", String(reflecting: call)] { #expect(text == "v1.1 with X-Key, X-More") }
    }

    @Test func `the channel token travels in a header field where the channel says so`() async throws {
        let server = try LoopbackOrigin { _ in .json(#"{"id":"x","items":[]}"#) }
        var settings = OCMSettings(url: server.url, channelToken: "t0ken-of-channel")
        settings.channelTokenIn = .header
        settings.headers = ["channeltoken": "another"]
        let fetcher = Fetcher(settings: FetchSettings(), metrics: Metrics(), log: .silent)
        let origin = try OCMOrigin(channel: "blog", settings: settings, allow: [], fetcher: fetcher, log: .silent)
        _ = try await origin.asset(.id("x"))
        _ = try await origin.page(at: .start, limit: 1)
        for request in server.requests {
            #expect(request["channelToken"] == "t0ken-of-channel" && request.query["channelToken"] == nil)
        }
        #expect(server.requests.count == 2)
    }
}
