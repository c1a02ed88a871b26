/// The identifier that AEM's delivery addresses call an asset by: its repository identifier, opaque to clients (spec AEM §3.3).
struct AEMIdentifier: Hashable, Sendable {
    /// The identifier alone.
    let uuid: String

    /// The prefix in addresses of the web-optimized delivery.
    static let deliveryPrefix = "dm-aid--"
    /// The prefix everywhere else.
    static let urnPrefix = "urn:aaid:aem:"
    /// Longest identifier in bytes; a UUID has 36.
    private static let maxBytes = 64

    /// The identifier in a text of either form; case does not matter in the prefix.
    init?(_ text: some StringProtocol) {
        let lower = text.lowercased()
        guard let prefix = [Self.deliveryPrefix, Self.urnPrefix].first(where: lower.hasPrefix) else { return nil }
        self.init(uuid: text.dropFirst(prefix.count))
    }

    /// The identifier in one segment of a path, which may have its colons encoded.
    init?(segment: Substring) {
        guard let text = percentDecoded(segment.utf8) else { return nil }
        self.init(text)
    }

    /// An identifier without a prefix.
    init?(uuid: some StringProtocol) {
        guard !uuid.isEmpty, uuid.utf8.count <= Self.maxBytes,
            uuid.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
        else { return nil }
        self.uuid = String(uuid)
    }

    /// `dm-aid--…`, as `_dynamicUrl` has it.
    var deliveryText: String { Self.deliveryPrefix + uuid }
    /// `urn:aaid:aem:…`, as remote references have it.
    var urn: String { Self.urnPrefix + uuid }
}
