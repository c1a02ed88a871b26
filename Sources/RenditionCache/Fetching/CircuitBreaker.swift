/// Leaves a host alone that fails again and again, and lets one request at a time find out whether it is back.
///
/// Closed, it lets everything pass and counts failures in a row. Open, it lets nothing pass for a rest. Then the first
/// request is a probe: its success closes it, its failure opens it for twice as long. A plain value.
struct CircuitBreaker: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// Whether a request may go out.
    enum Verdict: Equatable, Sendable {
        case pass
        /// It may, and everybody else waits for how it ends.
        case probe
        /// Not before that instant; nil while a probe is under way.
        case rest(until: Instant?)
    }

    private enum State: Equatable {
        case closed
        case open(until: Instant)
        case probing
    }

    private let threshold: Int
    private let firstRest: Duration
    private let longestRest: Duration
    private var state = State.closed
    private var rest: Duration
    private var failedProbes = 0
    /// Failures since the last success.
    private(set) var failures = 0

    /// Closed.
    init(threshold: Int, firstRest: Duration, longestRest: Duration) {
        self.threshold = max(threshold, 1)
        self.firstRest = firstRest
        self.longestRest = max(longestRest, firstRest)
        rest = firstRest
    }

    /// Whether nothing is known that a new value would not say.
    var isFresh: Bool { state == .closed && failures == 0 }

    /// Whether it lets everything pass.
    var isClosed: Bool { state == .closed }

    /// Whether the host may be back soon: fewer than two probes have failed.
    var isHopeful: Bool { failedProbes < 2 }

    /// Judges a request that would go out now.
    func verdict(now: Instant) -> Verdict {
        switch state {
        case .closed: .pass
        case .open(let until): until > now ? .rest(until: until) : .probe
        case .probing: .rest(until: nil)
        }
    }

    /// The probe goes out.
    mutating func beginProbe() { state = .probing }

    /// The host answered, also if with a refusal.
    mutating func succeeded() {
        self = CircuitBreaker(threshold: threshold, firstRest: firstRest, longestRest: longestRest)
    }

    /// A request failed; returns whether this ended the closed state.
    ///
    /// What began before the breaker opened, and fails afterwards, changes nothing.
    mutating func failed(isProbe: Bool, now: Instant) -> Bool {
        switch state {
        case .closed:
            failures += 1
            guard failures >= threshold else { return false }
            state = .open(until: now + rest)
            return true
        case .probing where isProbe:
            failures += 1
            failedProbes += 1
            rest = min(rest * 2, longestRest)
            state = .open(until: now + rest)
            return false
        case .probing, .open: return false
        }
    }

    /// The probe ended without a word about the host, as when nobody waited any more: the next request is one.
    mutating func abandonedProbe(now: Instant) {
        if state == .probing { state = .open(until: now) }
    }
}
