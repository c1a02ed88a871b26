import Glibc
import Synchronization

/// What a worker gave back for a job it did; a refusal is thrown instead.
struct RenderResult: Sendable {
    /// What was read or rendered.
    var reply: RenderReply
    /// The encoded picture, in a sealed memory file; nil for a probe.
    var output: OpenFile?
}

/// The pool of `rcache-render` processes: starts them as work comes, feeds them, kills them at the deadline, replaces them.
///
/// One thread of its own does all of it; no cooperative thread waits for anything.
final class RenderWorkers: Sendable {
    private enum Phase {
        case idle
        case working
        case closed
    }

    private let settings: RenderSettings
    private let metrics: Metrics
    private let log: Log
    private let mailbox: RenderMailbox
    private let phase = Mutex(Phase.idle)

    /// A pool that starts nothing yet: the thread comes with the first job, a process with each job that finds none idle.
    init(settings: RenderSettings, metrics: Metrics, log: Log) {
        self.settings = settings
        self.metrics = metrics
        self.log = log
        self.mailbox = RenderMailbox()
    }

    // The thread, if there is one, ends by itself.
    deinit { mailbox.post(.shutDown(nil)) }

    /// Process identifiers of the workers that are alive.
    var processes: [Int32] { mailbox.processes.withLock { $0 } }
    /// Worker processes that are alive.
    var running: Int { processes.count }
    /// Jobs that wait for a worker.
    var waiting: Int { mailbox.waiting.load(ordering: .relaxed) }

    /// Jobs that workers are doing.
    var busy: Int { mailbox.busy.load(ordering: .relaxed) }

    /// Does a job in a worker process.
    ///
    /// The source and the mark go over as descriptors, their bytes are not copied. The deadline counts from the moment the job starts.
    /// Cancelling the task takes the job out of the queue, or kills the worker that runs it.
    func run(
        _ job: RenderJob,
        source: OpenFile?,
        mark: OpenFile? = nil,
        priority: Urgency
    ) async throws(RenderError) -> RenderResult {
        var job = job
        job.sourceByteCount = source?.byteCount
        job.markByteCount = mark?.byteCount
        let request = RenderRequest(job: job, source: source, mark: mark, priority: priority)
        start()
        priority.whenItRises { [mailbox, weak request] level in
            if let request { mailbox.post(.raise(request, to: level)) }
        }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard request.wait(with: continuation) else { return }
                if !mailbox.post(.submit(request)) { request.finish(.failure(.cancelled)) }
            }
        } onCancel: {
            request.finish(.failure(.cancelled))
            mailbox.post(.cancel(request))
        }
        return try outcome.get()
    }

    /// Gives up all jobs, ends all workers and the thread; returns when they are gone.
    func shutDown() async {
        let previous = phase.withLock { phase in
            defer { phase = .closed }
            return phase
        }
        if previous == .idle { mailbox.seal() }
        guard previous == .working else { return }
        await withCheckedContinuation { continuation in
            if !mailbox.post(.shutDown(continuation)) { continuation.resume() }
        }
    }

    private func start() {
        let isFirst = phase.withLock { phase in
            guard phase == .idle else { return false }
            phase = .working
            return true
        }
        guard isFirst else { return }
        let (settings, metrics, log, mailbox) = (settings, metrics, log, mailbox)
        startThread {
            let loop = RenderWorkerLoop(settings: settings, metrics: metrics, log: log, mailbox: mailbox)
            loop.run()
        }
    }

    /// Runs `body` on a new thread that takes no signals.
    private func startThread(_ body: @escaping @Sendable () -> Void) {
        final class Box {
            let body: @Sendable () -> Void; init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        var thread = pthread_t()
        let context = Unmanaged.passRetained(Box(body))
        let code = pthread_create(
            &thread,
            nil,
            { context in
                var all = sigset_t()
                sigfillset(&all)
                pthread_sigmask(SIG_BLOCK, &all, nil)
                context.map { Unmanaged<Box>.fromOpaque($0).takeRetainedValue().body() }
                return nil
            },
            context.toOpaque()
        )
        guard code == 0 else {
            context.release()
            log(.error, "no thread for the render workers", ["error": SystemError("pthread_create", code: code)])
            return mailbox.seal()
        }
        pthread_detach(thread)
    }
}
