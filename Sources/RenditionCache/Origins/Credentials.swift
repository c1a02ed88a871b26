import FoundationEssentials

/// What proves to an origin who asks: header fields for its own scheme, host and port, and the secrets to keep out of texts.
struct Credentials: Sendable {
    /// For the channel's own scheme, host and port only.
    let headers: [HeaderField]
    private let secrets: [String]

    /// The credentials of a channel.
    ///
    /// - Parameter fixed: fields that the kind of CMS asks for; no configured field can change them.
    init(_ settings: any OriginSettings, fixed: [HeaderField] = []) {
        var fields = settings.headers.sorted { $0.key < $1.key }.map { HeaderField($0.key, $0.value) }
        fields.removeAll { field in fixed.contains { $0.name.lowercased() == field.name.lowercased() } }
        var secrets = fields.map(\.value) + settings.secrets
        if settings.authentication != .none { fields.removeAll { $0.name.lowercased() == "authorization" } }
        if let authorization = settings.authentication.authorization {
            fields.append(HeaderField("Authorization", authorization.scheme + " " + authorization.proof))
        }
        secrets += settings.authentication.secrets
        headers = fields + fixed
        // A server may quote its URL as it was sent.
        secrets += secrets.map(PercentEncoding.value)
        // A short value says nothing secret but would tear holes into every text. One may be the beginning of another.
        self.secrets = Set(secrets).filter { $0.count >= 6 }.sorted { ($1.count, $1) < ($0.count, $0) }
    }

    /// The text without any of the secrets; for what an origin says in its errors.
    ///
    /// - Parameter token: one that was fetched.
    func redacting(_ text: String, and token: String? = nil) -> String {
        let text = token.map { [$0, PercentEncoding.value($0)].reduce(text) { $0.replacing($1, with: "…") } } ?? text
        return secrets.reduce(text) { $0.replacing($1, with: "…") }
    }
}

extension OriginAuthentication {
    /// The scheme and what follows it in `Authorization` (RFC 7617, RFC 6750); nil where there is none that stays the same.
    package var authorization: (scheme: String, proof: String)? {
        switch self {
        case .none, .oauth: nil
        case .basic(let user, let password): ("Basic", Data("\(user):\(password)".utf8).base64EncodedString())
        case .bearer(let token): ("Bearer", token)
        }
    }

    fileprivate var secrets: [String] {
        switch self {
        case .none: []
        case .basic(_, let password): [password] + [authorization?.proof].compactMap(\.self)
        case .bearer(let token): [token]
        case .oauth(let settings): [settings.clientSecret]
        }
    }
}
