import Glibc

/// Reads a channel's list, from a file or a server, with the sitemaps that it refers to.
struct HTTPListReader: Sendable {
    /// Most bytes of a list.
    private static let maxBytes = 32_000_000
    /// Most entries of all lists together.
    private static let maxEntries = 1_000_000
    /// Most sitemaps that one refers to, all levels together.
    private static let maxSitemaps = 1_000
    /// How deep sitemaps may refer to one another: an index of indexes of sitemaps.
    private static let maxDepth = 3

    private let list: HTTPSettings.List
    private let client: OriginClient
    private let pool: BlockingPool

    init(_ list: HTTPSettings.List, client: OriginClient, pool: BlockingPool) {
        self.list = list
        self.client = client
        self.pool = pool
    }

    /// The list's own name, for messages.
    private var name: String {
        switch list {
        case .file(let path): path.split(separator: "/").last.map(String.init) ?? path
        case .url(let text): WebURL(text)?.redacted ?? "list"
        }
    }

    /// Everything that the list names.
    func catalogue(_ naming: HTTPNaming) async throws(OriginError) -> HTTPCatalogue {
        var catalogue = HTTPCatalogue(naming: naming)
        var waiting = [(name: name, depth: 1, bytes: try await own())]
        var next: [(url: WebURL, depth: Int)] = []
        var seen: Set<WebURL> = []
        while true {
            for list in waiting {
                for child in try take(list.bytes, named: list.name, into: &catalogue) {
                    guard list.depth < Self.maxDepth else {
                        catalogue.skip(
                            child,
                            because: "sitemaps that refer to one another more than \(Self.maxDepth) deep"
                        )
                        continue
                    }
                    guard let url = WebURL(child) else {
                        catalogue.skip(String(child.prefix { $0 != "?" }), because: "no usable URL of a sitemap")
                        continue
                    }
                    if seen.insert(url).inserted { next.append((url, list.depth + 1)) }
                }
            }
            guard seen.count <= Self.maxSitemaps else {
                throw .notEnumerable("\(name) refers to more than \(Self.maxSitemaps) sitemaps")
            }
            guard !next.isEmpty else { return catalogue }
            let (url, depth) = next.removeFirst()
            waiting = try await fetched(url, into: &catalogue).map { [(url.redacted, depth, $0)] } ?? []
        }
    }

    private func own() async throws(OriginError) -> [UInt8] {
        switch list {
        case .file(let path): return try await file(path)
        case .url(let text):
            guard let url = WebURL(text) else {
                throw .unreachable(.badURL("\"list\" of the channel \(client.channel)"))
            }
            return try await client.document(url, what: "list \(url)").bytes
        }
    }

    /// A further sitemap; nil, and noted, if it is not there.
    private func fetched(_ url: WebURL, into catalogue: inout HTTPCatalogue) async throws(OriginError) -> [UInt8]? {
        do throws(OriginError) {
            return try await client.document(url, what: "sitemap \(url)").bytes
        } catch .notFound {
            catalogue.skip(url.redacted, because: "a sitemap that is not there")
            return nil
        }
    }

    /// Takes the entries of a list; gives the sitemaps that it refers to.
    private func take(
        _ bytes: [UInt8],
        named name: String,
        into catalogue: inout HTTPCatalogue
    ) throws(OriginError) -> [String] {
        let left = Self.maxEntries - catalogue.assets.count
        let list: HTTPList
        do throws(HTTPList.Refusal) { list = try HTTPList(bytes, limit: left) } catch {
            throw .notEnumerable("\(name) cannot be used: \(error)")
        }
        switch list {
        case .entries(let entries):
            for entry in entries { catalogue.take(entry, of: name) }
            return []
        case .sitemap(let sitemap):
            for url in sitemap.pictures { catalogue.take(HTTPList.Line(text: url), of: name) }
            return sitemap.children
        }
    }

    private func file(_ path: String) async throws(OriginError) -> [UInt8] {
        do throws(SystemError) {
            let bytes = try await pool.run { () throws(SystemError) in try wholeFile(path, maxBytes: Self.maxBytes) }
            guard bytes.count <= Self.maxBytes else { throw SystemError("read", code: EFBIG) }
            return bytes
        } catch {
            throw .notEnumerable("\(name) cannot be read: \(error)")
        }
    }
}
