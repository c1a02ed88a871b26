/// An Oracle Content Management channel, read over its delivery API (spec OCM).
struct OCMOrigin: Origin {
    /// Old servers list neither times nor versions (spec OCM §4.3).
    let listsEverything = false
    private let client: OriginClient
    private let requests: OCMRequests

    /// Most items a page; the server's own limit (spec OCM §4.1).
    private static let maxPage = 500
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
        client = try OriginClient(
            channel: channel,
            settings: settings,
            fixed: [Self.marker],
            allow: allow,
            fetcher: fetcher,
            log: log,
            failure: { $0.error(detail: OCMError(status: $0.status, body: $0.body).text) }
        )
        requests = OCMRequests(base: client.base, channelToken: settings.channelToken)
    }

    /// One page of everything that is published, content items included; items may shift between pages.
    func page(at cursor: CatalogueCursor, limit: Int) async throws(OriginError) -> AssetPage {
        let listing = OCMRequests.Listing(
            limit: min(limit, Self.maxPage),
            offset: cursor.offset,
            fields: ["all"]
        )
        let json = try await client.json(try requests.items(listing), what: "listing of \(client.channel)")
        guard let page = OCMListing(json, offset: listing.offset, limit: listing.limit) else {
            throw .unusable(host: client.host, status: 200, detail: "JSON without a list of items")
        }
        return AssetPage(
            assets: page.items.map(\.asset),
            next: page.nextOffset.map { CatalogueCursor(offset: $0) },
            total: page.total
        )
    }

    /// One item, with its native and renditions if it is a digital asset.
    func asset(_ reference: AssetReference, priority: Urgency) async throws(OriginError) -> Asset {
        let options = FetchOptions(priority: priority)
        let json = try await client.json(try requests.item(reference), what: "asset \(reference)", options)
        guard let item = OCMItem(json) else {
            throw .unusable(host: client.host, status: 200, detail: "JSON without an identifier")
        }
        return item.asset
    }

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

    /// The name `thumbnail`, in lower case, is the picture that depends on the file group (spec OCM §8.3).
    func fetchRendition(
        _ name: String,
        format: ImageFormat?,
        of asset: Asset,
        into sink: any ByteSink,
        options: FetchOptions
    ) async throws(OriginError) -> FetchedBody? {
        let url: WebURL
        if name == "thumbnail" {
            url = try requests.thumbnail(
                of: asset.id,
                fileGroup: asset.fileGroup,
                hasAdvancedVideo: asset.hasAdvancedVideo
            )
        } else {
            // Where the catalogue says what there is, asking for anything else is a request for a 404.
            let offer = asset.renditions?.first { $0.name == name }
            if asset.renditions != nil && offer == nil { return nil }
            if let offer, let format, !offer.formats.contains(where: { ImageFormat(name: $0) == format }) { return nil }
            url = try requests.rendition(name, of: asset.id, format: format?.fileExtension, type: offer?.type)
        }
        do throws(OriginError) {
            let what = "rendition \(name) of \(asset.id)"
            return try await client.body(url, what: what, expecting: .picture, into: sink, options)
        } catch .notFound {
            return nil
        }
    }
}
