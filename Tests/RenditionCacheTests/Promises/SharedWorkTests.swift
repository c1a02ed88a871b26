import TestSupport
import Testing

@testable import RenditionCache

/// Promise 6: in one process, one origin fetch per asset version and one render per key, however many ask at once; the first
/// client's leaving hurts no one.
@Suite("Promise 6: one fetch per asset version and one render per key, however many ask") struct SharedWorkTests {
    static let picture = TestPicture.gradient(width: 400, height: 300)

    static let selections: [RenditionRequest.Selection] = [
        .named("Thumbnail", format: .png), .named("Small", format: .webp),
        .transform(Transform(resize: .inside(width: 64, height: nil), format: .fixed(.jpeg))),
    ]

    private func request(_ selection: RenditionRequest.Selection) -> RenditionRequest {
        RenditionRequest(channel: "blog", asset: .id("A"), selection: selection)
    }

    private func natives(_ cms: ScriptedCMS) -> Int { cms.server.hits("/content/published/api/v1.1/assets/A/native") }

    /// A CMS that sends the native once the gate is open.
    private func cms(_ gate: Gate) throws -> ScriptedCMS {
        let cms = try ScriptedCMS(["A": .init(native: Self.picture)])
        cms.answer { request in
            if request.path.hasSuffix("/native") { gate.hold() }
            return nil
        }
        return cms
    }

    @Test func `fifty clients of three renditions of one asset cost one fetch and three renders`() async throws {
        let gate = Gate()
        let cms = try cms(gate)
        let test = try await TestService([TestService.ocm(cms)])
        let results = try await withThrowingTaskGroup(of: (Int, Digest).self) { group in
            for number in 0..<150 {
                let wanted = request(Self.selections[number % 3])
                group.addTask {
                    let outcome = try await test.service.rendition(for: wanted)
                    #expect(outcome.summary == "rendition")
                    return (number % 3, outcome.rendition.digest)
                }
            }
            // 49 wait for each rendition's flight, and two of the three renditions for the native's.
            try await until { test.service.metrics[.flightsJoined] == 3 * 49 + 2 }
            gate.open()
            return try await group.reduce(into: [Int: Set<Digest>]()) { $0[$1.0, default: []].insert($1.1) }
        }
        #expect(results.count == 3 && results.values.allSatisfy { $0.count == 1 })
        #expect(natives(cms) == 1)
        #expect(cms.server.hits("/content/published/api/v1.1/items/A") == 1)
        #expect(test.service.metrics[.renders] == 3)
        #expect(test.service.statistics().entries == 4)
        await test.service.shutDown()
    }

    @Test func `the first client's leaving hurts no one`() async throws {
        let gate = Gate()
        let cms = try cms(gate)
        let test = try await TestService([TestService.ocm(cms)])
        let wanted = request(Self.selections[0])
        let first = Task { try await test.service.rendition(for: wanted) }
        try await gate.waitUntilArrived(1)
        try await withThrowingTaskGroup(of: RenditionOutcome.self) { group in
            for _ in 0..<20 { group.addTask { try await test.service.rendition(for: wanted) } }
            // And one whose flight is another, but which needs the same native.
            let other = request(Self.selections[1])
            group.addTask { try await test.service.rendition(for: other) }
            try await until { test.service.metrics[.flightsJoined] == 21 }
            first.cancel()
            await #expect(throws: RenditionError.cancelled) { try await first.value }
            gate.open()
            for try await outcome in group { #expect(outcome.summary == "rendition") }
        }
        #expect(natives(cms) == 1)
        #expect(test.service.metrics[.renders] == 2)
        await test.service.shutDown()
    }

    @Test func `when all have left the work ends, and the next one begins it anew`() async throws {
        let gate = Gate()
        let cms = try cms(gate)
        let test = try await TestService([TestService.ocm(cms)])
        let wanted = request(Self.selections[0])
        let leavers = (0..<5).map { _ in Task { try await test.service.rendition(for: wanted) } }
        try await gate.waitUntilArrived(1)
        for leaver in leavers { leaver.cancel() }
        for leaver in leavers { await #expect(throws: RenditionError.cancelled) { try await leaver.value } }
        gate.open()
        #expect(try await test.service.rendition(for: wanted).summary == "rendition")
        #expect(natives(cms) == 2)
        #expect(test.service.metrics[.renders] == 1)
        await test.service.shutDown()
    }

    @Test func `a client and a warm share their work`() async throws {
        let gate = Gate()
        let cms = try cms(gate)
        let test = try await TestService([TestService.ocm(cms)])
        let warm = Task {
            for try await _ in test.service.warm(WarmPlan(channel: "blog", selections: Self.selections)) {}
        }
        try await gate.waitUntilArrived(1)
        let client = Task { try await test.service.rendition(for: request(Self.selections[0])) }
        try await until { test.service.metrics[.flightsJoined] == 1 }
        gate.open()
        #expect(try await client.value.summary == "rendition")
        try await warm.value
        #expect(natives(cms) == 1)
        #expect(test.service.metrics[.renders] == 3)
        await test.service.shutDown()
    }

    @Test func `a failure is shared too, and a new version is fetched once`() async throws {
        let cms = try ScriptedCMS(["A": .init(native: Self.picture)])
        let gate = Gate()
        cms.answer { $0.path.hasSuffix("/native") ? .json("{}", status: 503).held(by: gate) : nil }
        let test = try await TestService([TestService.ocm(cms) { $0.staleWhileRevalidate = .zero }]) {
            // The tries of one fetch are not what is counted here.
            $0.fetch.liveRetries = 0
        }
        let wanted = request(.native)
        try await withThrowingTaskGroup(of: RenditionOutcome.self) { group in
            for _ in 0..<30 { group.addTask { try await test.service.rendition(for: wanted) } }
            try await until { test.service.metrics[.flightsJoined] == 29 }
            gate.open()
            for try await outcome in group { #expect(outcome.summary == "placeholder origin-down") }
        }
        #expect(natives(cms) == 1)
        cms.answer(with: nil)
        for version in 1...3 {
            cms.edit("A") { $0.updated = "2026-02-0\(version)T00:00:00.000Z" }
            test.advance(1000)
            try await withThrowingTaskGroup(of: RenditionOutcome.self) { group in
                for _ in 0..<30 { group.addTask { try await test.service.rendition(for: wanted) } }
                for try await outcome in group { #expect(outcome.summary == "rendition") }
            }
            #expect(natives(cms) == 1 + version)
        }
        await test.service.shutDown()
    }
}
