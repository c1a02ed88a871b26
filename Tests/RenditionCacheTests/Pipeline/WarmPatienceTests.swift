import TestSupport
import Testing

@testable import RenditionCache

@Suite struct WarmPatienceTests {
    private static let busy = RenditionError.origin(.busy(host: "h", status: 429, retryAfter: .seconds(8)))
    private static let resting = RenditionError.origin(
        .unreachable(.resting(host: "h", failures: 5, wait: .milliseconds(200)))
    )
    private let start = ContinuousClock.now

    @Test func `what waiting can mend is waited for, at least a second and spread`() {
        let patience = WarmPatience(.seconds(60), now: start)
        #expect(patience.wait(after: Self.busy, jitter: 0, now: start) == .seconds(8))
        #expect(patience.wait(after: Self.busy, jitter: 1, now: start) == .seconds(10))
        #expect(patience.wait(after: Self.resting, jitter: 0, now: start) == .seconds(1))
        let unnamed = RenditionError.origin(.busy(host: "h", status: 429, retryAfter: nil))
        #expect(patience.wait(after: unnamed, jitter: 0, now: start) == .seconds(2))
        #expect(patience.wait(after: .assetNotFound(channel: "c", asset: "a"), jitter: 0, now: start) == nil)
        #expect(
            patience.wait(after: .origin(.unusable(host: "h", status: 500, detail: nil)), jitter: 0, now: start) == nil
        )
    }

    @Test func `it ends for all assets together, and begins anew with what succeeds`() {
        let patience = WarmPatience(.seconds(60), now: start)
        #expect(patience.wait(after: Self.busy, jitter: 0, now: start + .seconds(52)) == .seconds(8))
        #expect(patience.wait(after: Self.busy, jitter: 0, now: start + .seconds(53)) == nil)
        patience.noteProgress(now: start + .seconds(50))
        #expect(patience.wait(after: Self.busy, jitter: 0, now: start + .seconds(53)) == .seconds(8))
        patience.noteProgress(now: start)
        #expect(patience.wait(after: Self.busy, jitter: 0, now: start + .seconds(53)) == .seconds(8))
    }

    @Test func `a warm outlasts a restart of its CMS, and gives up one that stays away`() async throws {
        let cms = try ScriptedCMS.twoPictures()
        let test = try await TestService([TestService.ocm(cms)]) { configuration in
            configuration.fetch.breakerFailures = 1
            configuration.fetch.breakerRest = .milliseconds(300)
            configuration.fetch.warmRetries = 0
        }
        let gate = Gate()
        cms.answer { request in
            guard request.path.hasSuffix("/native") else { return nil }
            gate.hold()
            return .json("{}", status: 500)
        }
        var plan = WarmPlan(channel: "blog", selections: [.native], concurrency: 2)
        plan.patience = .seconds(30)
        let warm = Task { [plan] in try await WarmRunner.run(test.service, plan) }
        try await gate.waitUntilArrived(1)
        gate.open()
        try await until { test.service.metrics[.breakerOpenings] > 0 }
        cms.answer(with: nil)
        let summary = try await warm.value
        // Whoever met with the failure itself has failed; the other one waited.
        #expect(summary.done + summary.failed.values.reduce(0, +) == 2 && summary.done >= 1)
        cms.goDown()
        plan.refresh = true
        plan.patience = .seconds(2)
        do {
            let down = try await WarmRunner.run(test.service, plan)
            #expect(down.done == 0)
        } catch let error as RenditionError {
            // The catalogue itself could not be read.
            #expect(error.placeholderCause == .originDown)
        }
        await test.service.shutDown()
    }
}
