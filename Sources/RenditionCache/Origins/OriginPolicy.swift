/// Who of the hosts on the way is the channel's own, and which addresses may be connected to; pure.
struct OriginPolicy: HopPolicy, Equatable {
    private let origin: WebURL
    private let pictureHosts: [WebURL]
    private let onlyConfiguredHosts: Bool
    private let hosts: Set<String>
    private let blocks: [AddressBlock]

    /// The policy of a channel.
    ///
    /// - Parameters:
    ///   - origin: the configured origin, which may be at a private address.
    ///   - pictureHosts: further origins that the configuration names; they too may be, but get no credential.
    ///   - onlyConfiguredHosts: whether no other host is connected to at all, wherever it is.
    ///   - allow: further hosts that may be, and addresses or blocks (`10.1.0.0/16`) that any host may be at.
    init(origin: WebURL, pictureHosts: [WebURL] = [], onlyConfiguredHosts: Bool = false, allow: [String] = []) {
        self.origin = origin
        self.pictureHosts = pictureHosts
        self.onlyConfiguredHosts = onlyConfiguredHosts
        hosts = Set(allow.map { $0.lowercased() })
        blocks = allow.compactMap(AddressBlock.init)
    }

    /// Only the scheme, host and port that the configuration names.
    func isOwn(_ url: WebURL) -> Bool { url.isSameOrigin(as: origin) }

    /// Any address of the public internet; others only for the origins themselves and what the configuration allows.
    ///
    /// Another port of the origin's host is another service, which a redirect must not reach.
    func permits(_ address: IPAddress, for url: WebURL) -> Bool {
        (address.isPublic && !onlyConfiguredHosts) || isOwn(url) || pictureHosts.contains(where: url.isSameOrigin)
            || hosts.contains(url.host) || blocks.contains { $0.contains(address) }
    }
}
