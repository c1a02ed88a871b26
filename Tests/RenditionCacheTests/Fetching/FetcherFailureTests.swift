import RenditionCache
import Synchronization
import TestSupport
import Testing

@testable import RenditionCache

@Suite(.timeLimit(.minutes(1))) struct FetcherFailureTests {
    @Test func `a body shorter than its length is tried again from the start`() async throws {
        let body = noise(10_000)
        let hits = Mutex(0)
        let origin = try LoopbackOrigin { _ in
            let hit = hits.withLock { count in
                count += 1
                return count
            }
            return hit < 3 ? .init(body: body).cut(after: 6000) : .init(body: body)
        }
        let sink = RecordingSink()
        let fixture = FetcherFixture()
        _ = try await fixture.fetch(origin.url, into: sink)
        #expect(sink.bytes == body)
        #expect(sink.events.count { $0 == .restart } == 2)
        #expect(origin.requests.count == 3)
        #expect(fixture.metrics[.originFailures] == 2)
    }

    @Test func `a body that is always cut is an error after three tries`() async throws {
        let body = noise(10_000)
        let origin = try LoopbackOrigin { _ in .init(body: body).cut(after: 6000) }
        let failure = await FetcherFixture().failure(origin.url)
        #expect(failure == .cut(host: "127.0.0.1", received: 6000, expected: 10_000))
        #expect(origin.requests.count == 3)
    }

    @Test func `chunks without a last chunk are a cut body`() async throws {
        let body = noise(5000)
        let origin = try LoopbackOrigin { _ in .init(body: body).framed(.chunkedWithoutEnd) }
        let failure = await FetcherFixture().failure(origin.url)
        #expect(failure == .cut(host: "127.0.0.1", received: 5000, expected: nil))
    }

    @Test func `a compressed body that ends early is an error`() async throws {
        let whole = try LoopbackOrigin.Response(body: noise(50_000)).gzipped()
        let origin = try LoopbackOrigin { _ in whole.cut(after: 20_000) }
        let failure = await FetcherFixture().failure(origin.url)
        guard case .cut(_, _, let expected) = failure else {
            Issue.record("not cut but \(String(describing: failure))")
            return
        }
        #expect(expected == nil, "the compressed length says nothing of the body")
    }

    @Test func `a connection closed right after the head is tried again`() async throws {
        let hits = Mutex(0)
        let origin = try LoopbackOrigin { _ in
            let hit = hits.withLock { count in
                count += 1
                return count
            }
            return hit == 1 ? .init(body: noise(9)).cut(after: 0) : .init(body: [5])
        }
        let sink = CollectingSink()
        _ = try await FetcherFixture().fetch(origin.url, into: sink)
        #expect(sink.bytes == [5])
    }

    @Test func `nobody listening is an error that names the host`() async throws {
        let closed = try ClosedPort()
        let failure = await FetcherFixture().failure(closed.url)
        guard case .cannotConnect("127.0.0.1", _) = failure else {
            Issue.record("not refused but \(String(describing: failure))")
            return
        }
    }

    @Test func `silence before the first byte ends at the stall limit, after one more try`() async throws {
        let gate = Gate()
        defer { gate.open() }
        let origin = try LoopbackOrigin { _ in .init(body: [1]).held(by: gate) }
        let fixture = FetcherFixture { $0.stallTimeout = .milliseconds(500) }
        let failure = await fixture.failure(origin.url)
        #expect(failure == .timedOut(host: "127.0.0.1", phase: "stall", after: .milliseconds(500)))
        #expect(origin.requests.count == 2)
    }

    @Test func `silence within the body ends at the stall limit`() async throws {
        let gate = Gate()
        defer { gate.open() }
        let body = noise(2000)
        let origin = try LoopbackOrigin { _ in .init(body: body).paused(after: 1, by: gate) }
        let sink = RecordingSink()
        let failure = await FetcherFixture { $0.stallTimeout = .milliseconds(500) }.failure(origin.url, into: sink)
        #expect(failure == .timedOut(host: "127.0.0.1", phase: "stall", after: .milliseconds(500)))
        #expect(sink.bytes == [body[0]])
    }

    @Test func `the total limit ends what never stalls`() async throws {
        let gate = Gate()
        defer { gate.open() }
        let origin = try LoopbackOrigin { _ in .init(body: [1]).held(by: gate) }
        let failure = await FetcherFixture { $0.totalTimeout = .milliseconds(500) }.failure(origin.url)
        #expect(failure == .timedOut(host: "127.0.0.1", phase: "total", after: .milliseconds(500)))
        #expect(origin.requests.count == 1)
    }

    @Test func `a handshake that never ends passes the connect limit`() async throws {
        // A server that waits for a request line never answers the greeting of TLS.
        let origin = try LoopbackOrigin { _ in .init() }
        let fixture = FetcherFixture { $0.connectTimeout = .milliseconds(150) }
        let failure = await fixture.failure("https://127.0.0.1:\(origin.port)/")
        #expect(failure == .timedOut(host: "127.0.0.1", phase: "connect", after: .milliseconds(150)))
        #expect(origin.connections == 1)
    }

    @Test func `a wait for a slot ends too`() async throws {
        let gate = Gate()
        let origin = try LoopbackOrigin { _ in .init(body: [1]).held(by: gate) }
        let fixture = FetcherFixture {
            $0.perHost = 1
            $0.totalTimeout = .milliseconds(200)
            $0.stallTimeout = .seconds(20)
        }
        // The first takes the slot for 200 ms; as many queue behind it that the last wait is longer than that.
        let failures = await withTaskGroup { group in
            for _ in 0..<3 { group.addTask { await fixture.failure(origin.url) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        gate.open()
        let phases = failures.map { if case .timedOut(_, let phase, _) = $0 { phase } else { "none" } }
        #expect(phases.contains("slot") && phases.contains("total"), "\(phases)")
    }

    @Test func `an announced length over the limit is refused before a byte reaches the sink`() async throws {
        let gate = Gate()
        defer { gate.open() }
        let body = noise(100_001)
        let origin = try LoopbackOrigin { _ in .init(body: body).paused(after: 0, by: gate) }
        let sink = RecordingSink()
        let failure = await FetcherFixture { $0.maxBytes = 100_000 }.failure(origin.url, into: sink)
        #expect(failure == .tooLarge(host: "127.0.0.1", limit: 100_000))
        #expect(sink.events.isEmpty)
    }

    @Test func `a body of exactly the limit is taken`() async throws {
        let body = noise(1000)
        let origin = try LoopbackOrigin { _ in .init(body: body) }
        let response = try await FetcherFixture { $0.maxBytes = 1000 }.fetch(origin.url)
        #expect(response.byteCount == 1000)
    }

    @Test func `an unannounced body is stopped at the limit, whichever is smaller`() async throws {
        let body = noise(1001)
        let origin = try LoopbackOrigin { _ in .init(body: body).framed(.chunked) }
        let failure = await FetcherFixture().failure(origin.url) { $0.maxBytes = 1000 }
        #expect(failure == .tooLarge(host: "127.0.0.1", limit: 1000))
    }

    @Test func `the limit counts decoded bytes`() async throws {
        let bomb = try LoopbackOrigin.Response(body: [UInt8](repeating: 0, count: 3_000_000)).gzipped()
        #expect(bomb.body.count < 10_000)
        let origin = try LoopbackOrigin { _ in bomb }
        let sink = RecordingSink()
        let failure = await FetcherFixture { $0.maxBytes = 100_000 }.failure(origin.url, into: sink)
        #expect(failure == .tooLarge(host: "127.0.0.1", limit: 100_000))
        #expect(sink.bytes.count <= 100_000)
    }

    @Test func `a sink that refuses ends the transfer for good`() async throws {
        let body = noise(500_000)
        let origin = try LoopbackOrigin { _ in .init(body: body) }
        let failure = await FetcherFixture().failure(origin.url, into: RecordingSink(capacity: 1000))
        #expect(failure == .sink("Full()"))
        #expect(origin.requests.count == 1)
    }

    @Test(arguments: ["bad\r\nX-Other: 1", "nul\0"])
    func `a header field of more than one line is not sent`(_ value: String) async throws {
        let origin = try LoopbackOrigin { _ in .init() }
        let failure = await FetcherFixture().failure(origin.url) { $0.ownHeaders = [HeaderField("X-Own", value)] }
        guard case .transport(_, let reason) = failure else {
            Issue.record("sent")
            return
        }
        #expect(reason.contains("X-Own") && !reason.contains("Other"))
        #expect(origin.requests.isEmpty)
    }
}
