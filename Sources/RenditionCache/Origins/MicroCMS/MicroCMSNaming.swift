/// Which URLs are pictures of a channel, and what they are called (spec microCMS §1); pure.
///
/// A picture's identifier is its path below `/assets/`, each part decoded: `{serviceToken}/{mediaToken}/{fileName}`. One on
/// another host, which the channel has to allow, begins with that host: `bucket.example.com/media/hero.jpg`, with `http:`
/// before it where it is not https.
struct MicroCMSNaming: Sendable {
    /// A picture by its name.
    struct Picture: Hashable, Sendable {
        let id: String
        /// Its URL without a query.
        let address: String
        /// Its file name.
        var name: String { id.split(separator: "/").last.map(String.init) ?? id }
    }

    /// What a URL is to the channel.
    enum Place: Equatable, Sendable {
        /// A picture on an image host.
        case image(Picture)
        /// A picture, or whatever it is, on a host that the channel allows.
        case allowed(Picture)
        /// The same on any other host, or with a name that cannot be told apart from others.
        case foreign
        /// On the host for files.
        case file
    }

    /// Where microCMS keeps what is no picture, or was put in a file field.
    static let filesHost = "files.microcms-assets.io"
    /// Longest identifier in bytes; longer ones fit no URL and would swell the index.
    private static let maxBytes = 4096

    /// The image hosts, the one that is asked for a picture named without a host first.
    let imageHosts: [WebURL]
    private let allowed: Set<String>

    /// - Parameters:
    ///   - imageHosts: origins of pictures; not empty.
    ///   - allow: further hosts whose pictures belong to the channel.
    init(imageHosts: [WebURL], allow: [String]) {
        self.imageHosts = imageHosts
        allowed = Set(allow.map { $0.lowercased() })
    }

    /// What a URL is.
    func place(of address: SplitURL) -> Place {
        let url = address.url
        if url.host == Self.filesHost { return .file }
        if let host = imageHosts.first(where: { Self.isSame(url, $0) }), let id = Self.mediaID(address.path) {
            return .image(Picture(id: id, address: host.root + address.path))
        }
        guard allowed.contains(url.host), let names = address.names, names.last?.isEmpty == false else {
            return .foreign
        }
        let authority = url.root.drop { $0 != ":" }.dropFirst(3)
        let id = ([url.scheme == "https" ? String(authority) : "http:\(authority)"] + names).joined(separator: "/")
        guard id.utf8.count <= Self.maxBytes else { return .foreign }
        return .allowed(Picture(id: id, address: url.root + address.path))
    }

    /// The picture that somebody names: by identifier, by path, or by its whole URL; nil for anything else.
    func picture(named text: String) -> Picture? {
        if let split = SplitURL(text) {
            switch place(of: split) {
            case .image(let picture), .allowed(let picture): return picture
            case .foreign, .file: return nil
            }
        }
        if let picture = elsewhere(text) { return picture }
        guard let host = imageHosts.first else { return nil }
        if let path = Self.mediaPath(text) { return Picture(id: text, address: host.root + path) }
        let path = text.prefix { $0 != "?" }
        guard path.hasPrefix("/assets/") || path.hasPrefix("assets/"),
            let split = SplitURL("\(host.root)/\(path.hasPrefix("/") ? path.dropFirst() : path)"),
            let id = Self.mediaID(split.path)
        else { return nil }
        return Picture(id: id, address: host.root + split.path)
    }

    /// The identifier of the path `/assets/{serviceToken}/{mediaToken}/{fileName}`; nil for any other path.
    static func mediaID(_ path: some StringProtocol) -> String? {
        guard path.hasPrefix("/assets/"), let names = SplitURL.names(Substring(path.dropFirst(8))), isMedia(names)
        else {
            return nil
        }
        return names.joined(separator: "/")
    }

    /// The path of an identifier, encoded as microCMS does it; nil if it is none.
    static func mediaPath(_ id: String) -> String? {
        let names = id.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard isMedia(names) else { return nil }
        return "/assets/" + names.map(encoded).joined(separator: "/")
    }

    /// A picture on an allowed host by its identifier.
    private func elsewhere(_ id: String) -> Picture? {
        let isPlain = id.hasPrefix("http:")
        let names = id.dropFirst(isPlain ? 5 : 0).split(separator: "/", omittingEmptySubsequences: false)
        guard names.count > 1, !allowed.isEmpty else { return nil }
        let path = names.dropFirst().map { Self.encoded(String($0)) }.joined(separator: "/")
        guard let split = SplitURL("\(isPlain ? "http" : "https")://\(names[0])/\(path)"),
            case .allowed(let picture) = place(of: split), picture.id == id
        else { return nil }
        return picture
    }

    private static func isMedia(_ names: [String]) -> Bool {
        names.count == 3 && !names.contains { $0.isEmpty || $0 == "." || $0 == ".." || $0.utf8.contains(0) }
            && names.reduce(2) { $0 + $1.utf8.count } <= maxBytes
    }

    /// As `encodeURIComponent` of ECMAScript.
    private static func encoded(_ name: String) -> String { PercentEncoding.encode(name, keeping: "!*'()") }

    /// The same origin, or the same host where both keep to the usual ports: contents may say `http`.
    private static func isSame(_ url: WebURL, _ host: WebURL) -> Bool {
        url.isSameOrigin(as: host) || (url.host == host.host && url.hasUsualPort && host.hasUsualPort)
    }
}

extension WebURL {
    fileprivate var hasUsualPort: Bool { port == (scheme == "https" ? 443 : 80) }
}
