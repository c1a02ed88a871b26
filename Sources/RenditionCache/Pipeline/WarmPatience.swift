import Synchronization

/// How long a warm waits for an origin that asks to wait or is left alone: until nothing has come of it for so long.
///
/// It is one for all assets: an origin that stays down costs a warm its patience once, not once an asset.
final class WarmPatience: Sendable {
    private let limit: Duration
    private let lastProgress: Mutex<ContinuousClock.Instant>

    /// Nothing has been waited for yet.
    init(_ limit: Duration, now: ContinuousClock.Instant = .now) {
        self.limit = limit
        lastProgress = Mutex(now)
    }

    /// Something came of it.
    func noteProgress(now: ContinuousClock.Instant = .now) { lastProgress.withLock { $0 = max($0, now) } }

    /// How long to wait before the next try after an error; nil to give up.
    ///
    /// - Parameter jitter: between 0 and 1; stretches the wait by up to a quarter, so that all who were told the same do not
    ///   come back at once.
    func wait(after error: RenditionError, jitter: Double, now: ContinuousClock.Instant = .now) -> Duration? {
        guard let asked = error.askedWait else { return nil }
        let wait = max(asked, .seconds(1)) * (1 + jitter / 4)
        return lastProgress.withLock { $0 + limit >= now + wait ? wait : nil }
    }
}

extension RenditionError {
    /// How long the origin asks to wait or is left alone; nil for an error that waiting does not mend.
    fileprivate var askedWait: Duration? {
        switch self {
        case .origin(.busy(_, _, let retryAfter)): retryAfter ?? .seconds(2)
        case .origin(.unreachable(.resting(_, _, let wait))): wait
        default: nil
        }
    }
}
