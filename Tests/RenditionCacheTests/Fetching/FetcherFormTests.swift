import RenditionCache
import TestSupport
import Testing

@testable import RenditionCache

/// Forms that are posted, as for tokens.
@Suite(.timeLimit(.minutes(1))) struct FetcherFormTests {
    private static let fields = [("grant_type", "client_credentials"), ("client_secret", "s3cret & more=ü*")]

    private func form() throws -> FetchRequest.Form { try #require(FetchRequest.Form(Self.fields)) }

    @Test func `a form is posted, and its answer goes to the sink`() async throws {
        let origin = try LoopbackOrigin { _ in .json(#"{"access_token":"t"}"#) }
        let form = try form()
        let sink = CollectingSink()
        let response = try await FetcherFixture().fetch(origin.url + "/token", into: sink) {
            $0.form = form
            $0.ownHeaders = [HeaderField("Authorization", "Basic x")]
        }
        #expect(response.status == 200)
        #expect(String(decoding: sink.bytes, as: UTF8.self) == #"{"access_token":"t"}"#)
        let request = try #require(origin.requests.first)
        #expect(request.method == "POST")
        #expect(request["Content-Type"] == "application/x-www-form-urlencoded")
        #expect(request["Authorization"] == "Basic x" && request["Expect"] == nil)
        #expect(
            String(decoding: request.body, as: UTF8.self)
                == "grant_type=client_credentials&client_secret=s3cret+%26+more%3D%C3%BC*"
        )
    }

    @Test func `a form that may have been taken is not posted again`() async throws {
        let origin = try LoopbackOrigin { _ in .init(body: []).framed(.headless) }
        let form = try form()
        guard case .cut? = await FetcherFixture().failure(origin.url, change: { $0.form = form }) else {
            Issue.record("not cut")
            return
        }
        #expect(origin.requests.count == 1)
    }

    @Test func `it goes over a connection of its own, so that no dead one makes it go twice`() async throws {
        // The first answer looks as if the connection could be used again, but it is closed when the next request has come.
        let origin = try LoopbackOrigin { request in
            request.connection == 1 && request.path != "/first" ? .init(body: []).framed(.headless) : .init(body: [1])
        }
        let fixture = FetcherFixture()
        _ = try await fixture.fetch(origin.url + "/first")
        let form = try form()
        #expect(try await fixture.fetch(origin.url + "/token") { $0.form = form }.status == 200)
        #expect(origin.hits("/token") == 1)
        #expect(origin.connections == 2)
    }

    @Test(arguments: [500, 502, 503, 504, 400, 401]) func `a failure in answer to it stands`(_ status: Int) async throws
    {
        let origin = try LoopbackOrigin { _ in .init(status) }
        let form = try form()
        #expect(try await FetcherFixture().fetch(origin.url) { $0.form = form }.status == status)
        #expect(origin.requests.count == 1)
    }

    @Test func `what was not taken is posted again`() async throws {
        let script = Script(.init(429), .init(body: [1]))
        let origin = try LoopbackOrigin { _ in script.next() }
        let form = try form()
        let fixture = FetcherFixture()
        #expect(try await fixture.fetch(origin.url) { $0.form = form }.status == 200)
        let closed = try ClosedPort()
        let before = fixture.metrics[.originRequests]
        guard case .cannotConnect? = await fixture.failure(closed.url, change: { $0.form = form }) else {
            Issue.record("not refused")
            return
        }
        #expect(fixture.metrics[.originRequests] == before + 3)
    }

    @Test(arguments: [301, 302, 303, 307, 308]) func `a redirect of it is an answer`(_ status: Int) async throws {
        let origin = try LoopbackOrigin { _ in .redirect(to: "/elsewhere", status: status) }
        let form = try form()
        #expect(try await FetcherFixture().fetch(origin.url) { $0.form = form }.status == status)
        #expect(origin.requests.map(\.path) == ["/"])
    }

    @Test func `a form prints its length alone`() throws {
        let form = try form()
        #expect("\(form)" == "a form of \(form.text.utf8.count) bytes")
        #expect(!String(reflecting: form).contains("s3cret"))
    }

    @Test func `a form of more than 64 KB is none`() {
        #expect(FetchRequest.Form([("a", String(repeating: "x", count: 65_534))])?.text.utf8.count == 65_536)
        #expect(FetchRequest.Form([("a", String(repeating: "x", count: 65_535))]) == nil)
        #expect(FetchRequest.Form([])?.text.isEmpty == true)
    }
}
