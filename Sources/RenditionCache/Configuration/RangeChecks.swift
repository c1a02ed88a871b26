/// The range of every number in a configuration.
struct RangeChecks {
    private(set) var problems: [Configuration.Problem] = []

    /// Checks them all.
    init(_ configuration: Configuration) {
        checkCache(configuration.cache)
        checkServer(configuration.server)
        checkFetch(configuration.fetch)
        checkRender(configuration.render)
    }

    private mutating func checkCache(_ cache: CacheSettings) {
        bytes("cache", "maxBytes", cache.maxBytes, atLeast: 65_536)
        bytes("cache", "keepFree", cache.keepFreeBytes, atLeast: 0)
        number("cache", "maxEntries", cache.maxEntries, in: 1...100_000_000)
        bytes("cache", "memory", cache.memoryBytes, atLeast: 0)
    }

    private mutating func checkServer(_ server: ServerSettings) {
        number("server", "listen", server.port, in: 0...65_535)
        number("server", "threads", server.threads, in: 0...1024)
        number("server", "maxConnections", server.maxConnections, in: 1...1_000_000)
        number("server", "maxWaiting", server.maxWaiting, in: 1...1_000_000)
        seconds("server", "waitLimit", server.waitLimit / .seconds(1), upTo: 3600)
        seconds("server", "idleTimeout", server.idleTimeout / .seconds(1), upTo: 3600)
    }

    private mutating func checkFetch(_ fetch: FetchSettings) {
        bytes("fetch", "maxBytes", fetch.maxBytes, atLeast: 1)
        seconds("fetch", "connectTimeout", fetch.connectTimeout / .seconds(1), upTo: 3600)
        seconds("fetch", "stallTimeout", fetch.stallTimeout / .seconds(1), upTo: 3600)
        seconds("fetch", "totalTimeout", fetch.totalTimeout / .seconds(1), upTo: 86_400)
        number("fetch", "maxRedirects", fetch.maxRedirects, in: 0...20)
        number("fetch", "perHost", fetch.perHost, in: 1...256)
        number("fetch", "inAll", fetch.inAll, in: 1...1024)
        number("fetch", "liveRetries", fetch.liveRetries, in: 0...10)
        number("fetch", "warmRetries", fetch.warmRetries, in: 0...20)
        seconds("fetch", "liveWait", fetch.liveWait / .seconds(1), upTo: 60)
        seconds("fetch", "warmWait", fetch.warmWait / .seconds(1), upTo: 3600)
        seconds("fetch", "longestQuiet", fetch.longestQuiet / .seconds(1), upTo: 86_400)
        number("fetch", "breakerFailures", fetch.breakerFailures, in: 1...1000)
        seconds("fetch", "breakerRest", fetch.breakerRest / .seconds(1), upTo: 3600)
        seconds("fetch", "breakerLongestRest", fetch.breakerLongestRest / .seconds(1), upTo: 86_400)
    }

    private mutating func checkRender(_ render: RenderSettings) {
        number("render", "workers", render.workers, in: 0...256)
        number("render", "jobsPerWorker", render.jobsPerWorker, in: 1...1_000_000)
        number("render", "queuePerWorker", render.queuePerWorker, in: 0...10_000)
        seconds("render", "deadline", render.limits.deadlineSeconds, upTo: 3600)
        bytes("render", "sourceBytes", render.limits.sourceBytes, atLeast: 1)
        number("render", "sourcePixels", render.limits.sourcePixels, in: 1...10_000_000_000)
        number("render", "frames", render.limits.frames, in: 1...100_000)
        // 65,500 is the longest edge of a JPEG that libjpeg writes.
        number("render", "outputEdge", render.limits.outputEdgePixels, in: 1...65_500)
        bytes("render", "svgBytes", render.limits.svgBytes, atLeast: 0)
        bytes("render", "jobBytes", render.limits.jobBytes, atLeast: 64_000_000)
    }

    private mutating func number(_ section: String, _ key: String, _ value: Int, in range: ClosedRange<Int>) {
        guard !range.contains(value) else { return }
        let message = "\(key) is \(value) and may be \(range.lowerBound)…\(range.upperBound)"
        problems.append(.init(path: [section, key], message: message))
    }

    private mutating func bytes(_ section: String, _ key: String, _ value: Int, atLeast minimum: Int) {
        guard value < minimum else { return }
        let message = "\(key) is \(value) bytes and may be \(minimum) or more"
        problems.append(.init(path: [section, key], message: message))
    }

    private mutating func seconds(_ section: String, _ key: String, _ value: Double, upTo limit: Double) {
        guard !(value > 0 && value <= limit) else { return }
        let message = "\(key) is \(value) s and may be more than 0 s and up to \(Int(limit)) s"
        problems.append(.init(path: [section, key], message: message))
    }
}
