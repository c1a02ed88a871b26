import Dispatch
import Glibc
import Synchronization

/// A few threads of rcache's own for calls that block on the disk or on SQLite, so that no cooperative thread waits.
///
/// The queue needs no bound of its own: each queued call belongs to a caller that is suspended in `run`, and those are
/// bounded by admission. The threads end when the pool goes and its queue is empty.
final class BlockingPool: Sendable {
    /// What the threads share; they outlive the pool by the work that is still queued.
    private final class Queue: Sendable {
        struct State {
            var work: [@Sendable () -> Void] = []
            /// Index of the next piece in `work`; the front is cut off when it has grown.
            var next = 0
            var isOpen = true
        }

        let state = Mutex(State())
        let signal = DispatchSemaphore(value: 0)

        func take() -> (@Sendable () -> Void)? {
            state.withLock { state in
                guard state.next < state.work.count else { return nil }
                let piece = state.work[state.next]
                state.next += 1
                if state.next == state.work.count || state.next >= 1024 {
                    state.work.removeFirst(state.next)
                    state.next = 0
                }
                return piece
            }
        }

        /// The life of one thread.
        func drain() {
            while true {
                signal.wait()
                if let piece = take() {
                    piece()
                } else if !state.withLock({ $0.isOpen }) {
                    return
                }
            }
        }
    }

    private let queue = Queue()
    private let threads: Int

    /// Starts `threads` threads, at least one.
    init(threads: Int) {
        self.threads = max(1, threads)
        for _ in 0..<self.threads { Self.startThread(on: queue) }
    }

    deinit {
        queue.state.withLock { $0.isOpen = false }
        for _ in 0..<threads { queue.signal.signal() }
    }

    /// Runs blocking `body` on a thread of the pool; the caller suspends, no cooperative thread waits.
    ///
    /// Not cancellable: `body` is expected to be short, or to look at a flag of its own.
    func run<T: Sendable, E: Error>(_ body: @escaping @Sendable () throws(E) -> T) async throws(E) -> T {
        let outcome: Result<T, E> = await withCheckedContinuation { continuation in
            enqueue {
                do throws(E) {
                    continuation.resume(returning: .success(try body()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try outcome.get()
    }

    /// Queues a piece of work; pieces begin in order.
    func enqueue(_ work: @escaping @Sendable () -> Void) {
        queue.state.withLock { $0.work.append(work) }
        queue.signal.signal()
    }

    private static func startThread(on queue: Queue) {
        let context = Unmanaged.passRetained(queue).toOpaque()
        var thread = pthread_t()
        let code = pthread_create(
            &thread,
            nil,
            { context in
                if let context { Unmanaged<Queue>.fromOpaque(context).takeRetainedValue().drain() }
                return nil
            },
            context
        )
        // Without its threads the process cannot do its work; nothing can be served instead.
        precondition(code == 0, "cannot start a thread: \(SystemError("pthread_create", code: code))")
        pthread_detach(thread)
    }
}

/// Runs an actor on one thread of its own.
final class ThreadExecutor: SerialExecutor {
    private let pool: BlockingPool

    /// Starts the thread.
    init() { pool = BlockingPool(threads: 1) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        pool.enqueue { job.runSynchronously(on: executor) }
    }
}
