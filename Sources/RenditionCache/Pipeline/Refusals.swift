import Synchronization

/// Remembers for a while what could not be had, so that a storm of requests for it costs one attempt; bounded.
final class Refusals<Key: Hashable & Sendable>: Sendable {
    private struct Refusal {
        let error: RenditionError
        let untilSeconds: Double
    }

    private let capacity: Int
    private let refusals = Mutex<[Key: Refusal]>([:])

    /// A memory of at most `capacity` refusals.
    init(capacity: Int = 10_000) { self.capacity = capacity }

    /// The refusal that still holds for `key`.
    func current(_ key: Key, now: Double) -> RenditionError? {
        refusals.withLock { refusals in
            guard let refusal = refusals[key] else { return nil }
            guard refusal.untilSeconds > now else {
                refusals[key] = nil
                return nil
            }
            return refusal.error
        }
    }

    /// Remembers `error` for as long as its kind deserves, and no longer than `atMostSeconds`.
    func remember(_ error: RenditionError, for key: Key, now: Double, atMostSeconds: Double = .infinity) {
        guard let seconds = Self.secondsToRemember(error).map({ min($0, atMostSeconds) }) else { return }
        refusals.withLock { refusals in
            if refusals.count >= capacity { refusals = refusals.filter { $0.value.untilSeconds > now } }
            if refusals.count >= capacity { refusals.removeAll() }
            refusals[key] = Refusal(error: error, untilSeconds: now + seconds)
        }
    }

    /// Gone, and a body that came damaged, are believed for a minute, a bad source (whose key names its version) for an hour,
    /// down for two seconds.
    static func secondsToRemember(_ error: RenditionError) -> Double? {
        switch error {
        case .assetNotFound, .renditionNotFound, .origin(.notFound): 60
        case .render(.refused(.truncated)), .render(.refused(.notAnImage)): 60
        case .render(.refused), .origin(.tooLarge): 3600
        case .render(.timedOut), .render(.crashed): 60
        case .origin(.busy(_, _, let retryAfter)): retryAfter.map { min(60, max(2, $0.seconds)) } ?? 2
        case .origin(.cancelled), .origin(.sink): nil
        case .origin: 2
        default: nil
        }
    }
}
