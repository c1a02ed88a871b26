import Synchronization
import TestSupport
import Testing

@testable import RenditionCache

@Suite(.timeLimit(.minutes(5))) struct WarmPatienceTests {
    private static let start = ContinuousClock.now
    private static let down = RenditionError.origin(.unusable(host: "h", status: 503, detail: nil))

    private static func busy(_ seconds: Int?) -> RenditionError {
        .origin(.busy(host: "h", status: 429, retryAfter: seconds.map { .seconds($0) }))
    }
    private static func resting(_ seconds: Int) -> RenditionError {
        .origin(.unreachable(.resting(host: "h", failures: 7, wait: .seconds(seconds))))
    }
    private static func unreachable(_ error: FetchError) -> RenditionError { .origin(.unreachable(error)) }

    @Test(arguments: [
        (busy(nil), Duration.seconds(2), Duration.seconds(2)), (busy(0), .seconds(1), .seconds(1)),
        (busy(7), .seconds(7), .seconds(7)), (busy(61), nil, nil),
        // What never answered is not waited for.
        (resting(20), nil, .seconds(20)), (resting(0), nil, .seconds(2)), (resting(61), nil, nil),
        (down, nil, .seconds(2)), (.origin(.unusable(host: "h", status: 502, detail: nil)), nil, .seconds(2)),
        (unreachable(.cannotConnect(host: "h", reason: "")), nil, .seconds(2)),
        (unreachable(.cut(host: "h", received: 0, expected: nil)), nil, .seconds(2)),
        // These are about one picture.
        (unreachable(.cut(host: "h", received: 1, expected: nil)), nil, nil),
        (.origin(.unusable(host: "h", status: 500, detail: nil)), nil, nil),
        (.origin(.unusable(host: "h", status: 200, detail: "HTML")), nil, nil),
        (.assetNotFound(channel: "c", asset: "a"), nil, nil), (.cancelled, nil, nil),
    ])
    func `what waiting may mend is waited for`(_ error: RenditionError, _ before: Duration?, _ after: Duration?) {
        var patience = WarmPatience(limit: .seconds(60))
        var history = WarmPatience.History()
        #expect(patience.wait(after: error, &history, now: Self.start) == before)
        patience.succeeded()
        history = WarmPatience.History()
        #expect(patience.wait(after: error, &history, now: Self.start) == after)
        #expect(history.waited == after ?? .zero)
    }

    @Test func `a host that seems to be down gets two more looks, and is waited for once it is left to rest`() {
        var patience = WarmPatience(limit: .seconds(60))
        var (broken, other) = (WarmPatience.History(), WarmPatience.History())
        patience.succeeded()
        for _ in 0..<2 { #expect(patience.wait(after: Self.down, &broken, now: Self.start) == .seconds(2)) }
        #expect(patience.wait(after: Self.down, &broken, now: Self.start) == nil)
        #expect(patience.wait(after: Self.resting(20), &other, now: Self.start) == .seconds(20))
        // Whoever finds out whether it is back hears of the failure itself.
        for _ in 0..<3 { #expect(patience.wait(after: Self.down, &broken, now: Self.start) == .seconds(2)) }
        #expect(patience.wait(after: Self.resting(41), &other, now: Self.start) == nil, "61 s in all")
        patience.succeeded()
        #expect(patience.wait(after: Self.down, &broken, now: Self.start) == nil)
    }

    @Test func `nobody waits longer than all together, and a success begins anew`() {
        var patience = WarmPatience(limit: .seconds(60))
        var (first, second) = (WarmPatience.History(), WarmPatience.History())
        let late = Self.start + .seconds(60)
        #expect(patience.wait(after: Self.busy(5), &first, now: Self.start) == .seconds(5))
        #expect(patience.hopeless(now: late - .seconds(1)) == nil)
        #expect(patience.hopeless(now: late) == Self.busy(5))
        #expect(patience.wait(after: Self.busy(9), &second, now: late) == nil)
        #expect(patience.hopeless(now: late) == Self.busy(9))
        patience.succeeded()
        #expect(patience.hopeless(now: late) == nil)
        #expect(patience.wait(after: Self.busy(9), &second, now: late) == .seconds(9))
    }

    // MARK: At work

    private func service(_ cms: ScriptedCMS, _ folder: TemporaryFolder) async throws -> RenditionService {
        var configuration = Configuration()
        configuration.cache.directory = folder.file("cache")
        configuration.cache.keepFreeBytes = 0
        configuration.channels = [TestService.ocm(cms)]
        configuration.fetch.warmRetries = 1
        configuration.fetch.breakerFailures = 3
        configuration.fetch.breakerRest = .milliseconds(20)
        configuration.fetch.breakerLongestRest = .milliseconds(100)
        return try await RenditionService.open(configuration, log: .silent)
    }

    private func cms(_ count: Int, failing: Range<Int>, with response: LoopbackOrigin.Response) throws -> ScriptedCMS {
        let picture = TestPicture.gradient(width: 16, height: 9)
        let cms = try ScriptedCMS(
            Dictionary(uniqueKeysWithValues: (0..<count).map { ("P\($0 + 1000)", ScriptedCMS.Item(native: picture)) })
        )
        let asked = Mutex(0)
        cms.answer { _ in
            let number = asked.withLock { count in
                count += 1
                return count
            }
            return failing.contains(number) ? response : nil
        }
        return cms
    }

    @Test func `an outage in the middle of a warm leaves nothing out`() async throws {
        // The listing of the second page meets it too.
        let cms = try cms(120, failing: 60..<80, with: .init(503))
        let folder = try TemporaryFolder()
        let service = try await service(cms, folder)
        let summary = try await WarmRunner.run(service, WarmPlan(channel: "blog", selections: [.native]))
        #expect(summary.done == 120 && summary.failed.isEmpty)
        await service.shutDown()
    }

    @Test func `an origin that asks to wait for ever ends the warm, not each picture`() async throws {
        let cms = try cms(40, failing: 10..<Int.max, with: .init(429, headers: [("Retry-After", "1")]))
        let folder = try TemporaryFolder()
        let service = try await service(cms, folder)
        var plan = WarmPlan(channel: "blog", selections: [.native], concurrency: 2)
        plan.patience = .seconds(3)
        await #expect(throws: RenditionError.origin(.busy(host: "127.0.0.1", status: 429, retryAfter: .seconds(1)))) {
            _ = try await WarmRunner.run(service, plan)
        }
        #expect(Set(cms.server.requests.map(\.path)).count < 20, "most were not even tried")
        await service.shutDown()
    }
}
