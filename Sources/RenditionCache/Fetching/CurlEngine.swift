import CCurl
import Synchronization

/// Drives every transfer; made on the fetching thread and never seen by another.
final class CurlEngine {
    private let multi: UnsafeMutableRawPointer?
    private var queue: TransferQueue<ObjectIdentifier>
    private let report: @Sendable (Authority, HostState.Change) -> Void
    private var waiting: [ObjectIdentifier: CurlTransfer] = [:]
    private var running: [ObjectIdentifier: CurlTransfer] = [:]

    /// Longest sleep when there is nothing to do.
    private static let idleMilliseconds = 60_000

    /// An engine without transfers, which does not own the handle; `report` hears of each host that fails or is back.
    init(
        _ multi: UnsafeMutableRawPointer?,
        settings: FetchSettings,
        report: @escaping @Sendable (Authority, HostState.Change) -> Void
    ) {
        self.multi = multi
        self.report = report
        queue = TransferQueue(settings: settings)
        ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, settings.inAll)
    }

    /// How many transfers wait for a slot.
    var waitingCount: Int { queue.waiting }

    /// Takes a transfer on; it begins when it has a slot.
    func add(_ transfer: CurlTransfer) {
        guard !transfer.isCancelled.load(ordering: .acquiring) else {
            return resume(transfer, transfer.outcome(nil, reason: .cancelled))
        }
        waiting[ObjectIdentifier(transfer)] = transfer
        let request = TransferQueue.Request(
            id: ObjectIdentifier(transfer),
            authority: transfer.plan.url.authority,
            priority: transfer.plan.priority.level,
            delay: transfer.plan.delay,
            patience: transfer.plan.patience,
            slotLimit: transfer.plan.totalTimeout,
            rate: transfer.plan.rate
        )
        queue.enqueue(request, now: .now)
    }

    /// Lets a transfer that waits pass the less urgent; harmless if it does not wait.
    func raise(_ transfer: CurlTransfer, to priority: WorkPriority) {
        queue.raise(ObjectIdentifier(transfer), to: priority, now: .now)
    }

    /// Ends a transfer because whoever asked has gone; harmless if it has ended already.
    func cancel(_ transfer: CurlTransfer) { end(transfer, transfer.outcome(nil, reason: .cancelled)) }

    /// Does whatever can be done now, then sleeps until something can be done again.
    func turn() {
        beginWaiting()
        var left: Int32 = 0
        curl_multi_perform(multi, &left)
        let hasEnded = collect() || stopLate()
        guard !hasEnded else { return }
        curl_multi_poll(multi, nil, 0, Int32(clamping: milliseconds), nil)
    }

    /// Ends everything.
    func stop() {
        for transfer in Array(waiting.values) + Array(running.values) { cancel(transfer) }
    }

    private func beginWaiting() {
        while let step = queue.next(now: .now) {
            switch step {
            case .begin(let id): begin(id)
            case .refuse(let id, let error):
                guard let transfer = waiting.removeValue(forKey: id) else { continue }
                resume(transfer, transfer.outcome(nil, reason: error))
            }
        }
    }

    private func begin(_ id: ObjectIdentifier) {
        guard let transfer = waiting.removeValue(forKey: id) else { return }
        running[id] = transfer
        let code = transfer.begin()
        if code == CURLE_OK, curl_multi_add_handle(multi, transfer.easy) == CURLM_OK { return }
        // Its host has no part in that.
        end(transfer, transfer.outcome(code == CURLE_OK ? CURLE_FAILED_INIT : code), .silent)
    }

    /// Hands over what libcurl has finished.
    private func collect() -> Bool {
        var hasEnded = false
        var code = CURLE_OK
        while let easy = ccurl_multi_finished(multi, &code) {
            guard let transfer = running.values.first(where: { $0.easy == easy }) else { continue }
            end(transfer, transfer.outcome(code))
            hasEnded = true
        }
        return hasEnded
    }

    private func stopLate() -> Bool {
        let now = ContinuousClock.now
        let late = running.values.filter { $0.failIfLate(now) }
        for transfer in late { end(transfer, transfer.outcome(nil)) }
        return !late.isEmpty
    }

    /// Ends a transfer that runs or waits; its host is judged by `signal`, or else by the outcome.
    private func end(_ transfer: CurlTransfer, _ outcome: CurlTransfer.Outcome, _ signal: HostSignal? = nil) {
        let id = ObjectIdentifier(transfer)
        if running.removeValue(forKey: id) != nil {
            curl_multi_remove_handle(multi, transfer.easy)
            let signal = signal ?? HostSignal(outcome.result, now: SystemClock.seconds())
            if let change = queue.release(id, signal, now: .now) { report(transfer.plan.url.authority, change) }
        } else if waiting.removeValue(forKey: id) != nil {
            queue.withdraw(id)
        } else {
            return
        }
        resume(transfer, outcome)
    }

    private func resume(_ transfer: CurlTransfer, _ outcome: CurlTransfer.Outcome) {
        let continuation = transfer.continuation
        transfer.continuation = nil
        continuation?.resume(returning: outcome)
    }

    /// How long it is until a limit is passed or a wait is over; libcurl shortens the sleep for its own.
    private var milliseconds: Int {
        let instants = running.values.compactMap { $0.deadline?.instant } + (queue.wake.map { [$0] } ?? [])
        guard let next = instants.min() else { return Self.idleMilliseconds }
        return min(max((next - .now).milliseconds, 0), Self.idleMilliseconds)
    }
}
