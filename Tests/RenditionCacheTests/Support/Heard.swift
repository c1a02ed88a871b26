import Synchronization

/// Keeps the last thing that a progress callback said.
final class Heard: Sendable {
    private let state = Mutex<(received: Int, expected: Int?)?>(nil)
    var last: (received: Int, expected: Int?)? { state.withLock { $0 } }
    func note(_ received: Int, _ expected: Int?) { state.withLock { $0 = (received, expected) } }
}
