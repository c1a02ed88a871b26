import CCurl
import Synchronization

/// Drives every transfer; made on the fetching thread and never seen by another.
final class CurlEngine {
    private let multi: UnsafeMutableRawPointer?
    private var slots: HostSlots<ObjectIdentifier>
    private var waiting: [ObjectIdentifier: CurlTransfer] = [:]
    private var running: [ObjectIdentifier: CurlTransfer] = [:]

    /// Longest sleep when there is nothing to do.
    private static let idleMilliseconds = 60_000

    /// An engine without transfers, which does not own the handle.
    init(_ multi: UnsafeMutableRawPointer?, settings: FetchSettings) {
        self.multi = multi
        slots = HostSlots(perHost: settings.perHost, inAll: settings.inAll)
        ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, settings.inAll)
    }

    /// How many transfers wait for a slot.
    var waitingCount: Int { slots.waiting }

    /// Takes a transfer on; it begins when it has a slot.
    func add(_ transfer: CurlTransfer) {
        guard !transfer.isCancelled.load(ordering: .acquiring) else { return resume(transfer, nil, cancelled: true) }
        transfer.enqueue()
        waiting[ObjectIdentifier(transfer)] = transfer
        slots.enqueue(ObjectIdentifier(transfer), host: transfer.host, priority: transfer.plan.priority.level)
    }

    /// Lets a transfer that waits pass the less urgent; harmless if it does not wait.
    func raise(_ transfer: CurlTransfer, to priority: WorkPriority) {
        slots.raise(ObjectIdentifier(transfer), to: priority)
    }

    /// Ends a transfer because whoever asked has gone; harmless if it has ended already.
    func cancel(_ transfer: CurlTransfer) { end(transfer, nil, cancelled: true) }

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
        while let id = slots.next() {
            guard let transfer = waiting.removeValue(forKey: id) else { continue }
            running[id] = transfer
            let code = transfer.begin()
            guard code == CURLE_OK, curl_multi_add_handle(multi, transfer.easy) == CURLM_OK else {
                end(transfer, code == CURLE_OK ? CURLE_FAILED_INIT : code)
                continue
            }
        }
    }

    /// Hands over what libcurl has finished.
    private func collect() -> Bool {
        var hasEnded = false
        var code = CURLE_OK
        while let easy = ccurl_multi_finished(multi, &code) {
            guard let transfer = running.values.first(where: { $0.easy == easy }) else { continue }
            end(transfer, code)
            hasEnded = true
        }
        return hasEnded
    }

    private func stopLate() -> Bool {
        let now = ContinuousClock.now
        let late = (Array(running.values) + Array(waiting.values)).filter { $0.failIfLate(now) }
        for transfer in late { end(transfer, nil) }
        return !late.isEmpty
    }

    private func end(_ transfer: CurlTransfer, _ code: CURLcode?, cancelled: Bool = false) {
        let id = ObjectIdentifier(transfer)
        if running.removeValue(forKey: id) != nil {
            curl_multi_remove_handle(multi, transfer.easy)
            slots.release(host: transfer.host)
        } else if waiting.removeValue(forKey: id) != nil {
            slots.withdraw(id)
        } else {
            return
        }
        resume(transfer, code, cancelled: cancelled)
    }

    private func resume(_ transfer: CurlTransfer, _ code: CURLcode?, cancelled: Bool) {
        let continuation = transfer.continuation
        transfer.continuation = nil
        continuation?.resume(returning: transfer.outcome(code, cancelled: cancelled))
    }

    /// How long it is until a limit is passed; libcurl shortens the sleep for its own.
    private var milliseconds: Int {
        let deadlines = (Array(running.values) + Array(waiting.values)).map(\.deadline)
        guard let next = deadlines.min() else { return Self.idleMilliseconds }
        return min(max((next - .now).milliseconds, 0), Self.idleMilliseconds)
    }
}
