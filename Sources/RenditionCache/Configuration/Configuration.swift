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
    /// Most transfers to one host at a time; default 8.
    public var perHost = 8
    /// Most transfers at a time; default 64.
    public var inAll = 64

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

/// One channel.
public struct ChannelSettings: Equatable, Sendable {
    /// What the channel is.
    public enum Kind: Equatable, Sendable {
        /// A folder of pictures; the path is absolute.
        case folder(path: String)
        case ocm(OCMSettings)
    }

    /// A CMS's URL space, in which a folder can be published.
    public enum Surface: String, CaseIterable, Equatable, Sendable {
        /// Oracle Content Management's.
        case ocm
    }

    /// Who may have what the channel's credentials open.
    public enum Access: String, CaseIterable, Equatable, Sendable {
        /// Whoever presents the same credentials, as the CMS would ask for them.
        case same
        /// Everybody.
        case open
    }

    /// Its name in the configuration.
    public var name: String
    /// What it is.
    public var kind: Kind
    /// What `warm` produces, unless told otherwise: rendition names, presets, or transforms (with a `=`).
    public var warm: [String] = ["Thumbnail", "Medium", "native"]
    /// The surfaces that a folder is published through; default OCM's.
    ///
    /// An OCM channel has its own surface and needs none.
    public var publish: [Surface] = [.ocm]
    /// Who may have what the channel's credentials open; a channel without credentials is open anyhow.
    ///
    /// Default `same`.
    public var access = Access.same
    /// Extra origin hosts that content may lead to, and private addresses it may use.
    public var allow: [String] = []
    /// How long an asset's version is taken for granted without asking again; default 15 min, a folder 1 s.
    public var maxAge: Duration
    /// How long after that an old rendition is still answered at once while it is checked; default 1 day, a folder 0.
    public var staleWhileRevalidate: Duration
    /// How long after `maxAge` an old rendition is answered while the origin is down; default 7 days.
    public var staleIfError: Duration = .seconds(7 * 86_400)

    /// A channel with the defaults of its kind.
    public init(name: String, kind: Kind) {
        self.name = name
        self.kind = kind
        switch kind {
        case .folder:
            maxAge = .seconds(1)
            staleWhileRevalidate = .zero
        case .ocm:
            maxAge = .seconds(900)
            staleWhileRevalidate = .seconds(86_400)
        }
    }
}

/// An Oracle Content Management channel.
public struct OCMSettings: Equatable, Sendable {
    /// How requests are authenticated besides the channel token.
    public enum Authentication: Equatable, Sendable {
        case none
        case basic(user: String, password: String)
        case bearer(token: String)
    }

    /// Scheme, host and port of the instance.
    public var url: String
    /// The channel token; sent as a query parameter.
    public var channelToken: String?
    /// The caller's credential on a secure channel.
    public var authentication: Authentication = .none
    /// Extra header fields for the channel's own host.
    public var headers: [String: String] = [:]

    /// A public channel.
    public init(url: String, channelToken: String? = nil) {
        self.url = url
        self.channelToken = channelToken
    }
}

extension OCMSettings: CustomStringConvertible, CustomDebugStringConvertible {
    /// The URL alone: a configuration that is printed shows no credential.
    public var description: String { "OCM at \(url)" }

    /// The same.
    public var debugDescription: String { description }
}
