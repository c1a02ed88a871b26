import RenditionCache
import Synchronization
import TestSupport
import Testing

@testable import RenditionCache

/// What hosts ask for, and what is learnt from how they fail.
@Suite(.timeLimit(.minutes(1))) struct FetcherPolitenessTests {
    private static let asks = LoopbackOrigin.Response(429, headers: [("Retry-After", "300")])

    @Test func `a host that is down for a moment is asked again`() async throws {
        let script = Script(.init(503), .init(body: [7]))
        let origin = try LoopbackOrigin { _ in script.next() }
        let sink = CollectingSink()
        let fixture = FetcherFixture()
        #expect(try await fixture.fetch(origin.url, into: sink).status == 200)
        #expect(sink.bytes == [7])
        #expect(fixture.metrics[.originRetries] == 1)
        #expect(fixture.metrics[.originFailures] == 1)
    }

    @Test(arguments: [WorkPriority.live, .warm], [429, 503])
    func `a short wish to wait is obeyed`(_ priority: WorkPriority, _ status: Int) async throws {
        let script = Script(.init(status, headers: [("Retry-After", "1")]), .init(body: [7]))
        let origin = try LoopbackOrigin { _ in script.next() }
        let fixture = FetcherFixture()
        let response = try await fixture.fetch(origin.url) { $0.priority = Urgency(priority) }
        #expect(response.status == 200)
        let arrivals = origin.requests.map(\.arrived)
        #expect(arrivals.count == 2 && arrivals[1] - arrivals[0] >= .milliseconds(990))
        #expect(fixture.metrics[.originBusy] == 1)
    }

    @Test func `who asks to wait longer is an answer at once, and then not asked at all`() async throws {
        let origin = try LoopbackOrigin { _ in Self.asks }
        let other = try LoopbackOrigin { _ in .init(body: [1]) }
        let fixture = FetcherFixture()
        #expect(try await fixture.fetch(origin.url).status == 429)
        guard case .busy(let host, 429, let wait)? = await fixture.failure(origin.url + "/other") else {
            Issue.record("asked")
            return
        }
        #expect(host == "127.0.0.1:\(origin.port)")
        #expect(wait > .seconds(60) && wait <= .seconds(300))
        #expect(try await fixture.fetch(other.url).status == 200, "another port is another host")
        #expect(origin.requests.count == 1)
        #expect(fixture.metrics[.originRefusals] == 1)
        #expect(fixture.metrics[.originRequests] == 2)
    }

    @Test func `work that nobody waits for is held back as long, and a cancellation ends that`() async throws {
        let origin = try LoopbackOrigin { _ in Self.asks }
        let fixture = FetcherFixture { $0.warmWait = .seconds(600) }
        _ = try await fixture.fetch(origin.url)
        let task = Task { await fixture.failure(origin.url) { $0.priority = .warm } }
        try await until { fixture.fetcher.waiting == 1 }
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(origin.requests.count == 1)
    }

    @Test func `work that somebody begins to wait for is not held back any longer`() async throws {
        let origin = try LoopbackOrigin { _ in Self.asks }
        let fixture = FetcherFixture { $0.warmWait = .seconds(600) }
        let urgency = Urgency(.revalidation)
        async let response = fixture.fetch(origin.url) { $0.priority = urgency }
        try await until { fixture.fetcher.waiting == 1 }
        urgency.rise(to: .live)
        #expect(try await response.status == 429, "what the host said stands")
        #expect(origin.requests.count == 1)
    }

    @Test func `when every fifth answer is 429 everything arrives, and each is counted`() async throws {
        let tries = Mutex<[String: Int]>([:])
        let origin = try LoopbackOrigin { request in
            let number = Int(request.path.dropFirst()) ?? 0
            let count = tries.withLock { tries in
                tries[request.path, default: 0] += 1
                return tries[request.path] ?? 0
            }
            return number % 5 == 0 && count <= 2 ? .init(429) : .init(body: [1])
        }
        let fixture = FetcherFixture()
        let statuses = try await withThrowingTaskGroup { group in
            for number in 0..<60 {
                group.addTask { try await fixture.fetch("\(origin.url)/\(number)") { $0.priority = .warm }.status }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 60))
        #expect(fixture.metrics[.originBusy] == 24)
        #expect(fixture.metrics[.originRetries] == 24)
        #expect(fixture.metrics[.breakerOpenings] == 0)
        #expect(origin.requests.count == 84)
    }

    @Test func `a host that met overload gets half as many at a time`() async throws {
        let gate = Gate()
        let width = Mutex((now: 0, most: 0))
        let origin = try LoopbackOrigin { request in
            if request.path == "/busy" { return .init(429) }
            width.withLock { width in
                width.now += 1
                width.most = max(width.most, width.now)
            }
            gate.hold()
            width.withLock { $0.now -= 1 }
            return .init(body: [1])
        }
        let fixture = FetcherFixture { $0.liveRetries = 0 }
        _ = try await fixture.fetch(origin.url + "/busy")
        try await withThrowingTaskGroup { group in
            for number in 0..<8 { group.addTask { try await fixture.fetch("\(origin.url)/\(number)") } }
            try await gate.waitUntilArrived(4)
            try await until { fixture.fetcher.waiting == 4 }
            gate.open()
            try await group.waitForAll()
        }
        // The first four to succeed earn a fifth place.
        #expect((4...5).contains(width.withLock { $0.most }))
    }

    @Test(arguments: ["500", "refused", "nothing"])
    func `a host that fails five times in a row is left alone`(_ way: String) async throws {
        let origin = try LoopbackOrigin { _ in
            way == "500" ? .init(500) : .init(body: []).framed(.headless)
        }
        let closed = try ClosedPort()
        let url = way == "refused" ? closed.url : origin.url
        let fixture = FetcherFixture { ($0.breakerRest, $0.breakerLongestRest) = (.seconds(600), .seconds(600)) }
        // Three tries, then two, as what is known by then forbids the third.
        for _ in 0..<2 {
            let failure = await fixture.failure(url)
            #expect(failure?.isRefusal != true, "what was heard of the host says more")
        }
        #expect(fixture.metrics[.originRequests] == 5)
        for _ in 0..<50 {
            guard case .resting(_, 5, let wait)? = await fixture.failure(url) else {
                Issue.record("asked")
                return
            }
            #expect(wait <= .seconds(600))
        }
        #expect(fixture.metrics[.originRequests] == 5)
        #expect(fixture.metrics[.originRefusals] == 51)
        #expect(fixture.metrics[.breakerOpenings] == 1)
    }

    @Test func `it is asked again after a while, by one request first`() async throws {
        let isDown = Mutex(true)
        let gate = Gate()
        let origin = try LoopbackOrigin { request in
            if isDown.withLock({ $0 }) { return .init(500) }
            return request.path == "/probe" ? .init(body: [1]).held(by: gate) : .init(body: [1])
        }
        let fixture = FetcherFixture { ($0.breakerFailures, $0.breakerRest) = (3, .milliseconds(50)) }
        _ = try await fixture.fetch(origin.url)
        isDown.withLock { $0 = false }
        let probe = Task {
            while true {
                do { return try await fixture.fetch(origin.url + "/probe").status } catch FetchError.resting {}
            }
        }
        try await gate.waitUntilArrived(1)
        #expect(
            await fixture.failure(origin.url + "/other")
                == .resting(host: "127.0.0.1:\(origin.port)", failures: 3, wait: .zero)
        )
        gate.open()
        #expect(try await probe.value == 200)
        #expect(try await fixture.fetch(origin.url + "/other").status == 200)
        #expect(origin.hits("/other") == 1)
        #expect(fixture.metrics[.breakerOpenings] == 1)
    }

    @Test func `work that nobody waits for sees a short failure out`() async throws {
        let answers = Mutex(0)
        let origin = try LoopbackOrigin { _ in
            let count = answers.withLock { count in
                count += 1
                return count
            }
            return count <= 5 ? .init(502) : .init(body: [1])
        }
        let fixture = FetcherFixture { $0.breakerRest = .milliseconds(100) }
        let statuses = try await withThrowingTaskGroup { group in
            for number in 0..<30 {
                group.addTask { try await fixture.fetch("\(origin.url)/\(number)") { $0.priority = .warm }.status }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 30))
        #expect(fixture.metrics[.breakerOpenings] <= 1)
    }

    @Test(arguments: [401, 403, 404, 410, 429]) func `refusals are no failures of the host`(_ status: Int) async throws
    {
        let origin = try LoopbackOrigin { request in request.path == "/good" ? .init(body: [1]) : .init(status) }
        let fixture = FetcherFixture {
            ($0.breakerFailures, $0.liveRetries) = (2, 0)
        }
        for _ in 0..<6 { #expect(try await fixture.fetch(origin.url).status == status) }
        #expect(try await fixture.fetch(origin.url + "/good").status == 200)
        #expect(fixture.metrics[.breakerOpenings] == 0)
    }

    @Test func `neither are our own limits`() async throws {
        let body = noise(2000)
        let origin = try LoopbackOrigin { request in request.path == "/good" ? .init(body: [1]) : .init(body: body) }
        let fixture = FetcherFixture { $0.breakerFailures = 2 }
        for _ in 0..<3 {
            #expect(await fixture.failure(origin.url) { $0.maxBytes = 10 } == .tooLarge(host: "127.0.0.1", limit: 10))
            #expect(await fixture.failure(origin.url, into: RecordingSink(capacity: 10)) == .sink("Full()"))
        }
        #expect(try await fixture.fetch(origin.url + "/good").status == 200)
        #expect(fixture.metrics[.breakerOpenings] == 0)
    }

    @Test func `a group of requests keeps to its rate on all its hosts together`() async throws {
        let origins = [try LoopbackOrigin { _ in .init(body: [1]) }, try LoopbackOrigin { _ in .init(body: [1]) }]
        let fixture = FetcherFixture()
        try await withThrowingTaskGroup { group in
            for number in 0..<12 {
                group.addTask {
                    try await fixture.fetch(origins[number % 2].url) {
                        $0.rate = FetchRate(group: "service", perSecond: 20, burst: 2)
                    }
                }
            }
            for _ in 0..<20 { group.addTask { try await fixture.fetch(origins[0].url + "/free") } }
            try await group.waitForAll()
        }
        let arrivals = origins.flatMap(\.requests).filter { $0.path != "/free" }.map(\.arrived).sorted()
        #expect(arrivals.count == 12)
        // Two at once, ten more at 50 ms each; the slack is for a first request that takes its time to be read.
        #expect(arrivals[11] - arrivals[0] > .milliseconds(400))
    }
}
