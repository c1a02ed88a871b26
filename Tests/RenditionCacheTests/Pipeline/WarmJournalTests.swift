import TestSupport
import Testing

@testable import RenditionCache

/// A warm that was cut short goes on where it was; what it has found is what `diff` compares with.
@Suite struct WarmJournalTests {
    private static let refresh = WarmPlan(channel: "blog", selections: [.native], concurrency: 1, refresh: true)

    private func cms(_ count: Int) throws -> ScriptedCMS {
        var items: [String: ScriptedCMS.Item] = [:]
        for index in 0..<count {
            let picture = TestPicture.gradient(width: 60, height: 40, seed: index)
            items["P\(index)"] = .init(name: "p\(index).png", native: picture)
        }
        return try ScriptedCMS(items)
    }

    /// Warms until `count` pictures are done, then leaves, as Ctrl-C does.
    private func interrupt(_ service: RenditionService, _ plan: WarmPlan, after count: Int) async throws {
        var done = 0
        for try await event in service.warm(plan) {
            if case .done = event { done += 1 }
            if done == count { break }
        }
        // The journal is written behind.
        await service.store.index.flush()
    }

    @Test func `an interrupted refresh asks nothing again that it had refreshed`() async throws {
        let cms = try cms(10)
        let test = try await TestService([TestService.ocm(cms)])
        _ = try await WarmRunner.run(test.service, WarmPlan(channel: "blog", selections: [.native]))
        #expect(cms.nativesSent == 10)
        try await interrupt(test.service, Self.refresh, after: 6)
        let before = cms.nativesSent
        var resumed: Int?
        var summary: WarmSummary?
        for try await event in test.service.warm(Self.refresh) {
            if case .resumed(let count) = event { resumed = count }
            if case .finished(let final) = event { summary = final }
        }
        let earlier = try #require(resumed)
        #expect(earlier >= 6 && earlier < 10)
        #expect(summary?.done == 10 && summary?.resumed == earlier)
        #expect(cms.nativesSent - before == 10 - earlier)
        // It has come to its end: the next one is a new one.
        #expect(try await WarmRunner.run(test.service, Self.refresh).resumed == 0)
        await test.service.shutDown()
    }

    @Test func `another plan, another day or another version is not taken for done`() async throws {
        let cms = try cms(4)
        let test = try await TestService([TestService.ocm(cms)])
        try await interrupt(test.service, Self.refresh, after: 2)
        var other = Self.refresh
        other.selections = [.named("Thumbnail", format: nil)]
        #expect(try await WarmRunner.run(test.service, other).resumed == 0)
        try await interrupt(test.service, Self.refresh, after: 2)
        for id in ["P0", "P1", "P2", "P3"] { cms.edit(id) { $0.updated = "2026-03-03T00:00:00.000Z" } }
        #expect(try await WarmRunner.run(test.service, Self.refresh).resumed == 0)
        try await interrupt(test.service, Self.refresh, after: 2)
        test.advance(90_000)
        #expect(try await WarmRunner.run(test.service, Self.refresh).resumed == 0)
        await test.service.shutDown()
    }

    @Test func `a dry run leaves no journal`() async throws {
        let cms = try cms(3)
        let test = try await TestService([TestService.ocm(cms)])
        var plan = Self.refresh
        plan.dryRun = true
        _ = try await WarmRunner.run(test.service, plan)
        #expect(try await test.service.difference(in: "blog").warmSeconds == nil)
        await test.service.shutDown()
    }

    @Test func `diff tells what was added, changed and removed, and what no warm could make`() async throws {
        let cms = try cms(6)
        let test = try await TestService([TestService.ocm(cms)])
        let untouched = try await test.service.difference(in: "blog")
        #expect(untouched.warmSeconds == nil && untouched.neverWarmed.count == 6 && untouched.added.isEmpty)
        cms.answer { $0.path.contains("/P5/native") ? .json("{}", status: 404) : nil }
        _ = try await WarmRunner.run(test.service, WarmPlan(channel: "blog", selections: [.native]))
        cms.answer(with: nil)
        cms.edit("P1") { $0.updated = "2026-02-02T00:00:00.000Z" }
        cms.remove("P2")
        cms.add("Q", .init(name: "q.png", native: ScriptedCMS.picture))
        let diff = try await test.service.difference(in: "blog")
        #expect(diff.isFinished && diff.warmSeconds == 1_800_000_000)
        #expect(diff.added.map(\.id) == ["Q"] && diff.changed.map(\.id) == ["P1"] && diff.removed == ["P2"])
        #expect(diff.neverWarmed.map(\.asset.id) == ["P5"] && diff.neverWarmed.map(\.reason) == ["not-found"])
        #expect(diff.unchangedCount == 3 && diff.unversionedCount == 0)
        await test.service.shutDown()
    }

    @Test func `after a warm with a limit the rest was never warmed, not added`() async throws {
        let cms = try cms(6)
        let test = try await TestService([TestService.ocm(cms)])
        _ = try await WarmRunner.run(test.service, WarmPlan(channel: "blog", selections: [.native], limit: 2))
        let diff = try await test.service.difference(in: "blog")
        #expect(diff.added.isEmpty && diff.neverWarmed.count == 4 && diff.unchangedCount == 2)
        // A whole one, then one that passes everything over: what was made stays made.
        _ = try await WarmRunner.run(test.service, WarmPlan(channel: "blog", selections: [.native]))
        let since = WarmPlan(channel: "blog", selections: [.native], changedSinceSeconds: 1_900_000_000)
        #expect(try await WarmRunner.run(test.service, since).skipped == ["not changed since": 6])
        #expect(try await test.service.difference(in: "blog").unchangedCount == 6)
        _ = try await WarmRunner.run(test.service, WarmPlan(channel: "blog", selections: [.native], limit: 2))
        #expect(try await test.service.difference(in: "blog").unchangedCount == 6)
        await test.service.shutDown()
    }

    @Test func `the journal of an index of the layout before is begun`() async throws {
        let folder = try TemporaryFolder()
        let cms = try cms(1)
        let first = try await TestService([TestService.ocm(cms)], cache: folder)
        _ = try await first.service.rendition(for: .blog("P0", .native))
        await first.service.shutDown()
        let database = try Database(path: folder.file("cache") + "/" + CacheDirectory.index)
        try database.execute("DROP TABLE warms; DROP TABLE warmed; PRAGMA user_version = 1")
        let second = try await TestService([TestService.ocm(cms)], cache: folder)
        #expect(second.service.cached(.blog("P0", .native)) != nil)
        _ = try await WarmRunner.run(second.service, WarmPlan(channel: "blog", selections: [.native]))
        #expect(try await second.service.difference(in: "blog").isFinished)
        await second.service.shutDown()
    }
}
