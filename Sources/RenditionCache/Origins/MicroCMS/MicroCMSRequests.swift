/// The URLs of a content API (spec microCMS §2.1); pure.
struct MicroCMSRequests: Sendable {
    /// Longest URL in bytes; the server answers 414 to a longer one.
    static let maxURLBytes = 8192

    private let root: String

    /// The requests to a service; a path in its URL does not count, because the API stands at the root.
    init(base: WebURL) { root = base.root }

    /// The contents of a list API, or the one of an object API.
    func list(_ endpoint: String, _ query: MicroCMSQuery) throws(RequestError) -> WebURL {
        try url([endpoint], try query.listText())
    }

    /// One content of a list API; without an identifier the one of an object API.
    func content(_ endpoint: String, id: String?, _ query: MicroCMSQuery) throws(RequestError) -> WebURL {
        try url([endpoint] + [id].compactMap(\.self), try query.contentText())
    }

    private func url(_ parts: [String], _ query: String) throws(RequestError) -> WebURL {
        guard let bad = parts.first(where: { !MicroCMSEndpoint.isName($0) }) else {
            let path = "\(root)/api/v1/\(parts.joined(separator: "/"))"
            let text = query.isEmpty ? path : "\(path)?\(query)"
            guard text.utf8.count <= Self.maxURLBytes, let url = WebURL(text) else {
                throw .malformed("the query is \(text.utf8.count) bytes long; microCMS takes \(Self.maxURLBytes)")
            }
            return url
        }
        throw .malformed("\(quoted(bad)) is no name of an API or a content")
    }
}
