/// How long a transfer has run and been silent.
struct TransferClock: Sendable {
    /// A point in time, and the limit that is passed then.
    struct Deadline: Equatable, Sendable {
        var instant: ContinuousClock.Instant
        /// `stall` or `total`; `connect` is libcurl's to watch, `slot` the queue's.
        var phase: String
        var limit: Duration
    }

    private let begun: ContinuousClock.Instant
    private var lastActivity: ContinuousClock.Instant?

    /// Libcurl has taken it on.
    init(now: ContinuousClock.Instant = .now) { begun = now }

    /// How long it has run.
    var elapsed: Duration { .now - begun }

    /// A connection stands, or something arrived; from here on silence is counted.
    mutating func touch(now: ContinuousClock.Instant = .now) { lastActivity = now }

    /// The next limit that would be passed.
    func deadline(stall: Duration, total: Duration) -> Deadline {
        let whole = Deadline(instant: begun + total, phase: "total", limit: total)
        guard let lastActivity, lastActivity + stall < whole.instant else { return whole }
        return Deadline(instant: lastActivity + stall, phase: "stall", limit: stall)
    }
}
