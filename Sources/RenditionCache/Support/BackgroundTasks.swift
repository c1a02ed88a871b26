import Synchronization

/// Keeps hold of work that nobody waits for, so that it can be ended; bounded in number.
final class BackgroundTasks: Sendable {
    private struct State {
        var tasks: [Int: Task<Void, Never>] = [:]
        var last = 0
        var isClosed = false
    }

    private let capacity: Int
    private let state = Mutex(State())

    /// Room for `capacity` tasks at a time; what does not fit is not started.
    init(capacity: Int = 256) { self.capacity = capacity }

    /// Starts `work`, unless there is too much under way or all has been ended.
    func start(_ work: @escaping @concurrent @Sendable () async -> Void) {
        state.withLock { state in
            guard !state.isClosed, state.tasks.count < capacity else { return }
            state.last += 1
            let number = state.last
            state.tasks[number] = Task {
                await work()
                self.finished(number)
            }
        }
    }

    /// Cancels what is under way and waits for its end; nothing starts afterwards.
    func cancelAll() async {
        let tasks = state.withLock { state in
            state.isClosed = true
            return Array(state.tasks.values)
        }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    private func finished(_ number: Int) { state.withLock { $0.tasks[number] = nil } }
}
