/// How a CMS or an HTTP origin is reached; what every kind but the folder has.
public protocol OriginSettings: Equatable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// Scheme, host and port of the origin.
    var url: String { get }
    /// The caller's credential.
    var authentication: OriginAuthentication { get }
    /// Extra header fields for the channel's own host.
    var headers: [String: String] { get }
    /// Further secrets that go with requests; kept out of every text.
    var secrets: [String] { get }
}

extension OriginSettings {
    /// No further secret.
    public var secrets: [String] { [] }
    /// The URL alone: a configuration that is printed shows no credential.
    public var description: String { url }
    /// The same.
    public var debugDescription: String { description }
}

/// How requests prove who asks.
public enum OriginAuthentication: Hashable, Sendable {
    /// Not at all.
    case none
    /// `Authorization: Basic` (RFC 7617), in UTF-8.
    case basic(user: String, password: String)
    /// `Authorization: Bearer` (RFC 6750) with a token that does not change.
    case bearer(token: String)
    /// `Authorization: Bearer` with tokens that are fetched as they expire.
    case oauth(OAuthSettings)
}

/// OAuth 2.0 client credentials (RFC 6749 §4.4).
public struct OAuthSettings: Hashable, Sendable {
    /// Where tokens are asked for.
    public var tokenURL: String
    /// The client's identifier.
    public var clientID: String
    /// The client's secret.
    public var clientSecret: String
    /// What the tokens are to be good for; nil leaves it to the server.
    public var scope: String?

    /// A client.
    public init(tokenURL: String, clientID: String, clientSecret: String, scope: String? = nil) {
        self.tokenURL = tokenURL
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.scope = scope
    }
}

extension OriginAuthentication: CustomStringConvertible, CustomDebugStringConvertible {
    /// The scheme alone.
    public var description: String {
        switch self {
        case .none: "no credential"
        case .basic: "Basic"
        case .bearer: "Bearer"
        case .oauth: "OAuth"
        }
    }

    /// The same.
    public var debugDescription: String { description }
}

extension OAuthSettings: CustomStringConvertible, CustomDebugStringConvertible {
    /// Where tokens are asked for.
    public var description: String { "OAuth at \(tokenURL)" }

    /// The same.
    public var debugDescription: String { description }
}
