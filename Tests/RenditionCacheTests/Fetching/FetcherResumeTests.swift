import RenditionCache
import Synchronization
import TestSupport
import Testing

@testable import RenditionCache

/// Downloads that are cut, and go on where they were.
@Suite(.timeLimit(.minutes(1))) struct FetcherResumeTests {
    private static let body = noise(10_000)
    private static let whole = LoopbackOrigin.Response(headers: [("ETag", "\"v1\""), ("X-First", "1")], body: body)

    /// Cuts the first response after so many bytes, and answers ranges of `whole` afterwards.
    private func origin(
        cutAfter count: Int = 6000,
        _ whole: LoopbackOrigin.Response = whole,
        then answer: @escaping @Sendable (LoopbackOrigin.Request) -> LoopbackOrigin.Response? = { _ in nil }
    ) throws -> LoopbackOrigin {
        let script = Script(whole.cut(after: count), .init(599))
        return try LoopbackOrigin { request in
            let first = script.next()
            return first.status != 599 ? first : answer(request) ?? whole.ranged(for: request)
        }
    }

    @Test func `only the rest of a cut body is asked for and transferred`() async throws {
        let origin = try origin()
        let sink = RecordingSink()
        let fixture = FetcherFixture()
        let response = try await fixture.fetch(origin.url, into: sink) {
            $0.validators.entityTag = "\"v0\""
            $0.ownHeaders = [HeaderField("Authorization", "Bearer t")]
        }
        #expect(Digest(of: sink.bytes) == Digest(of: Self.body))
        #expect(sink.events.count { $0 == .expect(10_000) } == 1)
        #expect(!sink.events.contains(.restart))
        let second = try #require(origin.requests.last)
        #expect(second["Range"] == "bytes=6000-" && second["If-Range"] == "\"v1\"")
        #expect(second["Accept-Encoding"] == "identity" && second["If-None-Match"] == nil)
        #expect(second["Authorization"] == "Bearer t")
        #expect(origin.requests.first?["Range"] == nil && origin.requests.count == 2)
        #expect(response.status == 200 && response.byteCount == 10_000)
        #expect(response["Content-Length"] == "10000" && response["Content-Range"] == nil && response["X-First"] == "1")
        #expect(fixture.metrics[.originBytes] == 10_000)
        #expect(fixture.metrics[.originResumes] == 1)
    }

    @Test func `a rest that is cut too is resumed again`() async throws {
        let script = Script(.init(body: []), .init(599))
        let origin = try origin { request in
            let rest = Self.whole.ranged(for: request)
            return script.next().status == 200 ? rest.cut(after: 1500) : rest
        }
        let sink = RecordingSink()
        _ = try await FetcherFixture().fetch(origin.url, into: sink)
        #expect(sink.bytes == Self.body)
        #expect(origin.requests.map { $0["Range"] } == [nil, "bytes=6000-", "bytes=7500-"])
    }

    @Test func `progress goes on, and knows the whole`() async throws {
        let origin = try origin()
        let steps = RecordingSteps()
        _ = try await FetcherFixture().fetch(origin.url, progress: { steps.take($0, $1) })
        #expect(steps.all.map(\.received) == steps.all.map(\.received).sorted())
        #expect(steps.all.last?.received == 10_000)
        #expect(steps.all.allSatisfy { $0.expected == 10_000 })
    }

    @Test func `another version begins from its first byte`() async throws {
        let other = LoopbackOrigin.Response(headers: [("ETag", "\"v2\"")], body: noise(12_000).reversed())
        let origin = try origin { request in other.ranged(for: request) }
        let sink = RecordingSink()
        let response = try await FetcherFixture().fetch(origin.url, into: sink)
        #expect(sink.bytes == other.body)
        #expect(response["ETag"] == "\"v2\"" && response.byteCount == 12_000)
        #expect(
            sink.events.filter { if case .bytes = $0 { false } else { true } }
                == [.expect(10_000), .restart, .expect(12_000)]
        )
        #expect(origin.requests.count == 2)
    }

    private static let unfit: [LoopbackOrigin.Response] = [
        .init(headers: [("ETag", "W/\"v1\"")], body: body), .init(body: body),
        .init(headers: [("ETag", "\"v1\""), ("Accept-Ranges", "none")], body: body),
        .init(headers: [("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")], body: body),
    ]

    @Test(arguments: unfit.indices) func `a body that cannot be resumed for sure begins anew`(_ index: Int) async throws
    {
        let origin = try origin(Self.unfit[index])
        let sink = RecordingSink()
        _ = try await FetcherFixture().fetch(origin.url, into: sink)
        #expect(sink.bytes == Self.body)
        #expect(origin.requests.allSatisfy { $0["Range"] == nil && $0["If-Range"] == nil })
        #expect(sink.events.count { $0 == .restart } == 1)
    }

    @Test func `a date resumes where it is a strong validator`() async throws {
        let modified = "Sun, 06 Nov 1994 08:49:37 GMT"
        let dates = [("Last-Modified", modified), ("Date", "Sun, 06 Nov 1994 09:49:37 GMT")]
        let origin = try origin(.init(headers: dates, body: Self.body))
        let sink = RecordingSink()
        _ = try await FetcherFixture().fetch(origin.url, into: sink)
        #expect(sink.bytes == Self.body)
        #expect(origin.requests.last?["If-Range"] == modified)
        #expect(!sink.events.contains(.restart))
    }

    @Test func `a compressed body begins anew`() async throws {
        let text = Array(String(repeating: "<rect/>", count: 20_000).utf8) + noise(5000)
        let compressed = try LoopbackOrigin.Response(headers: [("ETag", "\"v1\"")], body: text).gzipped()
        let origin = try origin(cutAfter: compressed.body.count - 100, compressed)
        let sink = RecordingSink()
        _ = try await FetcherFixture().fetch(origin.url, into: sink)
        #expect(sink.bytes == text)
        #expect(origin.requests.count == 2 && origin.requests.allSatisfy { $0["Range"] == nil })
    }

    private static let wrong: [LoopbackOrigin.Response] = [
        .init(416, headers: [("Content-Range", "bytes */10000")]),
        .init(206, headers: [("Content-Range", "bytes 5999-9999/10000"), ("ETag", "\"v1\"")], body: body[5999...]),
        .init(206, headers: [("Content-Range", "bytes 6000-8999/9000"), ("ETag", "\"v1\"")], body: body[6000..<9000]),
        .init(206, headers: [("Content-Range", "bytes 6000-9999/10000"), ("ETag", "\"v2\"")], body: body[6000...]),
        // Of which version, it does not say.
        .init(206, headers: [("Content-Range", "bytes 6000-9999/10000")], body: body[6000...]),
        .init(206, headers: [("Content-Type", "multipart/byteranges; boundary=x")], body: body[6000...]),
    ]

    @Test(arguments: wrong.indices) func `an answer that is not the rest begins anew`(_ index: Int) async throws {
        let origin = try origin { request in request["Range"] == nil ? nil : Self.wrong[index] }
        let sink = RecordingSink()
        _ = try await FetcherFixture().fetch(origin.url, into: sink)
        #expect(sink.bytes == Self.body)
        #expect(origin.requests.map { $0["Range"] } == [nil, "bytes=6000-", nil])
    }

    @Test func `a rest that is shorter than announced is no whole`() async throws {
        let range = [("Content-Range", "bytes 6000-9999/10000"), ("ETag", "\"v1\"")]
        let short = LoopbackOrigin.Response(206, headers: range, body: Self.body[6000..<9000]).framed(.chunked)
        let origin = try origin { _ in short }
        let failure = await FetcherFixture().failure(origin.url)
        guard case .cut? = failure else {
            Issue.record("not cut but \(String(describing: failure))")
            return
        }
    }

    @Test func `a rest that is longer than announced begins anew`() async throws {
        let range = [("Content-Range", "bytes 6000-9999/10000"), ("ETag", "\"v1\"")]
        let long = LoopbackOrigin.Response(206, headers: range, body: Self.body[6000...] + [1]).framed(.chunked)
        let origin = try origin { request in request["Range"] == nil ? nil : long }
        let sink = RecordingSink()
        _ = try await FetcherFixture().fetch(origin.url, into: sink)
        #expect(sink.bytes == Self.body)
        #expect(origin.requests.map { $0["Range"] } == [nil, "bytes=6000-", nil])
    }

    @Test func `a status in between keeps what is there`() async throws {
        let script = Script(.init(503), .init(599))
        let origin = try origin { _ in
            let answer = script.next()
            return answer.status == 503 ? answer : nil
        }
        let sink = RecordingSink()
        _ = try await FetcherFixture().fetch(origin.url, into: sink)
        #expect(sink.bytes == Self.body)
        #expect(origin.requests.map { $0["Range"] } == [nil, "bytes=6000-", "bytes=6000-"])
    }

    @Test func `an answer of another kind leaves nothing in the sink`() async throws {
        let origin = try origin { _ in .init(404, body: "gone".utf8) }
        let sink = RecordingSink()
        let response = try await FetcherFixture().fetch(origin.url, into: sink)
        #expect(response.status == 404 && response.errorBody == Array("gone".utf8))
        #expect(sink.bytes.isEmpty && response.byteCount == 0)
    }

    @Test func `the limit holds across the cut`() async throws {
        let whole = LoopbackOrigin.Response(headers: [("ETag", "\"v1\"")], body: Self.body).framed(.chunked)
        let origin = try origin(whole)
        let sink = RecordingSink()
        let failure = await FetcherFixture().failure(origin.url, into: sink) { $0.maxBytes = 9000 }
        #expect(failure == .tooLarge(host: "127.0.0.1", limit: 9000))
        #expect(origin.requests.count == 2)
        #expect(sink.bytes.count <= 9000)
    }

    @Test func `a body of unknown length is resumed, too`() async throws {
        let whole = LoopbackOrigin.Response(headers: [("ETag", "\"v1\"")], body: Self.body).framed(.chunked)
        let origin = try origin(whole)
        let sink = RecordingSink()
        let response = try await FetcherFixture().fetch(origin.url, into: sink)
        #expect(sink.bytes == Self.body && response.byteCount == 10_000)
        #expect(origin.requests.last?["Range"] == "bytes=6000-")
        #expect(!sink.events.contains(.restart))
    }

    @Test func `a stall is resumed, too`() async throws {
        let gate = Gate()
        defer { gate.open() }
        let script = Script(Self.whole.paused(after: 6000, by: gate), .init(599))
        let origin = try LoopbackOrigin { request in
            let first = script.next()
            return first.status == 599 ? Self.whole.ranged(for: request) : first
        }
        let sink = RecordingSink()
        _ = try await FetcherFixture { $0.stallTimeout = .milliseconds(500) }.fetch(origin.url, into: sink)
        #expect(sink.bytes == Self.body)
        #expect(origin.requests.last?["Range"] == "bytes=6000-")
    }

    @Test(arguments: [true, false]) func `behind a redirect the rest is asked for only where the beginning came from`(
        _ isSame: Bool
    ) async throws {
        let number = Script(.init(body: [1]), .init(body: [2]))
        let origin = try origin(Self.whole)
        let front = try LoopbackOrigin { request in
            .redirect(to: "\(origin.url)/\(isSame ? 0 : number.next().body[0])")
        }
        let sink = RecordingSink()
        let response = try await FetcherFixture().fetch(front.url, into: sink)
        #expect(sink.bytes == Self.body && response.status == 200)
        #expect(origin.requests.map { $0["Range"] } == [nil, isSame ? "bytes=6000-" : nil])
        #expect(front.requests.allSatisfy { $0["Range"] == nil })
        #expect(sink.events.contains(.restart) == !isSame)
    }
}

/// How far a download said it was.
private final class RecordingSteps: Sendable {
    private let steps = Mutex<[(received: Int, expected: Int?)]>([])

    var all: [(received: Int, expected: Int?)] { steps.withLock { $0 } }

    func take(_ received: Int, _ expected: Int?) { steps.withLock { $0.append((received, expected)) } }
}
