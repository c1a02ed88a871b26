import Dispatch
import Synchronization

/// Holds whoever comes until it is opened, and says when enough have come: order in time without sleeping.
///
/// Every wait is bounded, so that a broken test fails instead of hanging.
package final class Gate: Sendable {
    /// What happens when a wait lasts too long.
    package struct TimedOut: Error {}

    private struct Watcher {
        let count: Int
        let continuation: CheckedContinuation<Bool, Never>
    }
    private struct State {
        var isOpen = false
        var arrived = 0
        var held: [DispatchSemaphore] = []
        var tasks: [CheckedContinuation<Void, Never>] = []
        var watchers: [Int: Watcher] = [:]
        var nextWatcher = 0
    }
    private let state = Mutex(State())
    private let patience: Double

    /// A closed gate whose waits last at most `patience` seconds.
    package init(patience: Double = 60) { self.patience = patience }

    /// How many have come so far, whether still held or not.
    package var arrived: Int { state.withLock { $0.arrived } }

    /// Holds the calling thread until the gate is open; never call it on a cooperative thread.
    package func hold() {
        let semaphore = DispatchSemaphore(value: 0)
        let isHeld = arrive { state in
            state.held.append(semaphore)
        }
        guard isHeld else { return }
        _ = semaphore.wait(timeout: .now() + patience)
    }

    /// Holds the calling task until the gate is open.
    package func pass() async {
        await withCheckedContinuation { continuation in
            let isHeld = arrive { $0.tasks.append(continuation) }
            if !isHeld { continuation.resume() }
        }
    }

    /// Waits until `count` have come.
    package func waitUntilArrived(_ count: Int) async throws {
        let number = state.withLock { state in
            state.nextWatcher += 1
            return state.nextWatcher
        }
        let hasArrived = await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                guard state.arrived < count else { return true }
                state.watchers[number] = Watcher(count: count, continuation: continuation)
                return false
            }
            guard !isThere else { return continuation.resume(returning: true) }
            DispatchQueue.global().asyncAfter(deadline: .now() + patience) { self.giveUp(number) }
        }
        guard hasArrived else { throw TimedOut() }
    }

    /// Lets everyone through, now and later.
    package func open() {
        let (threads, tasks) = state.withLock { state in
            state.isOpen = true
            defer { (state.held, state.tasks) = ([], []) }
            return (state.held, state.tasks)
        }
        for thread in threads { thread.signal() }
        for task in tasks { task.resume() }
    }

    /// Counts an arrival; `hold` is called unless the gate is open.
    ///
    /// Returns whether it was called.
    private func arrive(_ hold: (inout State) -> Void) -> Bool {
        let (isHeld, ready) = state.withLock { state in
            state.arrived += 1
            if !state.isOpen { hold(&state) }
            let ready = state.watchers.filter { $0.value.count <= state.arrived }
            for number in ready.keys { state.watchers[number] = nil }
            return (!state.isOpen, ready.values.map(\.continuation))
        }
        for continuation in ready { continuation.resume(returning: true) }
        return isHeld
    }

    private func giveUp(_ number: Int) {
        let watcher = state.withLock { $0.watchers.removeValue(forKey: number) }
        watcher?.continuation.resume(returning: false)
    }
}
