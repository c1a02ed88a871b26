/// Finds every picture in the answer to a query: image fields, references, images inside texts, remote pictures; pure.
struct AEMPictureSearch {
    /// Scheme, host and port of the instance, so that its own URLs in markup are told from foreign ones.
    let root: String
    /// The sources of the pictures in a piece of markup.
    let markupSources: (String) -> [String]

    private var found: [AEMPicture] = []
    private var seen: Set<AEMPicture> = []

    init(root: String, markupSources: @escaping (String) -> [String]) {
        self.root = root
        self.markupSources = markupSources
    }

    /// The pictures in order of their items, each once; inside an item by the names of the fields.
    static func pictures(
        in value: JSONValue,
        root: String,
        markupSources: @escaping (String) -> [String]
    ) -> [AEMPicture] {
        var search = AEMPictureSearch(root: root, markupSources: markupSources)
        search.walk(value)
        return search.found
    }

    /// The parser bounds the depth.
    private mutating func walk(_ value: JSONValue) {
        switch value {
        case .array(let elements):
            for element in elements { walk(element) }
        case .object(let members):
            if let picture = AEMPicture(members) { return take(picture) }
            for (name, member) in members.sorted(by: { $0.key < $1.key }) {
                if name == "html", let markup = member.string { walk(markup: markup) } else { walk(member) }
            }
        case .null, .bool, .int, .double, .string: break
        }
    }

    private mutating func walk(markup: String) {
        for source in markupSources(markup) {
            let (repository, target) = place(source.trimmed)
            guard let address = AEMAddress(target: target), let picture = AEMPicture(address, repository: repository)
            else { continue }
            take(picture)
        }
    }

    /// The foreign host of a URL, if it has one, and its path and query.
    private func place(_ source: String) -> (repository: String?, target: Substring) {
        let text = source.prefix { $0 != "#" }
        let isAbsolute = text.hasPrefix("https://") || text.hasPrefix("http://")
        guard isAbsolute, let start = text.firstRange(of: "://") else { return (nil, text) }
        let authority = text[start.upperBound...].prefix { !"/?".contains($0) }
        let target = text[authority.endIndex...]
        return (text[..<authority.endIndex].lowercased() == root ? nil : authority.lowercased(), target)
    }

    private mutating func take(_ picture: AEMPicture) {
        if seen.insert(picture).inserted { found.append(picture) }
    }
}
