import CHTTPServer
import Synchronization

/// One parked connection: a request in, an answer out, exactly once.
///
/// The connection is suspended from the moment this is made until the first `finish` resumes it.
final class Exchange: @unchecked Sendable {
    /// What becomes of the request.
    enum Outcome: Sendable {
        case picture(Picture)
        case answer(Answer)
        /// Nobody is there to answer.
        case gone
    }

    private struct State {
        var outcome: Outcome?
        var task: Task<Void, Never>?
    }

    private static let tickets = Atomic<UInt64>(1)

    /// Tells this exchange from all others of the process; never 0.
    let ticket = Exchange.tickets.add(1, ordering: .relaxed).oldValue
    private let state = Mutex(State())
    private let watch: LeaveWatch
    private let manner: Manner
    // Safe to share: used once, to resume, and a suspended connection does not go away before that.
    private let connection: OpaquePointer

    /// Parks a connection; call on its own thread, inside the access handler.
    init(suspending connection: OpaquePointer, watch: LeaveWatch, manner: Manner) {
        self.connection = connection
        self.watch = watch
        self.manner = manner
        MHD_suspend_connection(connection)
        if !watch.add(self, socket: chttp_socket(connection)) { expire(.stopping) }
    }

    /// Starts the work whose outcome is the answer; it is cancelled when the answer comes from elsewhere.
    func run(_ work: @escaping @Sendable () async -> Outcome) {
        let task = Task { finish(await work()) }
        let isOver = state.withLock { state in
            if state.outcome == nil { state.task = task }
            return state.outcome != nil
        }
        if isOver { task.cancel() }
    }

    /// Answers; only the first call counts.
    func finish(_ outcome: Outcome) {
        let (isFirst, task) = state.withLock { state -> (Bool, Task<Void, Never>?) in
            guard state.outcome == nil else { return (false, nil) }
            state.outcome = outcome
            defer { state.task = nil }
            return (true, state.task)
        }
        guard isFirst else { return }
        // Nothing to work that has just ended; to all other it says that nobody waits any more.
        task?.cancel()
        watch.remove(self)
        MHD_resume_connection(connection)
    }

    /// Answers that there will be no picture.
    func expire(_ reason: Refusal) { finish(.answer(ErrorResponse.answer(reason, manner))) }

    /// The outcome, once the connection has been resumed.
    var outcome: Outcome? { state.withLock { $0.outcome } }
}
