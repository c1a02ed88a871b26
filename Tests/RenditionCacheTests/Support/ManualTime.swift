import Synchronization

/// A clock that only moves when told.
final class ManualTime: Sendable {
    private let now: Mutex<Double>

    init(_ seconds: Double) { now = Mutex(seconds) }

    var seconds: Double { now.withLock { $0 } }

    func advance(by seconds: Double) { now.withLock { $0 += seconds } }
}
