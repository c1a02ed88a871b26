import RenditionCache
import Synchronization
import TestSupport
import Testing

@testable import RenditionCache

@Suite(.timeLimit(.minutes(1))) struct FetcherConcurrencyTests {
    @Test func `eight transfers to one host run at a time, never nine`() async throws {
        let gate = Gate()
        let width = Mutex((now: 0, most: 0))
        let origin = try LoopbackOrigin { _ in
            width.withLock { width in
                width.now += 1
                width.most = max(width.most, width.now)
            }
            gate.hold()
            width.withLock { $0.now -= 1 }
            return .init(body: [1])
        }
        let fixture = FetcherFixture()
        try await withThrowingTaskGroup { group in
            for number in 0..<20 { group.addTask { try await fixture.fetch("\(origin.url)/\(number)") } }
            try await gate.waitUntilArrived(8)
            gate.open()
            for try await response in group { #expect(response.status == 200) }
        }
        #expect(width.withLock { $0.most } == 8)
        #expect(origin.requests.count == 20)
    }

    @Test func `the more urgent goes first when a slot becomes free`() async throws {
        let gate = Gate()
        let origin = try LoopbackOrigin { request in
            request.path == "/first" ? .init(body: [1]).held(by: gate) : .init(body: [1])
        }
        let fixture = FetcherFixture { $0.perHost = 1 }
        try await withThrowingTaskGroup { group in
            group.addTask { try await fixture.fetch(origin.url + "/first") }
            try await gate.waitUntilArrived(1)
            for (path, priority) in [("/warm", WorkPriority.warm), ("/check", .revalidation), ("/live", .live)] {
                group.addTask {
                    try await fixture.fetch(origin.url + path) { $0.priority = Urgency(priority) }
                }
            }
            try await until { fixture.fetcher.waiting == 3 }
            gate.open()
            try await group.waitForAll()
        }
        #expect(origin.requests.map(\.path) == ["/first", "/live", "/check", "/warm"])
    }

    @Test func `cancelling a task ends its transfer and frees its slot`() async throws {
        let gate = Gate()
        defer { gate.open() }
        let origin = try LoopbackOrigin { request in
            request.path == "/hang" ? .init(body: [1]).held(by: gate) : .init(body: [2])
        }
        let fixture = FetcherFixture { $0.perHost = 1 }
        let hanging = Task { await fixture.failure(origin.url + "/hang") }
        try await gate.waitUntilArrived(1)
        hanging.cancel()
        #expect(await hanging.value == .cancelled)
        #expect(try await fixture.fetch(origin.url + "/next").status == 200)
        #expect(fixture.metrics[.originFailures] == 0)
    }

    @Test func `cancelling a task that waits for a slot ends the wait`() async throws {
        let gate = Gate()
        let origin = try LoopbackOrigin { _ in .init(body: [1]).held(by: gate) }
        let fixture = FetcherFixture { $0.perHost = 1 }
        let first = Task { try await fixture.fetch(origin.url + "/first") }
        try await gate.waitUntilArrived(1)
        let second = Task { await fixture.failure(origin.url + "/second") }
        second.cancel()
        #expect(await second.value == .cancelled)
        gate.open()
        #expect(try await first.value.status == 200)
        #expect(origin.hits("/second") == 0)
    }

    @Test func `a task cancelled before it asks never asks`() async throws {
        let origin = try LoopbackOrigin { _ in .init(body: [1]) }
        let fixture = FetcherFixture()
        let gate = Gate()
        let task = Task {
            await gate.pass()
            return await fixture.failure(origin.url)
        }
        task.cancel()
        gate.open()
        #expect(await task.value == .cancelled)
        #expect(origin.requests.isEmpty)
    }

    @Test func `the wait before another try can be cancelled`() async throws {
        let body = noise(100)
        let origin = try LoopbackOrigin { _ in .init(body: body).cut(after: 1) }
        let restarts = Gate()
        let fixture = FetcherFixture()
        let sink = GateSink(gate: restarts)
        let task = Task { await fixture.failure(origin.url, into: sink) }
        try await restarts.waitUntilArrived(1)
        task.cancel()
        let failure = await task.value
        #expect(failure == .cancelled)
    }

    @Test func `many transfers cancelled at odd moments all end`() async throws {
        let body = noise(20_000)
        let origin = try LoopbackOrigin { _ in .init(body: body) }
        let fixture = FetcherFixture()
        let ends = try await withThrowingTaskGroup { group in
            for number in 0..<200 {
                group.addTask {
                    let task = Task { await fixture.failure("\(origin.url)/\(number)") }
                    if number % 2 == 0 {
                        for _ in 0..<(number % 7) { await Task.yield() }
                        task.cancel()
                    }
                    return await task.value
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(ends.count == 200)
        #expect(ends.allSatisfy { $0 == nil || $0 == .cancelled })
        #expect(ends.count { $0 == nil } >= 100)
        #expect(try await fixture.fetch(origin.url).status == 200)
    }
}

/// Opens nothing; says to a gate that bytes have come.
private final class GateSink: ByteSink {
    private let gate: Gate

    init(gate: Gate) { self.gate = gate }

    func expect(byteCount: Int) {}
    func append(_ bytes: UnsafeRawBufferPointer) { Task { await gate.pass() } }
    func restart() {}
}
