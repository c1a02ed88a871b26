/// Who may transfer now: the more urgent first, then in order of arrival, as far as hosts, rates and widths allow.
///
/// A plain value that is told the time: the fetching thread owns it and does what `next` says.
struct TransferQueue<ID: Hashable & Sendable>: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// What a transfer asks for.
    struct Request: Sendable {
        var id: ID
        var authority: Authority
        var priority = WorkPriority.live
        /// Not to be begun sooner: the wait before another try.
        var delay: Duration = .zero
        /// Longest that it is held back because its host asks for it or fails; then it is refused.
        var patience: Duration
        /// Longest wait for a turn, the time it is held back not counted.
        var slotLimit: Duration
        var rate: FetchRate?
    }

    /// What is to be done.
    enum Step: Equatable, Sendable {
        case begin(ID)
        case refuse(ID, FetchError)
    }

    private struct Waiter {
        var request: Request
        var notBefore: Instant
        /// Held back for longer than that, it is refused.
        var holdLimit: Instant
        /// The end of what it was held back for so far.
        var heldUntil: Instant

        var deadline: Instant { heldUntil + request.slotLimit }
    }
    private struct Running {
        let authority: Authority
        let round: Int
        let isProbe: Bool
    }
    private enum Verdict {
        case begin(isProbe: Bool)
        case refuse(FetchError)
        /// Until that instant, or until something changes; politely if that is the host's or the retry's wish.
        case hold(until: Instant?, isPolite: Bool)
    }

    private let settings: FetchSettings
    private var hosts: [Authority: HostState] = [:]
    private var buckets: [String: TokenBucket] = [:]
    private var running: [ID: Running] = [:]
    /// Most urgent first; in order of arrival among equals.
    private var waiters: [Waiter] = []
    /// Whether all have been judged since anything changed; then only time can change it.
    private var isSettled = false
    /// When time changes something, once all have been judged; nil if never.
    private(set) var wake: Instant?

    /// Most hosts that are remembered while none of their transfers runs.
    private static var maxIdleHosts: Int { 512 }

    /// Nobody transfers; widths below one count as one.
    init(settings: FetchSettings) { self.settings = settings }

    /// How many wait.
    var waiting: Int { waiters.count }

    /// How many hosts are remembered.
    var hostCount: Int { hosts.count }

    /// How many transfers that host may have at a time now.
    func width(_ authority: Authority) -> Int { (hosts[authority] ?? HostState(settings)).pace.width }

    /// Joins the queue; `next` says when its turn has come.
    mutating func enqueue(_ request: Request, now: Instant) {
        let notBefore = now + request.delay
        insert(
            Waiter(request: request, notBefore: notBefore, holdLimit: now + request.patience, heldUntil: notBefore)
        )
    }

    /// Moves up to the more urgent, behind those who are already there; nothing for who does not wait.
    ///
    /// Who becomes live waits no longer before another try, and has a live request's patience.
    mutating func raise(_ id: ID, to priority: WorkPriority, now: Instant) {
        guard let place = waiters.firstIndex(where: { $0.request.id == id && $0.request.priority < priority }) else {
            return
        }
        var waiter = waiters.remove(at: place)
        waiter.request.priority = priority
        if priority == .live {
            waiter.notBefore = min(waiter.notBefore, now)
            waiter.holdLimit = min(waiter.holdLimit, now + settings.liveWait)
        }
        insert(waiter)
    }

    /// Leaves the queue without having been begun.
    mutating func withdraw(_ id: ID) {
        waiters.removeAll { $0.request.id == id }
        isSettled = false
    }

    /// The next thing to do; nil when all have to wait, then at most until `wake`.
    ///
    /// A host that has to wait holds up nobody who wants another one.
    mutating func next(now: Instant) -> Step? {
        if isSettled, wake.map({ now < $0 }) ?? true { return nil }
        isSettled = false
        wake = nil
        for place in waiters.indices {
            switch verdict(waiters[place], now) {
            case .begin(let isProbe): return .begin(begin(waiters.remove(at: place).request, isProbe: isProbe, now))
            case .refuse(let error): return .refuse(waiters.remove(at: place).request.id, error)
            case .hold(let until, let isPolite):
                if isPolite { waiters[place].heldUntil = max(waiters[place].heldUntil, until ?? now) }
                wake = [wake, until, waiters[place].deadline].compactMap { $0 }.min()
            }
        }
        isSettled = true
        return nil
    }

    /// Gives the slot back, and learns from how the transfer ended.
    mutating func release(_ id: ID, _ signal: HostSignal, now: Instant) -> HostState.Change? {
        guard let run = running.removeValue(forKey: id), var host = hosts[run.authority] else { return nil }
        isSettled = false
        host.busy -= 1
        let change = host.learn(signal, round: run.round, isProbe: run.isProbe, now: now)
        hosts[run.authority] = host.isWorthKeeping(now: now) ? host : nil
        return change
    }

    private mutating func insert(_ waiter: Waiter) {
        let place = waiters.firstIndex { $0.request.priority < waiter.request.priority } ?? waiters.endIndex
        waiters.insert(waiter, at: place)
        isSettled = false
    }

    private func verdict(_ waiter: Waiter, _ now: Instant) -> Verdict {
        let request = waiter.request
        let host = hosts[request.authority] ?? HostState(settings)
        var isProbe = false
        switch host.breaker.verdict(now: now) {
        case .pass: break
        case .probe: isProbe = true
        case .rest(let until): return rest(waiter, host.breaker.failures, until: until, host.breaker.isHopeful, now)
        }
        if let quiet = host.pace.quiet, quiet.until > now {
            let name = "\(request.authority)"
            guard quiet.until <= waiter.holdLimit else {
                return .refuse(.busy(host: name, status: quiet.status, wait: quiet.until - now))
            }
            return .hold(until: quiet.until, isPolite: true)
        }
        guard waiter.notBefore <= now else { return .hold(until: waiter.notBefore, isPolite: true) }
        guard waiter.deadline > now else {
            return .refuse(.timedOut(host: request.authority.host, phase: "slot", after: request.slotLimit))
        }
        guard running.count < max(settings.inAll, 1), host.busy < host.pace.width else {
            return .hold(until: nil, isPolite: false)
        }
        if let rate = request.rate, let ready = buckets[rate.group]?.ready(rate, now: now), ready > now {
            return .hold(until: ready, isPolite: false)
        }
        return .begin(isProbe: isProbe)
    }

    /// Who is waited for fails at once; other work sees two rests out, after that the host is plainly down.
    private func rest(_ waiter: Waiter, _ failures: Int, until: Instant?, _ isHopeful: Bool, _ now: Instant) -> Verdict
    {
        guard waiter.request.priority < .live, isHopeful, until ?? now <= waiter.holdLimit else {
            let wait = until.map { $0 - now } ?? .zero
            return .refuse(.resting(host: "\(waiter.request.authority)", failures: failures, wait: wait))
        }
        return .hold(until: until, isPolite: true)
    }

    private mutating func begin(_ request: Request, isProbe: Bool, _ now: Instant) -> ID {
        if hosts[request.authority] == nil, hosts.count >= Self.maxIdleHosts { forgetIdleHosts(now) }
        var host = hosts[request.authority] ?? HostState(settings)
        host.busy += 1
        if isProbe { host.breaker.beginProbe() }
        hosts[request.authority] = host
        running[request.id] = Running(authority: request.authority, round: host.pace.round, isProbe: isProbe)
        if let rate = request.rate {
            buckets = buckets.filter { !$0.value.isFull(now: now) }
            buckets[rate.group, default: TokenBucket()].take(rate, now: now)
        }
        isSettled = false
        return request.id
    }

    /// Drops what is known of hosts without transfers: all that does not bind, and if need be what does.
    private mutating func forgetIdleHosts(_ now: Instant) {
        hosts = hosts.filter { $0.value.busy > 0 || $0.value.isBinding(now: now) }
        if hosts.count >= Self.maxIdleHosts { hosts = hosts.filter { $0.value.busy > 0 } }
    }
}
