import RenditionCache
import TestSupport
import Testing

@testable import RenditionCache

@Suite(.timeLimit(.minutes(1))) struct AEMAuthenticationTests {
    private static let cases = AEMFixtures.cases("auth-cases.json")
    private static let jpeg = [0xFF, 0xD8, 0xFF, 0xE0] + noise(300)
    private static let asset = Asset(id: "content/dam/a.jpg", name: "a.jpg")

    @Test func `the cases are there`() {
        #expect(Self.cases.count == 13)
    }

    /// An instance that asks for what the case says: the header that the case's own server accepts.
    private func instance(asking header: String?) throws -> LoopbackOrigin {
        try LoopbackOrigin { request in
            let isPicture = request.path.hasPrefix("/content/dam/")
            guard request["Authorization"] == header else {
                return AEMFixtures.answer("error-401.\(isPicture ? "delivery" : "graphql").json", status: 401)
            }
            return isPicture ? .init(body: Self.jpeg) : AEMFixtures.answer("adventures-all.json")
        }
    }

    /// What a client is configured with whose requests carry the case's header; nil where no client of ours sends that.
    private static func authentication(_ test: AEMCase) -> OriginAuthentication? {
        switch (test.json["mode"]?.string, test.json["header"]?.string) {
        case (_, nil): OriginAuthentication.none
        case ("basic", "Basic YWRtaW46d3Jvbmc="): .basic(user: "admin", password: "wrong")
        // The Java client's ISO 8859-1 and the iOS sample's printed optional are other clients' spellings.
        case ("basic", "Basic em/rOnDkc3N39nJ0"), ("token", "Bearer Optional(\"abcd0123\")"): nil
        case ("basic", _):
            .basic(user: test.json["user"]?.string ?? "", password: test.json["password"]?.string ?? "")
        case ("token", "Bearer wrong"): .bearer(token: "wrong")
        case ("token", "Basic YWRtaW46YWRtaW4="): .basic(user: "admin", password: "admin")
        case ("token", _): .bearer(token: test.json["token"]?.string ?? "")
        default: nil
        }
    }

    @Test(arguments: cases.filter { authentication($0) != nil })
    func `queries and pictures carry the same credential`(_ test: AEMCase) async throws {
        let authentication = try #require(Self.authentication(test))
        let header = test.json["header"]?.string
        let isRefused = test.json["graphql"]?.int == 401
        let server = try instance(asking: isRefused ? "Basic something else" : header.map(Self.written))
        let origin = try aemOrigin(server, authentication: authentication)
        let query = await originFailure { () throws(OriginError) in try await origin.page(at: .start, limit: 1) }
        let picture = await originFailure { () throws(OriginError) in
            try await origin.fetchNative(Self.asset, into: RecordingSink(), options: FetchOptions())
        }
        #expect(server.requests.map { $0["Authorization"] } == [header.map(Self.written), header.map(Self.written)])
        guard isRefused else {
            #expect(query == nil && picture == nil)
            return
        }
        #expect(query == .forbidden(host: "127.0.0.1", status: 401, detail: "Unauthorized"))
        #expect(
            picture == .forbidden(host: "127.0.0.1", status: 401, detail: "Credentials are missing or not valid.")
        )
    }

    /// Our own spelling: the scheme's case does not matter (RFC 9110 §11.1).
    private static func written(_ header: String) -> String {
        header.hasPrefix("bearer ") ? "B" + header.dropFirst() : header
    }

    @Test func `every case but those of other clients is sent`() {
        let unsent = Self.cases.filter { Self.authentication($0) == nil }
        #expect(unsent.map(\.description) == ["auth-07", "auth-09"])
    }

    @Test func `a redirect to another host takes no credential along`() async throws {
        let other = try LoopbackOrigin { _ in .init(body: Self.jpeg) }
        let server = try LoopbackOrigin { request in
            request.path == "/content/dam/a.jpg"
                ? .redirect(to: "/content/dam/b.jpg") : .redirect(to: "\(other.url)/c.jpg")
        }
        let origin = try aemOrigin(
            server,
            authentication: .basic(user: "admin", password: "secret"),
            allow: ["127.0.0.1"]
        )
        let sink = RecordingSink()
        _ = try await origin.fetchNative(Self.asset, into: sink, options: FetchOptions())
        #expect(sink.bytes == Self.jpeg)
        #expect(server.requests.allSatisfy { $0["Authorization"] != nil } && server.requests.count == 2)
        #expect(other.requests.map { $0["Authorization"] } == [nil])
    }

    @Test func `a remote picture's host gets no credential`() async throws {
        let server = try LoopbackOrigin { _ in .init(500) }
        let other = try LoopbackOrigin { _ in .init(body: Self.jpeg) }
        let origin = try aemOrigin(server, authentication: .bearer(token: "abcd0123"), allow: ["127.0.0.1"])
        let asset = Asset(
            id: "urn:aaid:aem:u1",
            name: "a",
            address: "\(other.url)/adobe/assets/urn:aaid:aem:u1/original/as/a"
        )
        _ = try await origin.fetchNative(asset, into: RecordingSink(), options: FetchOptions())
        #expect(other.requests.map { $0["Authorization"] } == [nil] && server.requests.isEmpty)
    }
}
