import RenditionCache

/// Who asks, by what they present; nobody gets with the channel's credentials what they could not get with their own.
struct Caller: Sendable {
    /// The channel token, from the query or a field (spec OCM §3.1).
    var channelToken: String?
    /// `Authorization`.
    var authorization: String?

    /// Whether the caller presents a channel's token.
    func hasToken(of channel: ChannelSettings) -> Bool {
        guard let wanted = channel.channelToken, let channelToken else { return false }
        return Self.isSame(channelToken, wanted)
    }

    /// Why the caller may not see a channel; nil if they may.
    func refusal(from channel: ChannelSettings) -> Refusal? {
        guard channel.access == .same else { return nil }
        if channel.channelToken != nil && !hasToken(of: channel) { return .tokenRefused }
        guard let (scheme, proof) = channel.credential else { return nil }
        let given = (authorization ?? "").split(separator: " ", maxSplits: 1)
        guard let proof, given.count == 2, given[0].lowercased() == scheme.lowercased(),
            Self.isSame(String(given[1].trimmed), proof)
        else { return .credentialsRefused(scheme: scheme) }
        return nil
    }

    /// Digests are compared, so that the time it takes tells nothing of the texts.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        Digest(of: one.utf8) == Digest(of: other.utf8)
    }
}

extension ChannelSettings {
    /// The token that the OCM surface asks for.
    fileprivate var channelToken: String? {
        if case .ocm(let settings) = kind { settings.channelToken } else { nil }
    }

    /// The scheme and what follows it in `Authorization` (RFC 7617, RFC 6750); nil where the origin gets none.
    ///
    /// Tokens that are fetched as they expire are nobody else's: there is nothing that a caller could present.
    fileprivate var credential: (scheme: String, proof: String?)? {
        guard let origin = kind.origin else { return nil }
        if let (scheme, proof) = origin.authentication.authorization { return (scheme, proof) }
        if case .oauth = origin.authentication { return ("Bearer", nil) }
        let field = origin.headers.first { $0.key.lowercased() == "authorization" }
        return field.map { (String($0.value.prefix { $0 != " " }), String($0.value.drop { $0 != " " }.trimmed)) }
    }

    /// Whether shared caches may keep what it has: not if its CMS wants to know who asks (spec OCM §10.3).
    var isPublic: Bool { credential == nil }

    /// Whether the OCM surface shows it only to whoever presents its token.
    var asksForToken: Bool { access == .same && channelToken != nil }
}
