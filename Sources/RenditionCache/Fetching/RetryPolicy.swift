/// Whether another try is worth it, and when; pure.
struct RetryPolicy: Sendable {
    /// What to do after a try.
    enum Verdict: Equatable, Sendable {
        case again(after: Duration)
        case giveUp
    }

    /// What there was so far.
    struct History: Equatable, Sendable {
        /// Tries after the first.
        var retries = 0
        /// Waits granted before them, in all.
        var waited: Duration = .zero
    }

    /// How many tries, how far apart.
    struct Effort: Equatable, Sendable {
        /// Most tries after the first.
        var maxRetries: Int
        /// The longest wait before the first retry, doubled for each further one.
        var base: Duration
        /// What the doubling ends at.
        var cap: Duration
        /// Longest wait that a server may ask for.
        var longestWait: Duration
    }

    /// For a request that somebody waits for: few tries, quickly; all waits together stay within `longestWait`.
    var live: Effort
    /// For all other work.
    var patient: Effort

    /// Statuses that may pass by themselves (RFC 9110 §15.6, RFC 6585 §4).
    private static let passing: Set<Int> = [429, 500, 502, 503, 504]

    init(_ settings: FetchSettings) {
        live = Effort(
            maxRetries: settings.liveRetries,
            base: .milliseconds(200),
            cap: .seconds(1),
            longestWait: settings.liveWait
        )
        patient = Effort(
            maxRetries: settings.warmRetries,
            base: .milliseconds(500),
            cap: .seconds(8),
            longestWait: settings.warmWait
        )
    }

    /// Judges the end of a try.
    ///
    /// - Parameters:
    ///   - result: its answer or failure.
    ///   - history: what there was before it.
    ///   - isRepeatable: false if the request may have an effect, so that it is only sent again if it was not taken.
    ///   - now: seconds since 1970, for a date to wait for.
    ///   - jitter: between 0 and 1; the share of the wait that is taken, so that callers who failed together part.
    func verdict(
        after result: Result<FetchResponse, FetchError>,
        _ history: History,
        priority: WorkPriority,
        isRepeatable: Bool = true,
        now: Double,
        jitter: Double
    ) -> Verdict {
        let effort = effort(priority)
        guard history.retries < min(effort.maxRetries, Self.worth(result, isRepeatable: isRepeatable)) else {
            return .giveUp
        }
        // A transfer that broke asks for nothing.
        let asked = (try? result.get())?.retryAfter(now: now) ?? .zero
        let wait = max(min(effort.base * (1 << min(history.retries, 16)), effort.cap) * jitter, asked)
        let spent = priority == .live ? history.waited : .zero
        return spent + wait <= effort.longestWait ? .again(after: wait) : .giveUp
    }

    /// Longest that a further try may be held back.
    func patience(_ history: History, priority: WorkPriority) -> Duration {
        priority == .live ? max(live.longestWait - history.waited, .zero) : patient.longestWait
    }

    private func effort(_ priority: WorkPriority) -> Effort { priority == .live ? live : patient }

    /// How many more tries the end of one is worth, whoever waits.
    private static func worth(_ result: Result<FetchResponse, FetchError>, isRepeatable: Bool) -> Int {
        switch result {
        case .success(let response):
            return (isRepeatable ? passing.contains(response.status) : response.status == 429) ? .max : 0
        case .failure(.cannotConnect): return .max
        case .failure(.cut), .failure(.transport): return isRepeatable ? .max : 0
        // A stall has already cost its whole limit.
        case .failure(.timedOut(_, "stall", _)): return isRepeatable ? 1 : 0
        case .failure: return 0
        }
    }
}
