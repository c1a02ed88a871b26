/// Decides which render may start, which waits and which is turned away; knows numbers only, never a process or a clock.
///
/// Live work goes before revalidation, revalidation before warming, each in order of arrival. Work that runs is not
/// interrupted, so warm work holds a live request up by one job at most.
struct Admission {
    /// What becomes of new work.
    enum Verdict: Equatable {
        case waits
        /// The queue is full; when it is likely to have room again.
        case refused(retryAfter: Duration)
    }

    private struct Work {
        let id: Int
        let bytes: Int
    }

    /// Jobs that run at a time.
    let width: Int
    /// Jobs of one priority that may wait; warm work is bounded by whoever warms.
    let queueLimit: Int
    /// Memory that all running jobs may take together, in bytes.
    let memoryBytes: Int

    private var queues: [WorkPriority: [Work]] = [:]
    private var running: [Int: Int] = [:]
    /// A running mean of how long a job takes, in seconds.
    private var typicalSeconds = 0.2

    init(width: Int, queueLimit: Int, memoryBytes: Int) {
        self.width = width
        self.queueLimit = queueLimit
        self.memoryBytes = memoryBytes
    }

    /// Jobs that wait.
    var waiting: Int { queues.values.reduce(0) { $0 + $1.count } }

    /// Jobs that run.
    var busy: Int { running.count }

    /// Takes on work that may need `bytes` of memory; `next` says when it may start.
    mutating func submit(_ id: Int, priority: WorkPriority, bytes: Int) -> Verdict {
        let length = queues[priority, default: []].count
        let startsAtOnce = waiting == 0 && mayStart(bytes: bytes)
        if priority != .warm && length >= queueLimit && !startsAtOnce {
            let seconds = Double(length + running.count) * typicalSeconds / Double(width)
            return .refused(retryAfter: .seconds(max(1, seconds.rounded(.up))))
        }
        queues[priority, default: []].append(Work(id: id, bytes: bytes))
        return .waits
    }

    /// The next work to start now, if any may; it then runs until `finish`.
    ///
    /// Only the most urgent is looked at: a large live job is not overtaken for ever by small warm ones.
    mutating func next() -> Int? {
        for priority in [WorkPriority.live, .revalidation, .warm] {
            guard let first = queues[priority]?.first else { continue }
            guard mayStart(bytes: first.bytes) else { return nil }
            queues[priority]?.removeFirst()
            running[first.id] = first.bytes
            return first.id
        }
        return nil
    }

    /// Moves work that waits up to the more urgent, behind those; it was admitted before and is not turned away now.
    mutating func raise(_ id: Int, to priority: WorkPriority) {
        for lower in queues.keys where lower < priority {
            guard let place = queues[lower]?.firstIndex(where: { $0.id == id }),
                let work = queues[lower]?.remove(at: place)
            else { continue }
            queues[priority, default: []].append(work)
            return
        }
    }

    /// Forgets work that waits.
    mutating func withdraw(_ id: Int) {
        for priority in queues.keys { queues[priority]?.removeAll { $0.id == id } }
    }

    /// Ends work that runs.
    mutating func finish(_ id: Int, seconds: Double) {
        guard running.removeValue(forKey: id) != nil else { return }
        typicalSeconds += (seconds - typicalSeconds) / 8
    }

    /// One job always may: a machine with little memory is slow, not idle.
    private func mayStart(bytes: Int) -> Bool {
        running.isEmpty || running.count < width && running.values.reduce(bytes, +) <= memoryBytes
    }
}
