import Foundation
import TestSupport
import Testing

@testable import RenditionCache

@Suite struct WarmerTests {
    private func warm(_ service: RenditionService, _ plan: WarmPlan) async throws -> (events: [WarmEvent], WarmSummary)
    {
        var events: [WarmEvent] = []
        var summary: WarmSummary?
        for try await event in service.warm(plan) {
            events.append(event)
            if case .finished(let final) = event { summary = final }
        }
        return (events, try #require(summary))
    }

    private func cms(_ count: Int) throws -> ScriptedCMS {
        var items: [String: ScriptedCMS.Item] = [:]
        for index in 0..<count {
            items["P\(index + 1000)"] = .init(native: TestPicture.gradient(width: 160, height: 90, seed: index))
        }
        return try ScriptedCMS(items)
    }

    static let selections: [RenditionRequest.Selection] = [.native, .named("Thumbnail", format: .jpeg)]

    @Test func `every asset of a paged channel is warmed, and a second warm transfers no picture`() async throws {
        let cms = try cms(130)
        let test = try await TestService([TestService.ocm(cms)])
        let (_, first) = try await warm(test.service, WarmPlan(channel: "blog", selections: Self.selections))
        #expect(first.done == 130 && first.failed.isEmpty && first.skipped.isEmpty)
        #expect(first.fetched == 130 && first.rendered == 130 && first.present == 0)
        #expect(first.fetchedBytes > 130 * 160 * 90 * 3)
        let downloads = cms.downloads
        let (_, second) = try await warm(test.service, WarmPlan(channel: "blog", selections: Self.selections))
        #expect(second.done == 130 && second.present == 260 && second.fetched == 0 && second.rendered == 0)
        #expect(cms.downloads == downloads)
        await test.service.shutDown()
    }

    @Test func `no more assets are under way than the plan allows`() async throws {
        let cms = try cms(12)
        let gate = Gate()
        cms.answer { request in
            if request.path.hasSuffix("/native") { gate.hold() }
            return nil
        }
        // However busy the machine, no held transfer is given up.
        let test = try await TestService([TestService.ocm(cms)]) { $0.fetch.stallTimeout = .seconds(100) }
        let warming = Task {
            try await warm(test.service, WarmPlan(channel: "blog", selections: [.native], concurrency: 3))
        }
        try await gate.waitUntilArrived(3)
        for _ in 0..<200 { await Task.yield() }
        // A held transfer may have been tried again, so assets are counted, not requests.
        #expect(Set(cms.server.requests.map(\.path).filter { $0.hasSuffix("/native") }).count == 3)
        gate.open()
        #expect(try await warming.value.1.done == 12)
        await test.service.shutDown()
    }

    @Test func `what cannot be had is named with its reason and stops nothing else`() async throws {
        let cms = try cms(3)
        cms.edit("P1001") { $0.native = Array($0.native.prefix(1000)) }
        cms.edit("P1002") { item in
            item.mediaType = "application/pdf"
            item.type = "File"
        }
        let test = try await TestService([TestService.ocm(cms)])
        let (events, summary) = try await warm(test.service, WarmPlan(channel: "blog", selections: Self.selections))
        #expect(summary.done == 1)
        #expect(summary.failed == ["undecodable": 1])
        #expect(summary.skipped == ["not a picture (application/pdf)": 1])
        let reasons = events.compactMap { event -> String? in
            if case .failed(let asset, let form, let reason) = event { "\(asset.id) \(form): \(reason)" } else { nil }
        }
        #expect(
            reasons == [
                "P1001 native: the png data ends before the picture does",
                "P1001 Thumbnail.jpg: the png data ends before the picture does",
            ]
        )
        await test.service.shutDown()
    }

    @Test func `a dry run says what is missing and fetches nothing`() async throws {
        let cms = try cms(2)
        let test = try await TestService([TestService.ocm(cms)])
        let plan = WarmPlan(channel: "blog", selections: Self.selections, dryRun: true)
        let (events, summary) = try await warm(test.service, plan)
        let means = events.flatMap { event -> [WarmedForm.Means] in
            if case .done(_, let made) = event { made.map(\.means) } else { [] }
        }
        #expect(means == [.missing, .missing, .missing, .missing])
        #expect(summary.present == 0 && cms.downloads == 0)
        await test.service.shutDown()
    }

    @Test func `a refresh asks again for everything, a limit and a date cut the list`() async throws {
        let cms = try cms(5)
        let test = try await TestService([TestService.ocm(cms)])
        let some = WarmPlan(channel: "blog", selections: [.native], limit: 2)
        #expect(try await warm(test.service, some).1.done == 2)
        #expect(cms.downloads == 2)
        let again = WarmPlan(channel: "blog", selections: [.native], refresh: true, limit: 2)
        #expect(try await warm(test.service, again).1.fetched == 2)
        #expect(cms.downloads == 4)
        cms.edit("P1004") { $0.updated = "2026-06-01T00:00:00.000Z" }
        let since = WarmPlan(channel: "blog", selections: [.native], changedSinceSeconds: 1_775_000_000)
        let summary = try await warm(test.service, since).1
        #expect(summary.done == 1 && summary.skipped == ["not changed since": 4])
        await test.service.shutDown()
    }

    @Test func `what is skipped does not use up the limit`() async throws {
        let cms = try cms(5)
        for id in ["P1000", "P1001", "P1003"] {
            cms.edit(id) { item in
                item.mediaType = "application/pdf"
                item.type = "File"
            }
        }
        let test = try await TestService([TestService.ocm(cms)])
        let (_, summary) = try await warm(test.service, WarmPlan(channel: "blog", selections: [.native], limit: 2))
        #expect(summary.done == 2 && summary.skipped == ["not a picture (application/pdf)": 3])
        await test.service.shutDown()
    }

    @Test func `what finds no room in the cache is not called done`() async throws {
        let cms = try cms(2)
        // Room for the index, its journal and the smaller of the two.
        let test = try await TestService([TestService.ocm(cms)]) { $0.cache.maxBytes = 1_000_000 }
        cms.edit("P1001") { $0.native = TestPicture.gradient(width: 800, height: 600) }
        let (_, summary) = try await warm(test.service, WarmPlan(channel: "blog", selections: [.native]))
        #expect(summary.done == 1 && summary.failed == ["no room in the cache": 1])
        await test.service.shutDown()
    }

    @Test func `what a cache that is too small gives up again is counted`() async throws {
        let cms = try cms(60)
        let test = try await TestService([TestService.ocm(cms)]) { $0.cache.maxBytes = 2_000_000 }
        let (_, summary) = try await warm(test.service, WarmPlan(channel: "blog", selections: [.native]))
        #expect(summary.done == 60 && summary.storedBytes > 2_000_000 && summary.evicted >= 10)
        await test.service.shutDown()
    }

    @Test func `a rendition that no asset has is one reason, however many assets there are`() async throws {
        let cms = try cms(3)
        let test = try await TestService([TestService.ocm(cms)])
        let plan = WarmPlan(channel: "blog", selections: [.named("Square", format: nil)])
        #expect(try await warm(test.service, plan).1.failed == ["no rendition \"Square\"": 3])
        await test.service.shutDown()
    }

    @Test func `a catalogue that cannot be read ends the warm with its reason`() async throws {
        let cms = try cms(1)
        cms.goDown()
        let test = try await TestService([TestService.ocm(cms)])
        await #expect(throws: RenditionError.self) { try await warm(test.service, WarmPlan(channel: "blog")) }
        await test.service.shutDown()
    }
}
