import Synchronization

/// Counters and gauges of one service; reading and counting never suspends.
public final class Metrics: Sendable {
    /// What is counted; the raw value is its Prometheus name without `rcache_` and `_total`.
    public enum Counter: String, CaseIterable, Sendable {
        case hits, staleHits = "stale_hits", misses, placeholders, notModified = "not_modified"
        case flightsJoined = "flights_joined"
        case originRequests = "origin_requests", originBytes = "origin_bytes", originFailures = "origin_failures"
        case originRetries = "origin_retries", originResumes = "origin_resumes", originBusy = "origin_busy"
        case originRefusals = "origin_refusals", breakerOpenings = "breaker_openings"
        case renders, renderRefusals = "render_refusals", renderTimeouts = "render_timeouts"
        case workerStarts = "worker_starts", workerCrashes = "worker_crashes"
        case stored, storedBytes = "stored_bytes", evictions, evictedBytes = "evicted_bytes"
        case notStored = "not_stored", quarantined
        case requests, responseBytes = "response_bytes", clientErrors = "client_errors", serverErrors = "server_errors"
    }

    private let counters = Mutex([Int](repeating: 0, count: Counter.allCases.count))
    private static let indices: [Counter: Int] = Dictionary(
        uniqueKeysWithValues: Counter.allCases.enumerated().map { ($1, $0) }
    )

    /// All counters at zero.
    public init() {}

    /// Adds to a counter.
    public func add(_ counter: Counter, _ amount: Int = 1) {
        guard let index = Self.indices[counter] else { return }
        counters.withLock { $0[index] += amount }
    }

    /// A counter's value.
    public subscript(counter: Counter) -> Int {
        guard let index = Self.indices[counter] else { return 0 }
        return counters.withLock { $0[index] }
    }
}
