import TestSupport
import Testing

@testable import RenditionCache

/// Promise 7: a slow or dead origin never delays a hit; warm work never delays a live request by more than one job.
@Suite("Promise 7: an origin delays no hit, a warm no live request by more than one job", .timeLimit(.minutes(2)))
struct UndelayedTests {
    private static let picture = TestPicture.gradient(width: 200, height: 100)

    private func cms(_ count: Int) throws -> ScriptedCMS {
        var items: [String: ScriptedCMS.Item] = [:]
        for number in 1...count { items["P\(number)"] = .init(native: Self.picture) }
        return try ScriptedCMS(items)
    }

    private func request(_ number: Int, _ selection: RenditionRequest.Selection = .native) -> RenditionRequest {
        RenditionRequest(channel: "blog", asset: .id("P\(number)"), selection: selection)
    }

    // MARK: - Hits

    @Test func `while the origin holds every request, what is here is answered, fresh or stale`() async throws {
        let cms = try cms(6)
        let test = try await TestService([TestService.ocm(cms)]) { $0.fetch.perHost = 2 }
        let thumbnail = RenditionRequest.Selection.named("Thumbnail", format: .png)
        for selection in [.native, thumbnail] { _ = try await test.service.rendition(for: request(1, selection)) }
        let gate = Gate(patience: 60)
        cms.answer { _ in
            gate.hold()
            return nil
        }
        // More cold requests than there are slots.
        let waiting = (2...6).map { number in Task { try await test.service.rendition(for: request(number)) } }
        try await gate.waitUntilArrived(2)
        for selection in [.native, thumbnail] {
            #expect(test.service.cached(request(1, selection)) != nil)
            #expect(try await test.service.rendition(for: request(1, selection)).summary == "rendition")
        }
        // Past its time: answered before the check of it can even begin.
        test.advance(2000)
        for selection in [.native, thumbnail] {
            #expect(test.service.cached(request(1, selection)) == nil)
            #expect(try await test.service.rendition(for: request(1, selection)).summary == "rendition")
        }
        #expect(try await test.service.offlineRendition(for: request(1)).rendition.body.bytes() == Self.picture)
        gate.open()
        for task in waiting { _ = try await task.value }
        await test.service.shutDown()
    }

    @Test func `while every worker is at work, what is here is answered`() async throws {
        let workers = try HeldWorkers()
        let cms = try cms(3)
        let test = try await TestService([TestService.ocm(cms)]) { configuration in
            configuration.render.program = workers.program
            configuration.render.workers = 1
            configuration.render.jobsPerWorker = 1
        }
        let small = RenditionRequest.Selection.transform(Transform(resize: .inside(width: 20, height: nil)))
        _ = try await test.service.rendition(for: request(1))
        let renders = (1...3).map { number in Task { try await test.service.rendition(for: request(number, small)) } }
        try await until { test.busy == 1 && test.waiting == 2 }
        #expect(test.service.cached(request(1)) != nil)
        #expect(try await test.service.rendition(for: request(2)).summary == "rendition")
        workers.release(3)
        for render in renders { #expect(try await render.value.summary == "rendition") }
        await test.service.shutDown()
    }

    // MARK: - Warm work

    enum Wish: String, CaseIterable, Sendable {
        /// What no warm wants.
        case another
        /// What is the last in the warm's queue.
        case lastOfWarm
    }

    /// Starts warm work on five assets, one after the other, so that their order is known.
    private func warm(
        _ test: TestService,
        _ form: RenditionRequest.Selection,
        isQueued: (_ number: Int) -> Bool
    ) async throws -> [Task<RenditionOutcome, any Error>] {
        var tasks: [Task<RenditionOutcome, any Error>] = []
        for number in 1...5 {
            tasks.append(Task { try await test.service.rendition(for: request(number, form), priority: .warm) })
            try await until { isQueued(number) }
        }
        return tasks
    }

    @Test(arguments: Wish.allCases)
    func `a live render waits for the one under way, not for those that a warm has queued`(_ wish: Wish) async throws {
        let workers = try HeldWorkers()
        let cms = try cms(6)
        let test = try await TestService([TestService.ocm(cms)]) { configuration in
            configuration.render.program = workers.program
            configuration.render.workers = 1
            configuration.render.jobsPerWorker = 1
        }
        for number in 1...6 { _ = try await test.service.rendition(for: request(number)) }
        let form = RenditionRequest.Selection.transform(Transform(resize: .inside(width: 20, height: nil)))
        let warm = try await warm(test, form) { test.busy == 1 && test.waiting == $0 - 1 }
        let live = Task { try await test.service.rendition(for: request(wish == .another ? 6 : 5, form)) }
        try await until { test.waiting + test.service.metrics[.flightsJoined] == 5 }
        workers.release(2)
        #expect(try await live.value.summary == "rendition")
        #expect(test.service.metrics[.renders] == 2)
        workers.release(4)
        for task in warm { #expect(try await task.value.summary == "rendition") }
        #expect(cms.downloads == 6)
        await test.service.shutDown()
    }

    @Test(arguments: Wish.allCases)
    func `a live fetch waits for the one under way, not for those that a warm has queued`(_ wish: Wish) async throws {
        let cms = try cms(6)
        let test = try await TestService([TestService.ocm(cms)]) { $0.fetch.perHost = 1 }
        for number in 1...6 { _ = try await test.service.asset(.id("P\(number)"), in: "blog") }
        let gate = Gate()
        cms.answer { request in
            if request.path.hasSuffix("/native") { gate.hold() }
            return nil
        }
        let warm = try await warm(test, .native) { cms.downloads == 1 && test.service.fetcher.waiting == $0 - 1 }
        let live = Task { try await test.service.rendition(for: request(wish == .another ? 6 : 5)) }
        try await until { test.service.fetcher.waiting + test.service.metrics[.flightsJoined] == 5 }
        gate.open()
        #expect(try await live.value.summary == "rendition")
        for task in warm { #expect(try await task.value.summary == "rendition") }
        let order = cms.server.requests.map(\.path).filter { $0.hasSuffix("/native") }.compactMap {
            $0.split(separator: "/").dropLast().last
        }
        #expect(order.prefix(2) == ["P1", wish == .another ? "P6" : "P5"])
        await test.service.shutDown()
    }

    @Test func `questions of a warm about its assets let a live one pass`() async throws {
        let cms = try cms(6)
        // A listing of what there is, but not of its versions.
        let rows = (1...5).map { #"{"id":"P\#($0)","type":"Image","typeCategory":"DigitalAssetType","name":"p"}"# }
        let listing = #"{"hasMore":false,"offset":0,"count":5,"limit":5,"items":[\#(rows.joined(separator: ","))]}"#
        let gate = Gate()
        cms.answer { request in
            if request.path.hasSuffix("/items") { return .json(listing) }
            if request.path.contains("/items/") { gate.hold() }
            return nil
        }
        let test = try await TestService([TestService.ocm(cms)]) { $0.fetch.perHost = 1 }
        let warm = Task {
            for try await _ in test.service.warm(WarmPlan(channel: "blog", selections: [.native])) {}
        }
        try await until { gate.arrived == 1 && test.service.fetcher.waiting == 4 }
        let live = Task { try await test.service.rendition(for: request(6)) }
        try await until { test.service.fetcher.waiting == 5 }
        gate.open()
        #expect(try await live.value.summary == "rendition")
        try await warm.value
        let questions = cms.server.requests.map(\.path).filter { $0.contains("/items/") }
        #expect(questions.firstIndex { $0.hasSuffix("/P6") } == 1)
        await test.service.shutDown()
    }
}
