import FoundationEssentials

/// What proves to an OCM instance who asks: header fields for its own origin, and the secrets to keep out of texts.
struct Credentials: Sendable {
    /// For the channel's own scheme, host and port only.
    let headers: [HeaderField]
    private let secrets: [String]

    /// The credentials of a channel.
    ///
    /// Every request says that it is no page load, as the CMS's own clients do; no configured field can change that
    /// (spec OCM §3.4).
    init(_ settings: OCMSettings) {
        var fields = settings.headers.sorted { $0.key < $1.key }.map { HeaderField($0.key, $0.value) }
        fields.removeAll { $0.name.lowercased() == Self.marker.name.lowercased() }
        var secrets = fields.map(\.value)
        let authorization: String?
        switch settings.authentication {
        case .none: authorization = nil
        case .basic(let user, let password):
            let encoded = Data("\(user):\(password)".utf8).base64EncodedString()
            secrets += [password, encoded]
            authorization = "Basic \(encoded)"
        case .bearer(let token):
            secrets.append(token)
            authorization = "Bearer \(token)"
        }
        if let authorization {
            fields.removeAll { $0.name.lowercased() == "authorization" }
            fields.append(HeaderField("Authorization", authorization))
        }
        headers = fields + [Self.marker]
        secrets += [settings.channelToken].compactMap(\.self)
        // A server may quote its URL as it was sent.
        secrets += secrets.map(OCMRequests.encodedValue)
        // A short value says nothing secret but would tear holes into every text. One may be the beginning of another.
        self.secrets = Set(secrets).filter { $0.count >= 6 }.sorted { ($1.count, $1) < ($0.count, $0) }
    }

    /// The text without any of the secrets; for what an origin says in its errors.
    func redacting(_ text: String) -> String {
        secrets.reduce(text) { $0.replacing($1, with: "…") }
    }

    private static let marker = HeaderField("X-Requested-With", "XMLHttpRequest")
}
