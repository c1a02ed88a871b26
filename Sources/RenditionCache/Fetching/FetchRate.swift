/// How often requests of one group may go out, whatever their host: a service's published limit.
struct FetchRate: Hashable, Sendable {
    /// Whose requests are counted together, as in `microcms:example`.
    var group: String
    /// Requests a second in the long run; more than 0.
    var perSecond: Double
    /// Requests that may go out at once after a pause; at least 1, the default.
    ///
    /// In any one second at most `perSecond + burst` go out.
    var burst = 1
}

/// A token bucket that is never filled by a timer: it remembers when it will be full again; a plain value.
///
/// This is the generic cell rate algorithm, which counts exactly and keeps one instant.
struct TokenBucket: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// When the bucket would be full, if nobody took any more; nil if it has always been.
    private var full: Instant?

    /// Slowest rate that is counted with, in requests a second.
    private static let slowest = 0.001

    /// When the next token is there; `now` or later.
    func ready(_ rate: FetchRate, now: Instant) -> Instant {
        guard let full else { return now }
        return max(now, full - Self.interval(rate) * (max(rate.burst, 1) - 1))
    }

    /// Takes a token.
    mutating func take(_ rate: FetchRate, now: Instant) {
        full = max(full ?? now, now) + Self.interval(rate)
    }

    /// Whether it is full again.
    func isFull(now: Instant) -> Bool { full.map { $0 <= now } ?? true }

    private static func interval(_ rate: FetchRate) -> Duration { .seconds(1 / max(rate.perSecond, slowest)) }
}
