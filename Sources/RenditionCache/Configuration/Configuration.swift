/// Everything rcache can be told; every limit with its default and unit.
public struct Configuration: Equatable, Sendable {
    /// The cache.
    public var cache = CacheSettings()
    /// The HTTP service.
    public var server = ServerSettings()
    /// Named transforms.
    public var presets: [String: Transform] = [:]
    /// The channels, in the order of the file.
    public var channels: [ChannelSettings] = []
    /// Fetching.
    public var fetch = FetchSettings()
    /// Rendering.
    public var render = RenderSettings()

    /// Defaults only.
    public init() {}
}

/// The disk cache.
public struct CacheSettings: Equatable, Sendable {
    /// Where it is; relative to the configuration file.
    ///
    /// Default `cache`.
    public var directory = "cache"
    /// Most bytes on disk, allocated blocks of every file counted; default 10 GB.
    public var maxBytes = 10_000_000_000
    /// Bytes of the file system that stay free; default 1 GB.
    public var keepFreeBytes = 1_000_000_000
    /// Most entries; default 1,000,000.
    public var maxEntries = 1_000_000
    /// Most bytes of bodies kept in memory; default 64 MB.
    public var memoryBytes = 64_000_000

    /// Defaults only.
    public init() {}
}

/// The HTTP service.
public struct ServerSettings: Equatable, Sendable {
    /// Address to listen on; default loopback.
    public var address = "127.0.0.1"
    /// Port to listen on; default 8080, 0 for any free one.
    public var port = 8080
    /// Threads that answer; default as many as there are cores.
    public var threads = 0
    /// Most connections at a time; default 10,000.
    public var maxConnections = 10_000
    /// Most requests that may wait for a picture at a time; default 1,000, beyond it the answer is 503.
    public var maxWaiting = 1_000
    /// Longest wait of one request for its picture; default 180 s, then the answer is 504.
    public var waitLimit: Duration = .seconds(180)
    /// How long a connection may be idle; default 60 s.
    public var idleTimeout: Duration = .seconds(60)

    /// Defaults only.
    public init() {}
}

/// Fetching from origins.
public struct FetchSettings: Equatable, Sendable {
    /// Largest body, in bytes; default 100 MB.
    public var maxBytes = 100_000_000
    /// Longest wait for a connection; default 5 s.
    public var connectTimeout: Duration = .seconds(5)
    /// Longest time without a byte; default 10 s.
    public var stallTimeout: Duration = .seconds(10)
    /// Longest transfer; default 120 s.
    public var totalTimeout: Duration = .seconds(120)
    /// Most redirects; default 5.
    public var maxRedirects = 5
    /// Most transfers to one scheme, host and port at a time; default 8, fewer while that answers 429, 503 or not at all.
    public var perHost = 8
    /// Most transfers at a time; default 64.
    public var inAll = 64
    /// Most further tries of a request that somebody waits for; default 2, less than a second apart.
    public var liveRetries = 2
    /// Most further tries of any other request; default 4, up to 8 s apart.
    public var warmRetries = 4
    /// Longest that a request somebody waits for is held back in all because its origin asks to wait; default 2 s.
    ///
    /// Where the origin wants more, the request fails at once.
    public var liveWait: Duration = .seconds(2)
    /// Longest that a try of any other request is held back for the same reason; default 60 s.
    public var warmWait: Duration = .seconds(60)
    /// Longest that a host is left alone because it asked for it; default 1 h, also where it asks for more.
    public var longestQuiet: Duration = .seconds(3600)
    /// Failures in a row after which a host is left alone; default 5.
    ///
    /// Only refused or broken connections, time limits and statuses from 500 count, but not a 503 with `Retry-After`.
    public var breakerFailures = 5
    /// How long it is left alone before one request tries again; default 5 s, doubled each time it fails.
    public var breakerRest: Duration = .seconds(5)
    /// What the doubling ends at; default 60 s.
    public var breakerLongestRest: Duration = .seconds(60)

    /// Defaults only.
    public init() {}
}

/// Rendering.
public struct RenderSettings: Equatable, Sendable {
    /// What one job may cost.
    public var limits = RenderLimits()
    /// Worker processes; 0 (the default) for as many as there are cores.
    public var workers = 0
    /// Jobs after which a worker is replaced; default 500.
    public var jobsPerWorker = 500
    /// Live jobs that may wait for each worker; default 4.
    public var queuePerWorker = 4
    /// The worker program; nil looks for `rcache-render` beside the running program.
    public var program: String?

    /// Defaults only.
    public init() {}
}
