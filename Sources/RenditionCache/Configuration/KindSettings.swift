/// An Oracle Content Management channel.
public struct OCMSettings: OriginSettings {
    /// Where the channel token travels (spec OCM §3.1).
    public enum TokenPlace: String, CaseIterable, Hashable, Sendable {
        /// The query parameter `channelToken`; what OCM's own clients do.
        case query
        /// The header field `channelToken`, which stands in no log of a proxy.
        case header
    }

    /// Scheme, host and port of the instance.
    public var url: String
    /// The channel token.
    public var channelToken: String?
    /// Where the channel token travels; default in the query.
    public var channelTokenIn = TokenPlace.query
    /// The caller's credential on a secure channel.
    public var authentication: OriginAuthentication = .none
    /// Extra header fields for the channel's own host.
    public var headers: [String: String] = [:]
    /// The channel token.
    public var secrets: [String] { [channelToken].compactMap(\.self) }

    /// A public channel.
    public init(url: String, channelToken: String? = nil) {
        self.url = url
        self.channelToken = channelToken
    }
}

/// An Adobe Experience Manager instance, author or publish, and the persisted queries that make up the channel.
public struct AEMSettings: OriginSettings {
    /// Scheme, host and port of the instance.
    public var url: String
    /// The credential for queries and pictures alike.
    public var authentication: OriginAuthentication = .none
    /// Extra header fields for the channel's own host.
    public var headers: [String: String] = [:]
    /// Persisted queries whose pictures are the channel's: `wknd-shared/adventures-all`, with variables behind it as in
    /// `wknd-shared/adventures-all;imageWidth=50;imageQuality=100`.
    public var queries: [String] = []

    /// An instance that asks for no credential.
    public init(url: String, queries: [String] = []) {
        self.url = url
        self.queries = queries
    }
}

/// A microCMS service.
public struct MicroCMSSettings: OriginSettings {
    /// Scheme, host and port of the content API, `https://{service}.microcms.io`.
    public var url: String
    /// The key for the content API; pictures need none.
    public var apiKey: String?
    /// Extra header fields for the content API.
    public var headers: [String: String] = [:]
    /// APIs whose pictures are the channel's: `trends`, with parameters behind it as in `trends?depth=2`.
    public var endpoints: [String] = []
    /// Where pictures are: hosts, or origins as in `https://media.example.com`; the first is asked for a picture that is
    /// named without a host.
    public var imageHosts: [String] = [MicroCMSSettings.sharedImageHost]
    /// None: the key is a header field of its own.
    public var authentication: OriginAuthentication { .none }
    /// The key.
    public var secrets: [String] { [apiKey].compactMap(\.self) }

    /// The host that microCMS keeps every service's pictures on (spec microCMS §1).
    public static let sharedImageHost = "images.microcms-assets.io"

    /// A service.
    public init(url: String, apiKey: String? = nil, endpoints: [String] = []) {
        self.url = url
        self.apiKey = apiKey
        self.endpoints = endpoints
    }
}

/// Pictures below a URL.
public struct HTTPSettings: OriginSettings {
    /// Where the names of pictures are found.
    public enum List: Hashable, Sendable {
        /// A file with one URL or path a line, or a sitemap; the path is absolute.
        case file(String)
        /// The same, fetched.
        case url(String)
    }

    /// What every picture's URL begins with; may have a path.
    public var url: String
    /// What there is; nil if the channel cannot be enumerated.
    public var list: List?
    /// The credential.
    public var authentication: OriginAuthentication = .none
    /// Extra header fields for the channel's own host.
    public var headers: [String: String] = [:]

    /// An origin that asks for no credential.
    public init(url: String, list: List? = nil) {
        self.url = url
        self.list = list
    }
}

extension ChannelSettings.Kind {
    /// How the origin is reached; nil for a folder.
    public var origin: (any OriginSettings)? {
        switch self {
        case .folder: nil
        case .ocm(let settings): settings
        case .aem(let settings): settings
        case .microcms(let settings): settings
        case .http(let settings): settings
        }
    }

    /// Its name in the configuration.
    public var name: String {
        switch self {
        case .folder: "folder"
        case .ocm: "ocm"
        case .aem: "aem"
        case .microcms: "microcms"
        case .http: "http"
        }
    }
}
