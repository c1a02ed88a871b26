import RenditionCache
import TestSupport
import Testing

@testable import RenditionCache

/// Redirects, who hears credentials on the way, and which addresses are connected to.
@Suite(.timeLimit(.minutes(1))) struct FetcherRedirectTests {
    private static let own = [HeaderField("Authorization", "Bearer s3cret-token"), HeaderField("X-Custom", "mine")]

    @Test(arguments: [301, 302, 303, 307, 308], ["/b", "b", "?x=1", "//{authority}/b"])
    func `a redirect is followed to where it leads`(_ status: Int, _ location: String) async throws {
        let origin = try LoopbackOrigin { request in
            guard request.target == "/dir/a" else { return .init(body: request.target.utf8) }
            let authority = request["Host"] ?? ""
            return .redirect(to: location.replacing("{authority}", with: authority), status: status)
        }
        let sink = CollectingSink()
        let response = try await FetcherFixture().fetch(origin.url + "/dir/a", into: sink)
        let expected = ["/b": "/b", "b": "/dir/b", "?x=1": "/dir/a?x=1", "//{authority}/b": "/b"][location]
        #expect(String(decoding: sink.bytes, as: UTF8.self) == expected)
        #expect(response.url.text == origin.url + (expected ?? ""))
    }

    @Test func `credentials follow a redirect on the channel's own origin`() async throws {
        let origin = try LoopbackOrigin { request in
            request.path == "/a" ? .redirect(to: "/b") : .init(body: [1])
        }
        let policy = OriginPolicy(origin: try #require(WebURL(origin.url)))
        _ = try await FetcherFixture().fetch(origin.url + "/a", policy: policy) { $0.ownHeaders = Self.own }
        #expect(origin.requests.map { $0["Authorization"] } == ["Bearer s3cret-token", "Bearer s3cret-token"])
    }

    @Test(arguments: ["another port", "another host"])
    func `credentials and custom fields are dropped on the way elsewhere, and come back with it`(
        _ difference: String
    ) async throws {
        let other = try LoopbackOrigin { request in .redirect(to: request.query["back"] ?? "") }
        let origin = try LoopbackOrigin { request in
            guard request.path == "/a" else { return .init(body: [1]) }
            let host = difference == "another port" ? "127.0.0.1" : "localhost"
            return .redirect(to: "http://\(host):\(other.port)/x?back=http://\(request["Host"] ?? "")/b")
        }
        let policy = OriginPolicy(origin: try #require(WebURL(origin.url)), allow: ["localhost", "127.0.0.1"])
        _ = try await FetcherFixture().fetch(origin.url + "/a", policy: policy) {
            $0.ownHeaders = Self.own
            $0.headers = [HeaderField("X-Plain", "1")]
        }
        let there = try #require(other.requests.first)
        #expect(there["Authorization"] == nil && there["X-Custom"] == nil && there["X-Plain"] == "1")
        #expect(origin.requests.map { $0["X-Custom"] } == ["mine", "mine"])
    }

    @Test(arguments: ["/self", "/two"])
    func `a loop of redirects ends at the limit with one clear error`(_ path: String) async throws {
        let origin = try LoopbackOrigin { request in
            switch request.path {
            case "/two": .redirect(to: "/other")
            case "/other": .redirect(to: "/two")
            default: .redirect(to: "/self")
            }
        }
        let failure = await FetcherFixture().failure(origin.url + path)
        #expect(failure == .tooManyRedirects(host: "127.0.0.1", limit: 5))
        #expect(origin.requests.count == 6)
    }

    @Test func `as many redirects as allowed are followed`() async throws {
        let origin = try LoopbackOrigin { request in
            let step = Int(request.path.dropFirst()) ?? 0
            return step < 5 ? .redirect(to: "/\(step + 1)") : .init(body: [9])
        }
        let sink = CollectingSink()
        _ = try await FetcherFixture().fetch(origin.url + "/0", into: sink)
        #expect(sink.bytes == [9])
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1:6379/_x", "http://u:p@127.0.0.1/"])
    func `a redirect to anything but plain http or https is not followed`(_ location: String) async throws {
        let origin = try LoopbackOrigin { _ in .redirect(to: location) }
        guard case .badURL(let text)? = await FetcherFixture().failure(origin.url + "/a?token=s3cret") else {
            Issue.record("followed")
            return
        }
        #expect(!text.contains("s3cret"))
    }

    @Test func `a redirect without a target is an answer`() async throws {
        let origin = try LoopbackOrigin { _ in .init(302) }
        #expect(try await FetcherFixture().fetch(origin.url).status == 302)
    }

    @Test(arguments: ["127.0.0.1", "127.1", "0x7f000001", "[::ffff:127.0.0.1]", "0.0.0.0", "[::1]"])
    func `a redirect to a private address is refused before anything is sent`(_ host: String) async throws {
        let inner = try LoopbackOrigin { _ in .init(body: "secret".utf8) }
        let origin = try LoopbackOrigin { _ in .redirect(to: "http://\(host):\(inner.port)/") }
        let start = "http://localhost:\(origin.port)/"
        let policy = OriginPolicy(origin: try #require(WebURL(start)))
        let failure = await FetcherFixture().failure(start, policy: policy)
        guard case .addressRefused? = failure else {
            Issue.record("not refused but \(String(describing: failure))")
            return
        }
        #expect(inner.connections == 0)
        #expect(origin.requests.count == 1, "it is not tried again")
    }

    @Test(arguments: ["127.0.0.1", "127.0.0.0/8"])
    func `an address that the configuration allows is connected to`(_ allowed: String) async throws {
        let inner = try LoopbackOrigin { _ in .init(body: [4]) }
        let origin = try LoopbackOrigin { _ in .redirect(to: inner.url) }
        let start = "http://localhost:\(origin.port)/"
        let policy = OriginPolicy(origin: try #require(WebURL(start)), allow: [allowed])
        let sink = CollectingSink()
        _ = try await FetcherFixture().fetch(start, into: sink, policy: policy)
        #expect(sink.bytes == [4])
    }

    @Test func `a kept connection does not carry a request that its policy refuses`() async throws {
        let inner = try LoopbackOrigin { _ in .init(body: [1]) }
        let origin = try LoopbackOrigin { _ in .redirect(to: inner.url) }
        let fixture = FetcherFixture()
        // The inner server is this channel's own: the connection to it stays open.
        _ = try await fixture.fetch(inner.url, policy: OriginPolicy(origin: try #require(WebURL(inner.url))))
        let start = "http://localhost:\(origin.port)/"
        let failure = await fixture.failure(start, policy: OriginPolicy(origin: try #require(WebURL(start))))
        #expect(failure == .addressRefused(host: "127.0.0.1", address: "127.0.0.1"))
        #expect(inner.requests.count == 1)
    }
}
