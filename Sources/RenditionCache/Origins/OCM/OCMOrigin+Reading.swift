extension OCMOrigin {
    /// In which languages an item is there (spec OCM §6.4).
    func variations(of reference: AssetReference) async throws(OriginError) -> JSONValue {
        let url = try requests.variations(of: reference)
        let json = try await client.json(url, what: "languages of \(reference)")
        guard json["items"]?.array != nil else {
            throw .unusable(host: client.host, status: 200, detail: "JSON without a list of languages")
        }
        return json
    }

    /// An item in one language.
    func item(_ reference: AssetReference, language: String) async throws(OriginError) -> OCMItem {
        let url = try requests.variations(of: reference, language: language)
        let json = try await client.json(url, what: "asset \(reference) in \(language)")
        return try Self.item(json, host: client.host)
    }

    /// A page of the channel's taxonomies (spec OCM §9).
    func taxonomies(_ search: OCMSearch) async throws(OriginError) -> OCMListing {
        try await rows(try requests.taxonomies(search), what: "list of taxonomies", search)
    }

    /// One taxonomy.
    func taxonomy(_ id: String) async throws(OriginError) -> OCMItem {
        try Self.item(try await client.json(try requests.taxonomy(id), what: "taxonomy \(id)"), host: client.host)
    }

    /// A page of a taxonomy's categories.
    func categories(of taxonomy: String, _ search: OCMSearch) async throws(OriginError) -> OCMListing {
        try await rows(try requests.categories(of: taxonomy, search), what: "categories of \(taxonomy)", search)
    }

    /// One category.
    func category(_ id: String, of taxonomy: String, fields: [String]) async throws(OriginError) -> OCMItem {
        let url = try requests.category(id, of: taxonomy, fields: fields)
        return try Self.item(try await client.json(url, what: "category \(id)"), host: client.host)
    }

    /// One page of a listing of items.
    func list(_ search: OCMSearch) async throws(OriginError) -> OCMListing {
        try await rows(try requests.items(search), what: "listing of \(client.channel)", search)
    }

    private func rows(_ url: WebURL, what: String, _ search: OCMSearch) async throws(OriginError) -> OCMListing {
        let json = try await client.json(url, what: what)
        guard let page = OCMListing(json, offset: search.offset, limit: search.limit) else {
            throw .unusable(host: client.host, status: 200, detail: "JSON without a list of items")
        }
        return page
    }
}
