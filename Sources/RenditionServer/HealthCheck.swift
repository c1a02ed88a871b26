import RenditionCache

/// `/metrics`: counters and gauges as Prometheus reads them (text format 0.0.4).
struct HealthCheck: Sendable {
    private let service: any RenditionServing
    private let waiting: @Sendable () -> Int

    /// The figures of a service and its server.
    init(_ service: any RenditionServing, waiting: @escaping @Sendable () -> Int) {
        self.service = service
        self.waiting = waiting
    }

    /// The whole page.
    func metrics() -> Answer {
        var page = ""
        for counter in Metrics.Counter.allCases {
            Self.family("\(counter.rawValue)_total", "counter", Self.help(counter), to: &page)
            page += "rcache_\(counter.rawValue)_total \(service.metrics[counter])\n"
        }
        let statistics = service.statistics()
        Self.gauge("cache_entries", "Renditions in the cache.", statistics.entries, to: &page)
        Self.gauge("cache_bytes", "Allocated bytes of the cache on disk.", statistics.allocatedBytes, to: &page)
        Self.gauge("cache_max_bytes", "Most bytes that the cache may take.", statistics.maxBytes, to: &page)
        Self.gauge("waiting_requests", "Requests that wait for a picture.", waiting(), to: &page)
        Self.family("cache_form_entries", "gauge", "Renditions in the cache, by form.", to: &page)
        for row in statistics.rows { page += "rcache_cache_form_entries\(Self.labels(row)) \(row.entries)\n" }
        Self.family("cache_form_bytes", "gauge", "Bytes of their bodies, by form.", to: &page)
        for row in statistics.rows { page += "rcache_cache_form_bytes\(Self.labels(row)) \(row.bytes)\n" }
        return .text(page, mediaType: "text/plain; version=0.0.4; charset=utf-8")
    }

    private static func gauge(_ name: String, _ help: String, _ value: Int, to page: inout String) {
        family(name, "gauge", help, to: &page)
        page += "rcache_\(name) \(value)\n"
    }

    private static func family(_ name: String, _ type: String, _ help: String, to page: inout String) {
        page += "# HELP rcache_\(name) \(help)\n# TYPE rcache_\(name) \(type)\n"
    }

    private static func labels(_ row: CacheStatistics.Row) -> String {
        let labels = [("channel", row.channel), ("form", row.form), ("media_type", row.mediaType)]
        return "{" + labels.map { "\($0)=\"\(escaped($1))\"" }.joined(separator: ",") + "}"
    }

    /// A label's value: backslash, quote and line feed are escaped.
    private static func escaped(_ value: String) -> String {
        value.reduce(into: "") { text, character in
            switch character {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            default: text.append(character)
            }
        }
    }

    private static func help(_ counter: Metrics.Counter) -> String {
        switch counter {
        case .hits: "Pictures served fresh from the cache."
        case .staleHits: "Pictures served old."
        case .misses: "Pictures that had to be produced."
        case .placeholders: "Stand-ins served."
        case .notModified: "Answers without a body, because the client had the picture."
        case .flightsJoined: "Requests that joined a production already under way."
        case .originRequests: "Requests to origins."
        case .originBytes: "Bytes received from origins."
        case .originFailures: "Requests to origins that failed."
        case .originRetries: "Further tries of requests to origins."
        case .originResumes: "Downloads that went on where they had been cut."
        case .originBusy: "Answers of origins that ask to wait: 429, or 503 with Retry-After."
        case .originRefusals:
            "Requests not sent, because the origin asked to wait, failed again and again, or had no slot."
        case .breakerOpenings: "Times that an origin was left alone after failures in a row."
        case .renders: "Renders done."
        case .renderRefusals: "Renders refused by the worker."
        case .renderTimeouts: "Renders killed at their deadline."
        case .workerStarts: "Render workers started."
        case .workerCrashes: "Render workers that died."
        case .stored: "Entries written to the cache."
        case .storedBytes: "Bytes of entries written to the cache."
        case .evictions: "Entries that left for room."
        case .evictedBytes: "Bytes of entries that left for room."
        case .notStored: "Bodies that were not kept, for lack of room or because of a failure."
        case .quarantined: "Damaged entries put aside."
        case .requests: "HTTP requests answered."
        case .responseBytes: "Bytes of bodies sent or queued to clients."
        case .clientErrors: "Answers with a status from 400 to 499."
        case .serverErrors: "Answers with a status of 500 or more."
        }
    }
}
