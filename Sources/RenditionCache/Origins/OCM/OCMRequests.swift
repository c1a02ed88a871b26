/// The URLs of an OCM instance (spec OCM §1); pure.
///
/// Path parts and values are encoded once, parameters sorted by name.
struct OCMRequests: Sendable {
    private let root: String
    private let channelToken: String?

    /// The requests to an instance; a path in its URL does not count, because the API stands at the root (spec OCM §2.2).
    ///
    /// - Parameter channelToken: the token that goes into the query; nil where it does not.
    init(base: WebURL, channelToken: String?, version: OCMVersion = .v1_1) {
        root = "\(base.root)/content/published/api/\(version.rawValue)"
        self.channelToken = channelToken
    }

    /// A page of the published items.
    func items(_ search: OCMSearch) throws(OriginError) -> WebURL { try url(["items"], search.parameters) }

    /// One item (spec OCM §6); `expand` and `links` are left out when empty.
    func item(
        _ reference: AssetReference,
        expand: [String] = ["all"],
        links: [String] = []
    ) throws(OriginError) -> WebURL {
        try url(
            Self.place(reference),
            [("expand", expand == ["none"] ? nil : OCMSearch.list(expand)), ("links", OCMSearch.list(links))]
        )
    }

    /// In which languages an item is there, or the item in one of them (spec OCM §6.4).
    func variations(of reference: AssetReference, language: String? = nil) throws(OriginError) -> WebURL {
        let place = Self.place(reference) + ["variations", "language"]
        guard let language else { return try url(place, []) }
        return try url(place + [language], [("fields", "all")])
    }

    /// A page of the channel's taxonomies (spec OCM §9).
    func taxonomies(_ search: OCMSearch) throws(OriginError) -> WebURL { try url(["taxonomies"], search.parameters) }

    /// One taxonomy.
    func taxonomy(_ id: String) throws(OriginError) -> WebURL { try url(["taxonomies", id], []) }

    /// A page of a taxonomy's categories.
    func categories(of taxonomy: String, _ search: OCMSearch) throws(OriginError) -> WebURL {
        try url(["taxonomies", taxonomy, "categories"], search.parameters)
    }

    /// One category, with those of its further fields that are named: `keywords`, `synonyms`, `relatedCategories`,
    /// `customProperties`, or `all`.
    func category(_ id: String, of taxonomy: String, fields: [String]) throws(OriginError) -> WebURL {
        try url(["taxonomies", taxonomy, "categories", id], [("fields", OCMSearch.list(fields))])
    }

    /// The untouched upload (spec OCM §8.1).
    func native(_ id: String) throws(OriginError) -> WebURL { try url(["assets", id, "native"], []) }

    /// A rendition by name (spec OCM §8.2); a blank format or type is left out.
    func rendition(
        _ name: String,
        of id: String,
        format: String? = nil,
        type: String? = nil
    ) throws(OriginError) -> WebURL {
        try url(["assets", id, name], [("format", format?.trimmed), ("type", type?.trimmed)])
    }

    private static func place(_ reference: AssetReference) -> [String] {
        switch reference {
        case .id(let id): ["items", id]
        case .slug(let slug): ["items", ".by.slug", slug]
        }
    }

    private func url(_ parts: [String], _ parameters: [(name: String, value: String?)]) throws(OriginError) -> WebURL {
        // Empty or dotted parts would name something else than one thing below the API.
        guard !parts.contains(where: { ["", ".", ".."].contains($0) }) else { throw .notFound("asset without a name") }
        let path = parts.map { PercentEncoding.segment($0) }.joined(separator: "/")
        let query = (parameters + [("channelToken", channelToken)])
            .compactMap { name, value in value.flatMap { $0.isEmpty ? nil : (name, $0) } }
            .sorted { $0.0 < $1.0 }
            .map { "\($0.0)=\(PercentEncoding.value($0.1))" }
            .joined(separator: "&")
        let text = "\(root)/\(path)\(query.isEmpty ? "" : "?\(query)")"
        guard let url = WebURL(text) else { throw .unreachable(.badURL("\(root)/…/\(path)")) }
        return url
    }
}
