import Synchronization

/// How long a warm waits for an origin that asks to wait, or that is down after it was up; a plain value.
///
/// What never answered is not waited for: more likely its address is wrong. Whoever waits keeps to a limit of his own, and
/// all together to the same: once the origin has given nothing for as long, the rest of the catalogue is not tried either.
struct WarmPatience: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// What one piece of work has waited so far.
    struct History: Equatable, Sendable {
        var waited: Duration = .zero
        /// How often it was tried again because the host seemed to be down.
        var looks = 0
    }

    /// So long holds what is remembered of a host that is down, so that nothing sooner would be another try.
    private static let shortestWait = Duration.seconds(2)

    /// A host that is down is left to rest after the first of them at the latest, and the second one finds that out.
    private static let mostLooks = 2

    private let limit: Duration
    private var wasUp = false
    /// Whether the host has been left to rest since it last gave anything.
    private var isDown = false
    /// Since when there were only failures that waiting may mend, and the latest of them.
    private var trouble: (since: Instant, error: RenditionError)?

    /// Nothing has been tried yet; `limit` is `WarmPlan.patience`.
    init(limit: Duration) { self.limit = limit }

    /// The origin has given what was asked.
    mutating func succeeded() {
        wasUp = true
        isDown = false
        trouble = nil
    }

    /// How long to wait before the same is tried again; nil if it has failed.
    mutating func wait(after error: RenditionError, _ history: inout History, now: Instant) -> Duration? {
        guard let wait = wait(after: error, history) else { return nil }
        trouble = (trouble?.since ?? now, error)
        if case .origin(.unreachable(.resting)) = error { isDown = true }
        guard history.waited + wait <= limit, hopeless(now: now) == nil else { return nil }
        history.waited += wait
        if error.isOfDownHost, !isDown { history.looks += 1 }
        return wait
    }

    /// The latest failure, if there has been nothing else for as long as the patience lasts.
    func hopeless(now: Instant) -> RenditionError? {
        trouble.flatMap { now - $0.since >= limit ? $0.error : nil }
    }

    private func wait(after error: RenditionError, _ history: History) -> Duration? {
        switch error {
        case .origin(.busy(_, _, let asked)): max(asked ?? .seconds(2), .seconds(1))
        case .origin(.unreachable(.resting(_, _, let rest))): wasUp ? max(rest, Self.shortestWait) : nil
        // More looks tell a host that is down from a picture that cannot be had.
        case _ where error.isOfDownHost: wasUp && (isDown || history.looks < Self.mostLooks) ? Self.shortestWait : nil
        default: nil
        }
    }
}

extension RenditionError {
    /// Whether it may be the host's failure and not the one answer's.
    fileprivate var isOfDownHost: Bool {
        switch self {
        case .origin(.unreachable(.cannotConnect)), .origin(.unreachable(.timedOut(_, "connect", _))),
            .origin(.unreachable(.cut(_, 0, nil))), .origin(.unusable(_, 502...504, _)):
            true
        default: false
        }
    }
}

/// What the assets of one warm know together of their origin.
final class WarmWaits: Sendable {
    private let patience: Mutex<WarmPatience>

    init(limit: Duration) { patience = Mutex(WarmPatience(limit: limit)) }

    /// Why it makes no sense to go on; nil while it does.
    var hopeless: RenditionError? { patience.withLock { $0.hopeless(now: .now) } }

    /// Does it again while waiting may help.
    func patiently<Value: Sendable>(
        _ work: () async throws(RenditionError) -> Value
    ) async throws(RenditionError) -> Value {
        var history = WarmPatience.History()
        while true {
            do throws(RenditionError) {
                let value = try await work()
                patience.withLock { $0.succeeded() }
                return value
            } catch {
                guard let wait = patience.withLock({ $0.wait(after: error, &history, now: .now) }) else { throw error }
                // Spread, so that all who were told the same do not come back at once.
                do { try await Task.sleep(for: wait * Double.random(in: 1..<1.25)) } catch { throw .cancelled }
            }
        }
    }
}
