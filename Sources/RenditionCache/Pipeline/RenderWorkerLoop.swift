import Glibc
import Synchronization

/// The thread of the pool: waits for letters, replies, ends of processes and deadlines, and acts on them.
///
/// Everything here belongs to that thread alone.
final class RenderWorkerLoop {
    /// A worker and what it is about.
    private struct Worker {
        enum State {
            case idle
            case busy(job: Int, since: ContinuousClock.Instant, deadline: ContinuousClock.Instant)
            /// Told to go, or killed; a process that does not go by itself is killed at `patience`.
            case leaving(patience: ContinuousClock.Instant?)
        }
        let process: RenderWorkerProcess
        var state = State.idle
    }

    private let settings: RenderSettings
    private let metrics: Metrics
    private let log: Log
    private let mailbox: RenderMailbox
    private let path: String
    private let clock = ContinuousClock()
    private var admission: Admission
    private var requests: [Int: RenderRequest] = [:]
    private var lastJob = 0
    private var isEnding = false
    private var farewells: [CheckedContinuation<Void, Never>] = []
    private var workers: [pid_t: Worker] = [:] {
        didSet { if workers.count != oldValue.count { mailbox.processes.withLock { $0 = Array(workers.keys) } } }
    }

    init(settings: RenderSettings, metrics: Metrics, log: Log, mailbox: RenderMailbox) {
        self.settings = settings
        self.metrics = metrics
        self.log = log
        self.mailbox = mailbox
        self.path = settings.program ?? Self.programBesideThisOne()
        let width = settings.workers > 0 ? settings.workers : max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        let memory = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
        admission = Admission(width: width, queueLimit: settings.queuePerWorker * width, memoryBytes: memory / 2)
    }

