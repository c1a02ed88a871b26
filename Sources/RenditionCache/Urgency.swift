import Synchronization

/// Who waits for a piece of work: the most urgent of all who have joined it; rises while the work waits, and never falls.
final class Urgency: Sendable {
    private struct State {
        var level: WorkPriority
        var watchers: [@Sendable (WorkPriority) -> Void] = []
    }

    private let state: Mutex<State>

    /// Nothing is more urgent, so one value serves all.
    static let live = Urgency(.live)
    /// A check behind an answer.
    static var revalidation: Urgency { Urgency(.revalidation) }
    /// Work that nobody waits for yet.
    static var warm: Urgency { Urgency(.warm) }

    init(_ level: WorkPriority) { state = Mutex(State(level: level)) }

    /// How urgent it is now.
    var level: WorkPriority { state.withLock { $0.level } }

    /// Becomes at least that urgent.
    func rise(to level: WorkPriority) {
        let watchers = state.withLock { state -> [@Sendable (WorkPriority) -> Void] in
            guard level > state.level else { return [] }
            state.level = level
            return state.watchers
        }
        for watcher in watchers { watcher(level) }
    }

    /// Becomes as urgent as `other`, now and whenever that rises.
    func follow(_ other: Urgency) {
        other.whenItRises { [weak self] in self?.rise(to: $0) }
        rise(to: other.level)
    }

    /// Calls back with every higher level from now on; read `level` afterwards, lest a rise is missed.
    func whenItRises(_ watch: @escaping @Sendable (WorkPriority) -> Void) {
        state.withLock { state in
            if state.level < .live { state.watchers.append(watch) }
        }
    }
}
