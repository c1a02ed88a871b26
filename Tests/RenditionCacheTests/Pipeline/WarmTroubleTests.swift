import Synchronization
import TestSupport
import Testing

@testable import RenditionCache

/// What a warm does with an origin that stalls, asks for quiet, or fails half way.
@Suite(.timeLimit(.minutes(5))) struct WarmTroubleTests {
    private func cms(_ count: Int) throws -> ScriptedCMS {
        var items: [String: ScriptedCMS.Item] = [:]
        for index in 0..<count {
            items["P\(index + 100)"] = .init(native: TestPicture.gradient(width: 160, height: 90, seed: index))
        }
        return try ScriptedCMS(items)
    }

    @Test func `a transfer that always stalls is tried again, named with its reason, and the warm ends`() async throws {
        let cms = try cms(4)
        let gate = Gate()
        defer { gate.open() }
        let stalled = LoopbackOrigin.Response(type: "image/png", body: ScriptedCMS.picture).paused(after: 1, by: gate)
        cms.answer { request in request.path.hasSuffix("P101/native") ? stalled : nil }
        let test = try await TestService([TestService.ocm(cms)]) { $0.fetch.stallTimeout = .milliseconds(500) }
        let summary = try await WarmRunner.run(test.service, WarmPlan(channel: "blog", selections: [.native]))
        #expect(summary.done == 3 && summary.failed == ["timeout": 1])
        #expect(cms.server.requests.count { $0.path.hasSuffix("P101/native") } == 2 && summary.retries >= 1)
        await test.service.shutDown()
    }

    @Test func `a fifth of all answers is 429, and everything arrives and each is counted`() async throws {
        let cms = try cms(30)
        let counts = Mutex((asked: 0, refused: 0))
        cms.answer { request in
            guard request.path.hasSuffix("/native") else { return nil }
            return counts.withLock { counts in
                counts.asked += 1
                guard counts.asked.isMultiple(of: 5) else { return nil }
                counts.refused += 1
                return .init(429)
            }
        }
        let test = try await TestService([TestService.ocm(cms)])
        let summary = try await WarmRunner.run(test.service, WarmPlan(channel: "blog", selections: [.native]))
        #expect(summary.done == 30 && summary.fetched == 30 && summary.failed.isEmpty)
        let refused = counts.withLock { $0.refused }
        #expect(refused >= 6 && summary.slowdowns == refused)
        await test.service.shutDown()
    }

    @Test func `once the budget of bytes is used up nothing more is taken on, and what is left is named`() async throws
    {
        let cms = try cms(5)
        let test = try await TestService([TestService.ocm(cms)])
        var plan = WarmPlan(channel: "blog", selections: [.native], concurrency: 1, maxBytes: 1)
        let first = try await WarmRunner.run(test.service, plan)
        #expect(first.done == 1 && first.skipped == ["the byte budget is used up": 4] && cms.downloads == 1)
        // A budget is for what is added, and counts anew in every run.
        plan.maxBytes = first.storedBytes + 1
        let second = try await WarmRunner.run(test.service, plan)
        #expect(second.done == 3 && second.present == 1 && second.skipped == ["the byte budget is used up": 2])
        await test.service.shutDown()
    }

    @Test func `a new form that fails half way changes no native, and the old form is there until then`() async throws {
        let cms = try cms(6)
        let old = RenditionRequest.Selection.transform(Transform(resize: .inside(width: 100, height: nil)))
        let new = RenditionRequest.Selection.transform(Transform(resize: .inside(width: 60, height: nil)))
        let test = try await TestService([TestService.ocm(cms)])
        let first = WarmPlan(channel: "blog", selections: [.native, old])
        #expect(try await WarmRunner.run(test.service, first).done == 6)
        let ids = (0..<6).map { "P\($0 + 100)" }
        var natives: [String: [UInt8]] = [:], small: [String: Digest] = [:]
        for id in ids {
            natives[id] = try await test.service.offlineRendition(for: .blog(id, .native)).rendition.body.bytes()
            small[id] = try await test.service.offlineRendition(for: .blog(id, old)).rendition.digest
        }
        // From the fourth picture on the CMS sends damage; what it sends before is what it was.
        cms.answer { request in
            ["P103", "P104", "P105"].contains { request.path.hasSuffix("\($0)/native") }
                ? .init(type: "image/png", body: ScriptedCMS.picture.prefix(500)) : nil
        }
        let again = WarmPlan(channel: "blog", selections: [.native, new], refresh: true)
        let summary = try await WarmRunner.run(test.service, again)
        #expect(summary.done == 3 && summary.failed.values.reduce(0, +) == 3)
        for id in ids {
            let native = try await test.service.offlineRendition(for: .blog(id, .native)).rendition
            #expect(try native.body.bytes() == natives[id], "\(id)")
            #expect(try await test.service.offlineRendition(for: .blog(id, old)).rendition.digest == small[id], "\(id)")
        }
        await test.service.shutDown()
    }
}
