/// What Oracle Content Management gives (spec OCM §4, §6, §9).
extension Catalogue {
    /// One page of items.
    ///
    /// - Parameters:
    ///   - query: which items; nil for all of the channel, digital assets among them.
    ///   - fields: names of fields, those of the type with `fields.` before them, or `all`; empty leaves it to the server.
    ///   - orderBy: what to sort by.
    ///   - limit: most items, 0…500.
    ///   - offset: how many items lie before the page.
    public func items(
        _ query: OCMQuery? = nil,
        fields: [String] = [],
        orderBy: [OCMSearch.Order] = [],
        limit: Int = 100,
        offset: Int = 0
    ) async throws(RenditionError) -> ContentPage<ContentItem> {
        var search = OCMSearch(query)
        (search.fields, search.orderBy, search.limit, search.offset) = (fields, orderBy, limit, offset)
        return try await items(search)
    }

    /// One page of items, with everything that can be asked for.
    ///
    /// Throws `RequestError.badValue` for a query or a page that cannot be sent.
    public func items(
        _ search: OCMSearch,
        call: OCMCall = OCMCall()
    ) async throws(RenditionError) -> ContentPage<ContentItem> {
        try check(search)
        let page = try await ocm("content items", call) { (origin) async throws(OriginError) in
            try await origin.list(search)
        }
        let items = page.items.map { ContentItem(channel: name, item: $0) }
        learn(items, call)
        return ContentPage(items: items, total: page.total, nextOffset: page.nextOffset)
    }

    /// Every item of a search, from its offset on, in pages of its limit.
    public func allItems(_ search: OCMSearch = OCMSearch(), call: OCMCall = OCMCall()) -> ContentItems {
        ContentItems(catalogue: self, search: search, call: call)
    }

    /// One item; throws `assetNotFound`.
    ///
    /// - Parameters:
    ///   - expand: which references come whole, as in `fields.author`; `all` (the default) for every one, empty for none.
    ///     What an expanded item refers to is not expanded.
    ///   - links: kinds of links to give, as in `self`; empty for all.
    public func item(
        _ reference: AssetReference,
        expand: [String] = ["all"],
        links: [String] = [],
        call: OCMCall = OCMCall()
    ) async throws(RenditionError) -> ContentItem {
        try await one(reference, call) { (origin) async throws(OriginError) in
            try await origin.item(reference, expand: expand, links: links)
        }
    }

    /// An item in one of its languages; throws `assetNotFound`.
    public func item(
        _ reference: AssetReference,
        language: String,
        call: OCMCall = OCMCall()
    ) async throws(RenditionError) -> ContentItem {
        try await one(reference, call) { (origin) async throws(OriginError) in
            try await origin.item(reference, language: language)
        }
    }

    /// In which languages an item is there; throws `assetNotFound`.
    public func variations(
        of reference: AssetReference,
        call: OCMCall = OCMCall()
    ) async throws(RenditionError) -> LanguageVariations {
        try await found(reference) { () async throws(RenditionError) in
            try await ocm("language variations", call) { (origin) async throws(OriginError) in
                LanguageVariations(try await origin.variations(of: reference))
            }
        }
    }

    /// The channel's CMS, if it is OCM, as it is for one call.
    private func ocm<Answer>(
        _ what: String,
        _ call: OCMCall,
        _ question: (OCMOrigin) async throws(OriginError) -> Answer
    ) async throws(RenditionError) -> Answer {
        try await asking(OCMOrigin.self, for: what) { (origin) async throws(OriginError) in
            try await question(try origin.with(call))
        }
    }

    private func one(
        _ reference: AssetReference,
        _ call: OCMCall,
        _ question: (OCMOrigin) async throws(OriginError) -> OCMItem
    ) async throws(RenditionError) -> ContentItem {
        let item = try await found(reference) { () async throws(RenditionError) in
            ContentItem(channel: name, item: try await ocm("content items", call, question))
        }
        learn([item], call)
        return item
    }

    /// What is missing is this asset.
    private func found<Answer>(
        _ reference: AssetReference,
        _ question: () async throws(RenditionError) -> Answer
    ) async throws(RenditionError) -> Answer {
        do throws(RenditionError) {
            return try await question()
        } catch .origin(.notFound) {
            throw .assetNotFound(channel: name, asset: reference.description)
        } catch {
            throw error
        }
    }

    /// Another instance or token may know other versions.
    private func learn(_ items: [ContentItem], _ call: OCMCall) {
        if call == OCMCall() { learn(items.flatMap(\.knownAssets)) }
    }

    private func check(_ search: OCMSearch) throws(RenditionError) {
        if let problem = search.query?.problem { throw .request(problem) }
        guard (0...OCMOrigin.maxPage).contains(search.limit) else {
            let expected = "0…\(OCMOrigin.maxPage)"
            throw .request(.badValue(parameter: "limit", value: "\(search.limit)", expected: expected))
        }
        guard search.offset >= 0 else {
            throw .request(.badValue(parameter: "offset", value: "\(search.offset)", expected: "0 or more"))
        }
    }
}

// MARK: Taxonomies

extension Catalogue {
    /// A page of the channel's taxonomies; of the search sorting (by `name`, `createdDate`, `updatedDate`) and paging count.
    public func taxonomies(
        _ search: OCMSearch = OCMSearch(),
        call: OCMCall = OCMCall()
    ) async throws(RenditionError) -> ContentPage<Taxonomy> {
        try check(search)
        let page = try await ocm("taxonomies", call) { (origin) async throws(OriginError) in
            try await origin.taxonomies(search)
        }
        return ContentPage(items: page.items.map(Taxonomy.init), total: page.total, nextOffset: page.nextOffset)
    }

    /// One taxonomy.
    public func taxonomy(_ id: String, call: OCMCall = OCMCall()) async throws(RenditionError) -> Taxonomy {
        try await ocm("taxonomies", call) { (origin) async throws(OriginError) in
            Taxonomy(try await origin.taxonomy(id))
        }
    }

    /// A page of a taxonomy's categories; of the search sorting (by `name`, `position`) and paging count.
    public func categories(
        of taxonomy: String,
        _ search: OCMSearch = OCMSearch(),
        call: OCMCall = OCMCall()
    ) async throws(RenditionError) -> ContentPage<TaxonomyCategory> {
        try check(search)
        let page = try await ocm("taxonomies", call) { (origin) async throws(OriginError) in
            try await origin.categories(of: taxonomy, search)
        }
        let categories = page.items.map(TaxonomyCategory.init)
        return ContentPage(items: categories, total: page.total, nextOffset: page.nextOffset)
    }

    /// One category.
    ///
    /// - Parameter fields: what comes beside: `keywords`, `synonyms`, `relatedCategories`, `customProperties`, or `all`.
    public func category(
        _ id: String,
        of taxonomy: String,
        fields: [String] = [],
        call: OCMCall = OCMCall()
    ) async throws(RenditionError) -> TaxonomyCategory {
        try await ocm("taxonomies", call) { (origin) async throws(OriginError) in
            TaxonomyCategory(try await origin.category(id, of: taxonomy, fields: fields))
        }
    }
}
