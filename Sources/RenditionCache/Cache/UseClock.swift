import Synchronization

/// Orders uses: later ones get larger ticks, in this process exactly, between processes and restarts by the clock.
///
/// A tick is microseconds since 1970, or one more than the last where the clock stands still or was set back.
final class UseClock: Sendable {
    private let last = Atomic<Int64>(0)
    private let now: @Sendable () -> Double

    /// A clock over `now`, in seconds since 1970.
    init(now: @escaping @Sendable () -> Double) { self.now = now }

    /// The tick of a use that happens now.
    func tick() -> Int64 {
        let wall = Int64(now() * 1_000_000)
        var seen = last.load(ordering: .relaxed)
        while true {
            let next = max(seen + 1, wall)
            let (exchanged, original) = last.compareExchange(expected: seen, desired: next, ordering: .relaxed)
            if exchanged { return next }
            seen = original
        }
    }

    /// Makes coming ticks later than one that was read from the index.
    func advance(past tick: Int64) { last.max(tick, ordering: .relaxed) }
}
