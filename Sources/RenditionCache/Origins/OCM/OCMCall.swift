/// Versions of OCM's delivery API (spec OCM §1).
public enum OCMVersion: String, Hashable, Sendable {
    /// The older one, whose answers lack much of what is read here.
    case v1
    /// The current one.
    case v1_1 = "v1.1"
}

/// What one call does otherwise than its channel (spec OCM §3.5).
public struct OCMCall: Hashable, Sendable {
    /// Another channel token.
    public var channelToken: String?
    /// The version of the API.
    public var version = OCMVersion.v1_1
    /// Another instance: scheme, host and port.
    ///
    /// The channel's credential and header fields stay behind unless it is the channel's own; its token goes with the call.
    public var url: String?
    /// Header fields in the place of the channel's; nil to keep those.
    public var headers: [String: String]?
    /// Further header fields; a value is put behind one that is there already, after a comma.
    public var additionalHeaders: [String: String] = [:]

    /// A call like any other of the channel.
    public init() {}

    /// The channel's settings for this call.
    func changing(_ settings: OCMSettings) -> OCMSettings {
        var changed = settings
        changed.channelToken = channelToken ?? settings.channelToken
        if let url {
            changed.url = url
            let isOwn = WebURL(url).flatMap { other in WebURL(settings.url).map(other.isSameOrigin) } ?? false
            if !isOwn { (changed.authentication, changed.headers) = (.none, [:]) }
        }
        if let headers { (changed.authentication, changed.headers) = (.none, headers) }
        for (name, value) in additionalHeaders {
            let present = changed.headers.keys.first { $0.lowercased() == name.lowercased() } ?? name
            changed.headers[present] = changed.headers[present].map { "\($0),\(value)" } ?? value
        }
        return changed
    }
}

extension OCMCall: CustomStringConvertible, CustomDebugStringConvertible {
    /// The version and the names of header fields: neither a token nor a value is shown.
    public var description: String {
        let names = (headers ?? [:]).keys.sorted() + additionalHeaders.keys.sorted()
        return names.isEmpty ? version.rawValue : "\(version.rawValue) with \(names.joined(separator: ", "))"
    }

    /// The same.
    public var debugDescription: String { description }
}
