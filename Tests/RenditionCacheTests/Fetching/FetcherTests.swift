import RenditionCache
import Synchronization
import TestSupport
import Testing

@testable import RenditionCache

@Suite(.timeLimit(.minutes(1))) struct FetcherTests {
    @Test func `a body streams into the sink with its length known beforehand`() async throws {
        let body = noise(300_000)
        let origin = try LoopbackOrigin { _ in .init(type: "image/jpeg", headers: [("ETag", "\"v1\"")], body: body) }
        let sink = RecordingSink()
        let heard = Mutex<[Int]>([])
        let fixture = FetcherFixture()
        let response = try await fixture.fetch(
            origin.url + "/a.jpg?x=1",
            into: sink,
            progress: { received, expected in
                #expect(expected == body.count)
                heard.withLock { $0.append(received) }
            }
        )
        #expect(response.status == 200)
        #expect(response.byteCount == body.count)
        #expect(response["etag"] == "\"v1\"")
        #expect(response["CONTENT-TYPE"] == "image/jpeg")
        #expect(sink.events.first == .expect(body.count))
        #expect(sink.bytes == body)
        #expect(sink.events.count > 2, "a large body comes in pieces")
        let steps = heard.withLock { $0 }
        #expect(steps == steps.sorted() && steps.last == body.count)
        #expect(origin.requests.map(\.target) == ["/a.jpg?x=1"])
        #expect(origin.requests.first?["User-Agent"] == "rcache/0.1")
        #expect(origin.requests.first?["Cookie"] == nil)
        #expect(fixture.metrics[.originRequests] == 1)
        #expect(fixture.metrics[.originBytes] == body.count)
        #expect(fixture.metrics[.originFailures] == 0)
    }

    @Test(arguments: [LoopbackOrigin.Response.Framing.chunked, .closing])
    func `a body of unknown length arrives whole without an expectation`(
        _ framing: LoopbackOrigin.Response.Framing
    ) async throws {
        let body = noise(50_000)
        let origin = try LoopbackOrigin { _ in .init(body: body).framed(framing) }
        let sink = RecordingSink()
        _ = try await FetcherFixture().fetch(origin.url, into: sink)
        #expect(sink.bytes == body)
        #expect(!sink.events.contains { if case .expect = $0 { true } else { false } })
    }

    @Test(arguments: [LoopbackOrigin.Response.Framing.length, .chunked])
    func `a compressed body is decoded whole and has no known length`(
        _ framing: LoopbackOrigin.Response.Framing
    ) async throws {
        let body = Array(String(repeating: "<rect width='1'/>", count: 20_000).utf8)
        let compressed = try LoopbackOrigin.Response(type: "image/svg+xml", body: body).gzipped().framed(framing)
        let origin = try LoopbackOrigin { _ in compressed }
        let sink = RecordingSink()
        let response = try await FetcherFixture().fetch(origin.url, into: sink)
        #expect(compressed.body.count < body.count / 10)
        #expect(sink.bytes == body)
        #expect(response.byteCount == body.count)
        #expect(!sink.events.contains { if case .expect = $0 { true } else { false } })
        #expect(origin.requests.first?["Accept-Encoding"]?.contains("gzip") == true)
    }

    @Test func `twenty requests in a row share one connection`() async throws {
        let origin = try LoopbackOrigin { _ in .init(body: [1, 2, 3]) }
        let fixture = FetcherFixture()
        for number in 0..<20 { _ = try await fixture.fetch("\(origin.url)/\(number)") }
        #expect(origin.requests.count == 20)
        #expect(origin.connections == 1)
    }

    @Test func `a conditional request sends its validators and takes 304 for an answer`() async throws {
        let origin = try LoopbackOrigin { request in
            request["If-None-Match"] == "\"v1\"" ? .init(304, headers: [("ETag", "\"v1\"")]) : .init(body: [1])
        }
        let sink = RecordingSink()
        let fixture = FetcherFixture()
        let response = try await fixture.fetch(origin.url, into: sink) {
            $0.validators = .init(entityTag: "\"v1\"", modifiedSeconds: 784_111_777)
        }
        #expect(response.isNotModified)
        #expect(sink.events.isEmpty)
        #expect(fixture.metrics[.originBytes] == 0)
        #expect(origin.requests.first?["If-Modified-Since"] == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test(arguments: [206, 400, 401, 403, 404, 410, 501])
    func `a status other than success is an answer whose body never reaches the sink`(_ status: Int) async throws {
        let origin = try LoopbackOrigin { _ in
            .init(status, headers: [("Retry-After", "2")], body: "explained".utf8)
        }
        let sink = RecordingSink()
        let response = try await FetcherFixture().fetch(origin.url, into: sink)
        #expect(response.status == status)
        #expect(String(decoding: response.errorBody, as: UTF8.self) == "explained")
        #expect(response.retryAfter(now: 0) == .seconds(2))
        #expect(sink.events.isEmpty)
        #expect(origin.requests.count == 1, "an answer is not asked for again")
    }

    @Test(arguments: [429, 500, 502, 503, 504])
    func `a status that may pass is an answer after two more tries`(_ status: Int) async throws {
        let origin = try LoopbackOrigin { _ in .init(status, body: "explained".utf8) }
        let sink = RecordingSink()
        let fixture = FetcherFixture()
        let response = try await fixture.fetch(origin.url, into: sink)
        #expect(response.status == status)
        #expect(String(decoding: response.errorBody, as: UTF8.self) == "explained")
        #expect(sink.events.isEmpty)
        #expect(origin.requests.count == 3)
        #expect(fixture.metrics[.originRetries] == 2)
    }

    @Test func `an endless error page is kept to its first 64 KB`() async throws {
        let gate = Gate()
        let body = noise(200_000)
        let origin = try LoopbackOrigin { _ in .init(500, body: body).paused(after: 100_000, by: gate) }
        let response = try await FetcherFixture().fetch(origin.url)
        gate.open()
        #expect(response.status == 500)
        #expect(response.errorBody == Array(body.prefix(65_536)))
    }

    @Test func `an error page cut short still says its status`() async throws {
        let body = noise(1000)
        let origin = try LoopbackOrigin { _ in .init(503, body: body).cut(after: 10) }
        let response = try await FetcherFixture().fetch(origin.url)
        #expect(response.status == 503)
        #expect(response.errorBody.count == 10)
    }

    @Test func `a closed fetcher refuses, and ends what runs`() async throws {
        let gate = Gate()
        let origin = try LoopbackOrigin { _ in .init(body: [1]).held(by: gate) }
        let fixture = FetcherFixture()
        async let hanging = fixture.failure(origin.url)
        try await gate.waitUntilArrived(1)
        await fixture.fetcher.shutDown()
        #expect(await hanging == .cancelled)
        #expect(await fixture.failure(origin.url) == .cancelled)
        await fixture.fetcher.shutDown()
        gate.open()
    }
}
