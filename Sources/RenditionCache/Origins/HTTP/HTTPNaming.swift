/// What pictures below a URL are called; pure.
///
/// A picture's identifier is its path below the channel's URL, each part decoded: `2026/a b.jpg`. A query belongs to it as it is
/// written, `photo?id=5`, because on such servers it is what tells pictures apart.
struct HTTPNaming: Sendable {
    /// A picture by its name.
    struct Picture: Hashable, Sendable {
        let id: String
        /// Its URL without the query.
        let address: String
        /// The query, undecoded; nil if it has none.
        let query: String?

        /// Its file name.
        var name: String {
            let path = id.prefix { $0 != "?" }
            return path.split(separator: "/").last.map(String.init) ?? String(path)
        }
    }

    /// Why a text names no picture of the channel.
    enum Refusal: Error, Equatable {
        /// No http or https URL, or one with a user name.
        case noURL
        /// Elsewhere.
        case notBelow(String)
        /// The channel's URL itself.
        case nameless
        /// Decoded it could not be told apart from others.
        case ambiguous
        /// Longer than `limit` bytes.
        case tooLong(limit: Int)
    }

    /// Longest identifier in bytes.
    private static let maxBytes = 8192

    private let root: WebURL
    /// The path that every picture is below; ends in a slash.
    private let folder: Substring

    /// - Parameter root: what every picture's URL begins with; ends in a slash and has no query.
    init(root: WebURL) {
        self.root = root
        folder = SplitURL(root.text)?.path ?? "/"
    }

    /// The picture that a list names: by a URL, by a path of its host that begins with a slash, or by a path below `root`, all
    /// percent-encoded as in a URL; a `%` that encodes nothing stands for itself.
    func picture(listed text: String) throws(Refusal) -> Picture {
        let whole =
            if text.contains("://") { text } else if text.hasPrefix("//") { "\(root.scheme):\(text)" } else {
                text.hasPrefix("/") ? root.root + text : root.text + text
            }
        guard let split = SplitURL(whole) else { throw .noURL }
        guard split.url.isSameOrigin(as: root), split.path.hasPrefix(folder) else { throw .notBelow(root.text) }
        let rest = split.path.dropFirst(folder.count)
        guard !rest.isEmpty || split.query != nil else { throw .nameless }
        guard let names = SplitURL.names(rest) else { throw .ambiguous }
        let id = names.joined(separator: "/") + (split.query.map { "?\($0)" } ?? "")
        guard id.utf8.count <= Self.maxBytes else { throw .tooLong(limit: Self.maxBytes) }
        return Picture(id: id, address: split.url.text, query: split.query)
    }

    /// The picture that somebody names: by identifier, by URL, or by a path of the host; nil for what is none, for
    /// whatever reason.
    func picture(named text: String) -> Picture? {
        if text.contains("://") || text.hasPrefix("/") { return try? picture(listed: text) }
        let path = text.prefix { $0 != "?" }
        let names = path.split(separator: "/", omittingEmptySubsequences: false)
        guard !names.contains(where: { $0 == "." || $0 == ".." || $0.utf8.contains(0) }) else { return nil }
        let encoded = names.map { PercentEncoding.segment(String($0)) }.joined(separator: "/")
        return try? picture(listed: root.text + encoded + text.dropFirst(path.count))
    }
}

extension HTTPNaming.Refusal: CustomStringConvertible {
    /// One clause.
    var description: String {
        switch self {
        case .noURL: "no usable URL or path"
        case .notBelow(let root): "not below \(root)"
        case .nameless: "the channel's own URL, not a picture below it"
        case .ambiguous:
            "a name that an identifier cannot say: bytes that are not UTF-8, a dot part, or an encoded /, ? or NUL"
        case .tooLong(let limit): "longer than \(limit) bytes"
        }
    }
}
