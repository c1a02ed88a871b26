/// Finds every picture in the answer to a query: image fields, references, images inside texts, remote pictures; pure.
struct AEMPictureSearch {
    /// The pictures in the order of their items, each once; inside an item by the names of the fields.
    private(set) var pictures: [AEMPicture] = []
    /// Why the pictures of a text are not known, once for each such text.
    private(set) var unread: [HTMLError] = []

    private let root: String
    private var seen: Set<AEMPicture> = []

    /// Searches the data of an answer.
    ///
    /// - Parameter root: scheme, host and port of the instance, so that its own URLs in texts are told from foreign ones.
    /// - Throws: `libraryMissing` where there is HTML to be read; a text of which nothing can be made is noted instead.
    init(_ data: JSONValue, root: String) throws(HTMLError) {
        self.root = root
        try walk(data)
    }

    /// The parser bounds the depth.
    private mutating func walk(_ value: JSONValue) throws(HTMLError) {
        switch value {
        case .array(let elements):
            for element in elements { try walk(element) }
        case .object(let members):
            if let picture = AEMPicture(members) { return take(picture) }
            for (name, member) in members.sorted(by: { $0.key < $1.key }) {
                if name == "html", let text = member.string { try walk(html: text) } else { try walk(member) }
            }
        case .null, .bool, .int, .double, .string: break
        }
    }

    private mutating func walk(html: String) throws(HTMLError) {
        let sources: [HTMLPictures.Source]
        do throws(HTMLError) {
            sources = try HTMLPictures.sources(in: html)
        } catch {
            if case .libraryMissing = error { throw error }
            return unread.append(error)
        }
        for source in sources {
            let (repository, target) = place(source.url.trimmed)
            guard let address = AEMAddress(target: target), let picture = AEMPicture(address, repository: repository)
            else { continue }
            take(picture)
        }
    }

    /// The foreign host of a URL, if it has one, and its path and query.
    private func place(_ source: String) -> (repository: String?, target: Substring) {
        let whole = source.hasPrefix("//") ? "https:" + source : source
        let text = whole.prefix { $0 != "#" }
        guard let (origin, target) = AEMAddress.cut(text) else { return (nil, text) }
        let authority = origin.drop { $0 != "/" }.dropFirst(2)
        return (origin.lowercased() == root ? nil : authority.lowercased(), target)
    }

    private mutating func take(_ picture: AEMPicture) {
        if seen.insert(picture).inserted { pictures.append(picture) }
    }
}
