/// An Oracle Content Management channel, read over its delivery API (spec OCM).
struct OCMOrigin: Origin {
    /// Old servers list neither times nor versions (spec OCM §4.3).
    let listsEverything = false
    let client: OriginClient
    let requests: OCMRequests
    private let settings: OCMSettings
    /// The same channel for one call that differs.
    private let reopened: @Sendable (OCMSettings, AccessTokens?) throws(OriginError) -> OriginClient
    private let used = OCMUsedPictures()

    /// Most items a page; the server's own limit (spec OCM §4.1).
    static let maxPage = 500
    /// Says that a request is no page load, as the CMS's own clients do (spec OCM §3.4).
    private static let marker = HeaderField("X-Requested-With", "XMLHttpRequest")

    /// Speaks for `channel`; throws if its URL is not http or https.
    init(
        channel: String,
        settings: OCMSettings,
        allow: [String],
        fetcher: Fetcher,
        log: Log
    ) throws(OriginError) {
        let open = { @Sendable (settings: OCMSettings, tokens: AccessTokens?) throws(OriginError) -> OriginClient in
            try OriginClient(
                channel: channel,
                settings: settings,
                fixed: Self.fixedFields(settings),
                allow: allow,
                fetcher: fetcher,
                log: log,
                tokens: tokens,
                failure: { $0.error(detail: OCMError(status: $0.status, body: $0.body).text) }
            )
        }
        self.settings = settings
        reopened = open
        client = try open(settings, nil)
        requests = Self.requests(settings, base: client.base)
    }

    private init(_ origin: OCMOrigin, for call: OCMCall) throws(OriginError) {
        settings = call.changing(origin.settings)
        reopened = origin.reopened
        client = try reopened(settings, origin.client.tokens)
        requests = Self.requests(settings, base: client.base, version: call.version)
    }

    /// The origin as it is for one call.
    func with(_ call: OCMCall) throws(OriginError) -> OCMOrigin {
        call == OCMCall() ? self : try OCMOrigin(self, for: call)
    }

    private static func requests(_ settings: OCMSettings, base: WebURL, version: OCMVersion = .v1_1) -> OCMRequests {
        let token = settings.channelTokenIn == .query ? settings.channelToken : nil
        return OCMRequests(base: base, channelToken: token, version: version)
    }

    /// What no configured field can change (spec OCM §3.1, §3.4).
    static func fixedFields(_ settings: OCMSettings) -> [HeaderField] {
        guard settings.channelTokenIn == .header, let token = settings.channelToken else { return [marker] }
        return [marker, HeaderField("channelToken", token)]
    }
}

// MARK: Catalogue

extension OCMOrigin {
    /// One page of everything that is published, content items included; items may shift between pages.
    func page(at cursor: CatalogueCursor, limit: Int) async throws(OriginError) -> AssetPage {
        var search = OCMSearch()
        (search.limit, search.offset, search.fields) = (min(limit, Self.maxPage), cursor.offset, ["all"])
        let page = try await list(search)
        return AssetPage(
            assets: page.items.map(\.asset),
            next: page.nextOffset.map { CatalogueCursor(offset: $0) },
            total: page.total
        )
    }

    /// For what is used, the first page waits for a walk of all content; an asset that content refers to and that is not
    /// published is left out.
    func page(of scope: CatalogueScope, at cursor: CatalogueCursor, limit: Int) async throws(OriginError) -> AssetPage {
        guard scope == .used else { return try await page(at: cursor, limit: limit) }
        let uses = try await used.uses(isFresh: cursor == .start) { (search) async throws(OriginError) in
            try await self.list(search)
        }
        var (offset, assets) = (max(0, min(cursor.offset, uses.count)), [Asset]())
        // A page of nothing but unpublished assets would look like a listing that stands still.
        while assets.isEmpty, offset < uses.count, limit > 0 {
            let slice = uses[offset...].prefix(min(limit, Self.maxPage))
            assets = try await self.assets(slice)
            offset += slice.count
        }
        let isEnd = offset >= uses.count || limit <= 0
        return AssetPage(assets: assets, next: isEnd ? nil : CatalogueCursor(offset: offset), total: uses.count)
    }

    /// What the origin knows of the assets, in their order.
    private func assets(_ uses: ArraySlice<OCMUsedPictures.Use>) async throws(OriginError) -> [Asset] {
        var found: [AssetReference: Asset] = [:]
        for query in OCMUsedPictures.queries(for: uses) {
            var search = OCMSearch(query)
            (search.fields, search.totalResults) = (["all"], false)
            for asset in try await list(search).items.map(\.asset) {
                found[.id(asset.id)] = asset
                if let slug = asset.slug { found[.slug(slug)] = asset }
            }
        }
        return uses.compactMap { found[$0.reference] }
    }

    /// One item, with its native and renditions if it is a digital asset.
    func asset(_ reference: AssetReference, priority: Urgency) async throws(OriginError) -> Asset {
        try await item(reference, expand: ["all"], options: FetchOptions(priority: priority)).asset
    }

    /// One item; `expand` names fields as in `fields.author`, or is `all`.
    func item(
        _ reference: AssetReference,
        expand: [String],
        links: [String] = [],
        options: FetchOptions = FetchOptions()
    ) async throws(OriginError) -> OCMItem {
        let url = try requests.item(reference, expand: expand, links: links)
        return try Self.item(try await client.json(url, what: "asset \(reference)", options), host: client.host)
    }

    static func item(_ json: JSONValue, host: String) throws(OriginError) -> OCMItem {
        guard let item = OCMItem(json) else {
            throw .unusable(host: host, status: 200, detail: "JSON without an identifier")
        }
        return item
    }
}

// MARK: Pictures

extension OCMOrigin {
    func fetchNative(
        _ asset: Asset,
        into sink: any ByteSink,
        options: FetchOptions
    ) async throws(OriginError) -> FetchedBody {
        try await client.body(
            try requests.native(asset.id),
            what: "asset \(asset.id)",
            expecting: asset.isPicture ? .noText : .anything,
            into: sink,
            options
        )
    }

    /// A rendition that is offered may not have been generated yet: then it is asked for all the same, and an empty answer
    /// is none (spec OCM §7.5).
    func fetchRendition(
        _ name: String,
        format: ImageFormat?,
        of asset: Asset,
        into sink: any ByteSink,
        options: FetchOptions
    ) async throws(OriginError) -> FetchedBody? {
        guard let form = OCMRenditionForm(name, format: format, of: asset) else { return nil }
        let url = try requests.rendition(form.name, of: asset.id, format: form.format, type: form.type)
        do throws(OriginError) {
            let what = "rendition \(name) of \(asset.id)"
            return try await client.body(url, what: what, expecting: .picture, into: sink, options)
        } catch {
            if case .notFound = error { return nil }
            if form.isPending, case .unusable(_, _, .some(PictureSink.emptyBody)) = error { return nil }
            throw error
        }
    }
}
