/// How long a transfer has waited, run and been silent.
struct TransferClock: Sendable {
    /// A point in time, and the limit that is passed then.
    struct Deadline: Equatable, Sendable {
        var instant: ContinuousClock.Instant
        /// `slot`, `stall` or `total`; `connect` is libcurl's to watch.
        var phase: String
        var limit: Duration
    }

    private let enqueued: ContinuousClock.Instant
    private var begun: ContinuousClock.Instant?
    private var lastActivity: ContinuousClock.Instant?

    /// Starts at the beginning of the wait for a slot.
    init(now: ContinuousClock.Instant = .now) { enqueued = now }

    /// How long it has run; zero before it began.
    var elapsed: Duration { begun.map { .now - $0 } ?? .zero }

    /// Libcurl has taken it on.
    mutating func begin(now: ContinuousClock.Instant = .now) { begun = now }

    /// A connection stands; from here on silence is counted.
    mutating func connect(now: ContinuousClock.Instant = .now) { lastActivity = now }

    /// Something arrived.
    mutating func touch(now: ContinuousClock.Instant = .now) { lastActivity = now }

    /// The next limit that would be passed.
    func deadline(stall: Duration, total: Duration) -> Deadline {
        guard let begun else { return Deadline(instant: enqueued + total, phase: "slot", limit: total) }
        let whole = Deadline(instant: begun + total, phase: "total", limit: total)
        guard let lastActivity, lastActivity + stall < whole.instant else { return whole }
        return Deadline(instant: lastActivity + stall, phase: "stall", limit: stall)
    }
}