    private static func programBesideThisOne() -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let length = readlink("/proc/self/exe", &buffer, buffer.count)
        let own = String(decoding: buffer.prefix(max(0, length)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        return own.prefix(through: own.lastIndex(of: "/") ?? own.startIndex) + "rcache-render"
    }

    /// Works until told to shut down.
    func run() {
        while true {
            waitForEvents()
            for id in Array(workers.keys) { hear(id) }
            expire()
            for letter in mailbox.collect() { open(letter) }
            if isEnding { return end() }
            startJobs()
            publishLoad()
        }
    }

    // MARK: Events

    /// Blocks until something can be read or the next deadline.
    private func waitForEvents() {
        var descriptors = [pollfd(fd: mailbox.bell, events: Int16(POLLIN), revents: 0)]
        for worker in workers.values {
            descriptors.append(pollfd(fd: worker.process.exit, events: Int16(POLLIN), revents: 0))
            if case .leaving = worker.state { continue }
            descriptors.append(pollfd(fd: worker.process.socket, events: Int16(POLLIN), revents: 0))
        }
        let times = workers.values.compactMap { worker in
            switch worker.state {
            case .busy(_, _, let deadline): deadline
            case .leaving(let patience): patience
            case .idle: nil
            }
        }
        var milliseconds: Int32 = -1
        if let first = times.min() {
            let left = max(.zero, clock.now.duration(to: first)).components
            milliseconds = Int32(min(60_000, left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000 + 1))
        }
        poll(&descriptors, nfds_t(descriptors.count), milliseconds)
    }

    /// Takes a worker's reply, or its death.
    private func hear(_ id: pid_t) {
        guard let worker = workers[id] else { return }
        // The end is looked at first: whatever the process said before it is then in the socket.
        let end = worker.process.reap()
        if case .busy(let job, let since, _) = worker.state {
            switch worker.process.receive() {
            case .nothing where end == nil: return
            case .reply(let reply, let file):
                finish(job, since: since, outcome(reply, file))
                workers[id]?.state = .idle
                if worker.process.jobs >= settings.jobsPerWorker { retire(id) }
            case .nothing, .broken:
                // The socket may close a moment before the process is over; how it ended is told then.
                guard let end else { return worker.process.kill() }
                metrics.add(.workerCrashes)
                log(.warning, "a render worker died", ["signal": end.signal ?? 0, "status": end.status ?? 0])
                finish(job, since: since, .failure(.crashed(signal: end.signal, status: end.status)))
            }
        }
        guard end != nil else { return }
        if case .idle = worker.state { metrics.add(.workerCrashes) }
        workers[id] = nil
    }

    private func outcome(_ reply: RenderReply, _ file: OpenFile?) -> Result<RenderResult, RenderError> {
        switch reply {
        case .refused(let refusal):
            metrics.add(.renderRefusals)
            return .failure(.refused(refusal))
        case .rendered:
            metrics.add(.renders)
            return .success(RenderResult(reply: reply, output: file))
        case .probed:
            return .success(RenderResult(reply: reply, output: nil))
        }
    }

    /// Kills what has passed its deadline.
    private func expire() {
        let now = clock.now
        for (id, worker) in workers {
            switch worker.state {
            case .busy(let job, let since, let deadline) where deadline <= now:
                metrics.add(.renderTimeouts)
                kill(id)
                finish(job, since: since, .failure(.timedOut(after: since.duration(to: deadline))))
            case .leaving(let patience?) where patience <= now:
                kill(id)
            default: break
            }
        }
    }

    private func open(_ letter: RenderMailbox.Letter) {
        switch letter {
        case .submit(let request): submit(request)
        case .cancel(let request): cancel(request)
        case .raise(let request, let level): raise(request, to: level)
        case .shutDown(let continuation):
            isEnding = true
            if let continuation { farewells.append(continuation) }
        }
    }

    private func submit(_ request: RenderRequest) {
        guard !request.isFinished else { return }
        lastJob += 1
        switch admission.submit(lastJob, priority: request.priority.level, bytes: request.memoryBytes()) {
        case .refused(let retryAfter): request.finish(.failure(.overloaded(retryAfter: retryAfter)))
        case .waits:
            requests[lastJob] = request
            startJobs()
        }
    }

    private func raise(_ request: RenderRequest, to level: WorkPriority) {
        guard let job = requests.first(where: { $0.value === request })?.key else { return }
        admission.raise(job, to: level)
    }

    private func cancel(_ request: RenderRequest) {
        guard let job = requests.first(where: { $0.value === request })?.key else { return }
        for (id, worker) in workers {
            guard case .busy(job, let since, _) = worker.state else { continue }
            kill(id)
            return finish(job, since: since, .failure(.cancelled))
        }
        admission.withdraw(job)
        requests[job] = nil
    }

    // MARK: Actions

    private func startJobs() {
        while let job = admission.next() {
            guard let request = requests[job] else { continue }
            do throws(RenderError) {
                try give(job, request)
            } catch {
                finish(job, since: clock.now, .failure(error))
            }
        }
    }

    /// Gives a job to an idle worker, or to a new one.
    private func give(_ job: Int, _ request: RenderRequest) throws(RenderError) {
        let now = clock.now
        let deadline = now + .seconds(request.job.limits.deadlineSeconds)
        for (id, worker) in workers {
            guard case .idle = worker.state else { continue }
            if worker.process.send(request.job, source: request.source, mark: request.mark) {
                workers[id]?.state = .busy(job: job, since: now, deadline: deadline)
                return
            }
            // It died while idle.
            metrics.add(.workerCrashes)
            kill(id)
        }
        let process = try RenderWorkerProcess.start(path)
        metrics.add(.workerStarts)
        log(.debug, "render worker started", ["process": process.id])
        workers[process.id] = Worker(process: process)
        guard process.send(request.job, source: request.source, mark: request.mark) else {
            kill(process.id)
            throw .cannotStart(path: path, reason: "it takes no job")
        }
        workers[process.id]?.state = .busy(job: job, since: now, deadline: deadline)
    }

    private func finish(_ job: Int, since: ContinuousClock.Instant, _ result: Result<RenderResult, RenderError>) {
        let time = since.duration(to: clock.now).components
        admission.finish(job, seconds: Double(time.seconds) + Double(time.attoseconds) * 1e-18)
        requests.removeValue(forKey: job)?.finish(result)
    }

    private func kill(_ id: pid_t) {
        workers[id]?.process.kill()
        workers[id]?.state = .leaving(patience: nil)
    }

    private func retire(_ id: pid_t) {
        workers[id]?.process.retire()
        workers[id]?.state = .leaving(patience: clock.now + .seconds(2))
    }

    private func publishLoad() {
        mailbox.waiting.store(admission.waiting, ordering: .relaxed)
        mailbox.busy.store(admission.busy, ordering: .relaxed)
    }

    /// Gives everything up, and sees all processes off; one that the kernel does not let go is left behind after 5 s.
    private func end() {
        mailbox.seal()
        for id in workers.keys { kill(id) }
        for request in requests.values { request.finish(.failure(.cancelled)) }
        let patience = clock.now + .seconds(5)
        while !workers.isEmpty && clock.now < patience {
            var ends = workers.values.map { pollfd(fd: $0.process.exit, events: Int16(POLLIN), revents: 0) }
            poll(&ends, nfds_t(ends.count), 1000)
            for (id, worker) in workers where worker.process.reap() != nil { workers[id] = nil }
        }
        for farewell in farewells { farewell.resume() }
    }
}
