/// Whether a failed transfer is worth another try, and when; pure.
struct RetryPolicy: Sendable {
    /// What to do after a failure.
    enum Verdict: Equatable, Sendable {
        case again(after: Duration)
        case giveUp
    }

    /// Most tries after the first; default 2.
    var maxRetries = 2
    /// The least wait before the first retry, doubled for each further one; default 100 ms.
    var base: Duration = .milliseconds(100)

    /// Judges the failure of a try.
    ///
    /// - Parameters:
    ///   - retries: how many tries there were after the first.
    ///   - jitter: between 0 and 1; stretches the wait up to twofold, so that callers who failed together part.
    func verdict(after error: FetchError, retries: Int, jitter: Double) -> Verdict {
        guard retries < allowance(for: error) else { return .giveUp }
        return .again(after: base * (1 << retries) * (1 + jitter))
    }

    private func allowance(for error: FetchError) -> Int {
        switch error {
        case .cut, .cannotConnect, .transport: maxRetries
        // A stall has already cost its whole limit.
        case .timedOut(_, "stall", _): min(maxRetries, 1)
        case .timedOut, .tooLarge, .tooManyRedirects, .addressRefused, .badURL, .sink, .cancelled: 0
        }
    }
}
