/// What is known of one host, and what is learnt from each of its transfers; a plain value.
struct HostState: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// A turn for the worse or the better.
    enum Change: Equatable, Sendable {
        /// The host is left alone from now on.
        case opened(failures: Int)
        /// It is asked again like any other.
        case closed
    }

    /// Transfers that run.
    var busy = 0
    private(set) var pace: HostPace
    var breaker: CircuitBreaker
    private let longestQuiet: Duration

    /// Nothing is known.
    init(_ settings: FetchSettings) {
        pace = HostPace(widest: settings.perHost)
        longestQuiet = settings.longestQuiet
        breaker = CircuitBreaker(
            threshold: settings.breakerFailures,
            firstRest: settings.breakerRest,
            longestRest: settings.breakerLongestRest
        )
    }

    /// Whether it holds anything back.
    func isBinding(now: Instant) -> Bool {
        !breaker.isClosed || (pace.quiet.map { $0.until > now } ?? false)
    }

    /// Whether it is any different from a new value.
    func isWorthKeeping(now: Instant) -> Bool { busy > 0 || !breaker.isFresh || !pace.isFresh(now: now) }

    /// Learns from a transfer that has ended; `round` is that of the pace at its beginning.
    mutating func learn(_ signal: HostSignal, round: Int, isProbe: Bool, now: Instant) -> Change? {
        let wasClosed = breaker.isClosed
        switch signal {
        case .good:
            pace.succeeded()
            breaker.succeeded()
        case .busy(let status, let wait):
            pace.overloaded(begunIn: round)
            if let wait { pace.keepQuiet(until: now + min(wait, longestQuiet), status: status) }
            // It answers, and says itself when to ask again.
            breaker.succeeded()
        case .failing(let isOverload):
            if isOverload { pace.overloaded(begunIn: round) } else { pace.failed() }
            if breaker.failed(isProbe: isProbe, now: now) { return .opened(failures: breaker.failures) }
        case .silent:
            if isProbe { breaker.abandonedProbe(now: now) }
        }
        return !wasClosed && breaker.isClosed ? .closed : nil
    }
}
