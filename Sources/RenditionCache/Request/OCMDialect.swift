/// Oracle Content Management's URL grammar (spec OCM §2, §14): a raw target becomes an operation with its parameters.
package enum OCMDialect {
    /// The path in front of every operation but the vanity form.
    package static let prefix = ["content", "published", "api", "v1.1"]

    /// What is asked; references and names are candidates in lookup order.
    package enum Operation: Equatable, Sendable {
        case apiInfo
        case search
        case item([AssetReference])
        case languageVariations([AssetReference])
        case languageVariation([AssetReference], language: String)
        case native([AssetReference], filename: String?)
        case rendition([AssetReference], names: [String], filename: String?)
        case taxonomies
        case taxonomy([String])
        case taxonomyCategories([String])
        case taxonomyCategory([String], category: [String])
        case notFound
    }

    /// Reads the path; paths are case-sensitive, and what is not in the table is not found.
    package static func operation(_ target: RequestTarget) -> Operation {
        var rest = target.segments[...]
        if rest.starts(with: prefix.map { $0[...] }) {
            rest = rest.dropFirst(prefix.count)
            switch rest.popFirst() {
            case nil: return .apiInfo
            case "items"?: return rest.isEmpty ? .search : item(rest)
            case "assets"?: return asset(rest)
            case "taxonomies"?: return rest.isEmpty ? .taxonomies : taxonomy(rest)
            default: return .notFound
            }
        }
        guard rest.popFirst() == "content", rest.popFirst() == "assets", let slug = rest.popFirst() else {
            return .notFound
        }
        return download(RequestTarget.candidates(slug).map { .slug($0) }, rest)
    }

    private static func item(_ segments: ArraySlice<Substring>) -> Operation {
        var rest = segments
        let references = takeReference(&rest)
        guard !references.isEmpty else { return .notFound }
        if rest.isEmpty { return .item(references) }
        guard rest.popFirst() == "variations", rest.popFirst() == "language" else { return .notFound }
        guard let last = rest.popFirst() else { return .languageVariations(references) }
        guard rest.isEmpty, let language = RequestTarget.candidates(last).first else { return .notFound }
        return .languageVariation(references, language: language)
    }

    private static func asset(_ segments: ArraySlice<Substring>) -> Operation {
        var rest = segments
        let references = takeReference(&rest)
        return download(references, rest)
    }

    private static func download(_ references: [AssetReference], _ segments: ArraySlice<Substring>) -> Operation {
        guard !references.isEmpty, let segment = segments.first, segments.count <= 2 else { return .notFound }
        let names = RequestTarget.candidates(segment)
        var filename: String?
        if let last = segments.dropFirst().first {
            // The name is decoration, but one that names nothing would not have been sent by anybody.
            guard let decoded = RequestTarget.candidates(last).first else { return .notFound }
            filename = decoded
        }
        guard let name = names.first else { return .notFound }
        if name == "native" { return .native(references, filename: filename) }
        return .rendition(references, names: names, filename: filename)
    }

    private static func taxonomy(_ segments: ArraySlice<Substring>) -> Operation {
        var rest = segments
        let taxonomy = rest.popFirst().map(RequestTarget.candidates) ?? []
        guard !taxonomy.isEmpty else { return .notFound }
        guard let next = rest.popFirst() else { return .taxonomy(taxonomy) }
        guard next == "categories" else { return .notFound }
        guard let last = rest.popFirst() else { return .taxonomyCategories(taxonomy) }
        let category = RequestTarget.candidates(last)
        return rest.isEmpty && !category.isEmpty ? .taxonomyCategory(taxonomy, category: category) : .notFound
    }

    /// Takes an identifier, or `.by.slug` and the slug behind it.
    private static func takeReference(_ rest: inout ArraySlice<Substring>) -> [AssetReference] {
        guard let first = rest.popFirst() else { return [] }
        guard first == ".by.slug" else { return RequestTarget.candidates(first).map { .id($0) } }
        return rest.popFirst().map { RequestTarget.candidates($0).map { .slug($0) } } ?? []
    }
}
