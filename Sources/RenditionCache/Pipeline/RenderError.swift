/// Why a render did not end with a picture.
public enum RenderError: Error, Equatable, Sendable {
    /// The worker said why not.
    case refused(RenderRefusal)
    /// The worker did not answer within the deadline and was killed.
    case timedOut(after: Duration)
    /// The worker died: the signal, or the exit status.
    case crashed(signal: Int32?, status: Int32?)
    /// The worker program could not be started.
    case cannotStart(path: String, reason: String)
    /// The queue is full; come back after that long.
    case overloaded(retryAfter: Duration)
    /// Whoever asked has gone.
    case cancelled
}

extension RenderError: CustomStringConvertible {
    /// One clause, with the number and the limit; `cannotStart` names a path and is for the log alone.
    public var description: String {
        switch self {
        case .refused(let refusal): refusal.description
        case .timedOut(let limit): "not rendered within the deadline of \(limit)"
        case .crashed(let signal?, _): "the render worker was ended by signal \(signal)"
        case .crashed(_, let status?): "the render worker ended with status \(status)"
        case .crashed: "the render worker did not answer as agreed"
        case .cannotStart(let path, let reason): "\(path) cannot be started: \(reason)"
        case .overloaded(let retryAfter): "too many renders wait; there may be room in \(retryAfter)"
        case .cancelled: "given up by whoever asked"
        }
    }
}
