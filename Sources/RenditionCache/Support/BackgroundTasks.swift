import Synchronization

/// Keeps hold of work that nobody waits for, one piece a key, so that it can be ended; bounded in number.
final class BackgroundTasks<Key: Hashable & Sendable>: Sendable {
    private struct State {
        var tasks: [Key: Task<Void, Never>] = [:]
        var isClosed = false
    }

    private let capacity: Int
    private let state = Mutex(State())

    /// Room for `capacity` tasks at a time; what does not fit is not started.
    init(capacity: Int = 256) { self.capacity = capacity }

    /// Starts `work`, unless that of this key is under way, there is too much of it, or all has been ended.
    func start(_ key: Key, _ work: @escaping @concurrent @Sendable () async -> Void) {
        state.withLock { state in
            guard !state.isClosed, state.tasks[key] == nil, state.tasks.count < capacity else { return }
            state.tasks[key] = Task {
                await work()
                self.finished(key)
            }
        }
    }

    /// Lets what is under way come to its end, and cancels what has not after `grace`; nothing starts afterwards.
    func end(within grace: Duration) async {
        let tasks = state.withLock { state in
            state.isClosed = true
            return Array(state.tasks.values)
        }
        guard !tasks.isEmpty else { return }
        let limit = Task {
            try await Task.sleep(for: grace)
            for task in tasks { task.cancel() }
        }
        for task in tasks { await task.value }
        limit.cancel()
    }

    private func finished(_ key: Key) { state.withLock { $0.tasks[key] = nil } }
}
