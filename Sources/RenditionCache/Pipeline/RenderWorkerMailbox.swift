import CSystem
import Glibc
import Synchronization

/// One job on its way; whoever ends it first, ends it.
final class RenderRequest: Sendable {
    private enum State {
        case new
        case waiting(CheckedContinuation<Result<RenderResult, RenderError>, Never>)
        case finished
    }

    let job: RenderJob
    let source: OpenFile?
    let mark: OpenFile?
    let priority: Urgency
    private let state = Mutex(State.new)

    init(job: RenderJob, source: OpenFile?, mark: OpenFile?, priority: Urgency) {
        self.job = job
        self.source = source
        self.mark = mark
        self.priority = priority
    }

    /// Whether the caller already has an answer.
    var isFinished: Bool {
        state.withLock {
            if case .finished = $0 { true } else { false }
        }
    }

    /// Keeps the caller until `finish`; false, and the caller goes on, if it was cancelled before.
    func wait(with continuation: CheckedContinuation<Result<RenderResult, RenderError>, Never>) -> Bool {
        let isNew = state.withLock { state in
            guard case .new = state else { return false }
            state = .waiting(continuation)
            return true
        }
        if !isNew { continuation.resume(returning: .failure(.cancelled)) }
        return isNew
    }

    /// What the job is likely to take, in bytes, by the first bytes of its source; reads those.
    func memoryBytes() -> Int {
        let count = min(RenderJob.beginningByteCount, job.sourceByteCount ?? source?.byteCount ?? 0)
        // A source that cannot be read is the worker's to refuse.
        let beginning = (try? source?.read(from: 0, count: count)) ?? []
        return beginning.withUnsafeBytes { job.memoryBytes(beginning: $0) }
    }

    /// Answers the caller, once; later answers are dropped.
    func finish(_ result: Result<RenderResult, RenderError>) {
        let previous = state.withLock { state in
            defer { state = .finished }
            return state
        }
        if case .waiting(let continuation) = previous { continuation.resume(returning: result) }
    }
}

/// What callers tell the thread of the pool, and what it lets them see.
final class RenderMailbox: Sendable {
    enum Letter: Sendable {
        case submit(RenderRequest)
        case cancel(RenderRequest)
        case raise(RenderRequest, to: WorkPriority)
        case shutDown(CheckedContinuation<Void, Never>?)
    }

    /// Process identifiers of living workers.
    let processes = Mutex<[Int32]>([])
    /// Jobs that wait, and jobs that workers are doing.
    let waiting = Atomic(0), busy = Atomic(0)
    /// Readable while there are letters.
    let bell: Int32
    private let ring: Int32
    private let letters = Mutex<(unread: [Letter], isClosed: Bool)>(([], false))

    init() {
        var ends: [Int32] = [-1, -1]
        // Without them (no descriptor left) nothing can be posted, and every job ends as cancelled.
        let isOpen = csystem_socket_pair(&ends) == 0
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        (bell, ring) = (ends[0], ends[1])
        if !isOpen { letters.withLock { $0.isClosed = true } }
    }

    deinit {
        Glibc.close(bell)
        Glibc.close(ring)
    }

    /// False if nobody reads any more.
    @discardableResult
    func post(_ letter: Letter) -> Bool {
        let isTaken = letters.withLock { letters in
            guard !letters.isClosed else { return false }
            letters.unread.append(letter)
            return true
        }
        // A full socket rings as loud as one byte.
        if isTaken { write(ring, [1], 1) }
        return isTaken
    }

    /// All letters since the last time.
    func collect() -> [Letter] {
        var bytes = [UInt8](repeating: 0, count: 256)
        while read(bell, &bytes, bytes.count) > 0 {}
        return letters.withLock { letters in
            defer { letters.unread = [] }
            return letters.unread
        }
    }

    /// Takes no more letters, and answers those that nobody will read.
    func seal() {
        let unread = letters.withLock { letters in
            defer { letters = ([], true) }
            return letters.unread
        }
        for letter in unread {
            switch letter {
            case .submit(let request), .cancel(let request): request.finish(.failure(.cancelled))
            case .raise: break
            case .shutDown(let continuation): continuation?.resume()
            }
        }
    }
}
