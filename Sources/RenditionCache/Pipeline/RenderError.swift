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
