/// How many transfers a host gets at a time, and from when on: halved when it is overloaded, widened again by success.
///
/// Additive increase, multiplicative decrease, as congestion control does it (RFC 5681 §3.1); a plain value.
struct HostPace: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// A host that asked to be left alone.
    struct Quiet: Equatable, Sendable {
        var until: Instant
        /// The status it asked with.
        var status: Int
    }

    private let widest: Int
    /// Most transfers at a time now; never below 1.
    private(set) var width: Int
    /// Counts the halvings, so that what began before one does not halve again.
    private(set) var round = 0
    /// Successes since the last change or failure.
    private var run = 0
    /// The latest wish to wait, also when it is over.
    private(set) var quiet: Quiet?

    /// Least successes in a row before the width grows.
    private static let shortestRun = 4

    /// Begins at the full width; below one counts as one.
    init(widest: Int) {
        self.widest = max(widest, 1)
        width = self.widest
    }

    /// Whether nothing is known that a new value would not say.
    func isFresh(now: Instant) -> Bool { width == widest && (quiet.map { $0.until <= now } ?? true) }

    /// A transfer ended well: after a run of as many as the width, and at least four, one more may run at a time.
    mutating func succeeded() {
        guard width < widest else { return }
        run += 1
        guard run >= max(width, Self.shortestRun) else { return }
        width += 1
        run = 0
    }

    /// A transfer failed in a way that says nothing of load: the run of successes is over.
    mutating func failed() { run = 0 }

    /// A transfer met overload: half as many at a time, once for all that had begun before.
    ///
    /// - Parameter begunIn: the `round` at its beginning.
    mutating func overloaded(begunIn: Int) {
        run = 0
        guard begunIn == round else { return }
        round += 1
        width = max(width / 2, 1)
    }

    /// The host asks not to be asked before `until`; the latest of such wishes holds.
    mutating func keepQuiet(until: Instant, status: Int) {
        if let quiet, quiet.until >= until { return }
        quiet = Quiet(until: until, status: status)
    }
}
