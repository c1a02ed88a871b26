import Synchronization

/// Pictures below a URL on any web server, and a list of them if there is one.
final class HTTPOrigin: Origin {
    private struct Held: Sendable {
        let catalogue: HTTPCatalogue
        let instant: ContinuousClock.Instant
    }

    private let client: OriginClient
    private let naming: HTTPNaming
    private let lists: HTTPListReader?
    /// What the lists said when a walk last began, so that nothing shifts between its pages.
    private let held = Mutex<Held?>(nil)

    /// How long the pages of a walk keep to what its first one saw.
    private static let holdingTime: Duration = .seconds(600)

    /// Speaks for `channel`; throws if its URL, or that of its list, is not http or https.
    init(
        channel: String,
        settings: HTTPSettings,
        allow: [String],
        fetcher: Fetcher,
        pool: BlockingPool,
        log: Log
    ) throws(OriginError) {
        var listHosts: [WebURL] = []
        if case .url(let text) = settings.list {
            guard let url = WebURL(text) else { throw .unreachable(.badURL("\"list\" of the channel \(channel)")) }
            listHosts = [url]
        }
        client = try OriginClient(
            channel: channel,
            settings: settings,
            pictureHosts: listHosts,
            allow: allow,
            fetcher: fetcher,
            log: log,
            failure: { $0.error(detail: nil) }
        )
        naming = HTTPNaming(root: client.base)
        lists = settings.list.map { [client] in HTTPListReader($0, client: client, pool: pool) }
    }

    /// A page of what the list names; the first one reads it anew.
    func page(at cursor: CatalogueCursor, limit: Int) async throws(OriginError) -> AssetPage {
        let catalogue = try await catalogue(isFirstPage: cursor == .start)
        return AssetPage(of: catalogue.assets, skipped: catalogue.skipped, at: cursor, limit: limit)
    }

    /// An asset by identifier, by path or by URL; nobody is asked, so whether it exists shows when it is fetched.
    func asset(_ reference: AssetReference, priority: Urgency) async throws(OriginError) -> Asset {
        guard case .id(let text) = reference, let picture = naming.picture(named: text) else {
            throw .notFound("picture \(quoted(reference.description)) below \(client.base)")
        }
        return HTTPCatalogue.asset(picture)
    }

    func fetchNative(
        _ asset: Asset,
        into sink: any ByteSink,
        options: FetchOptions
    ) async throws(OriginError) -> FetchedBody {
        let query = asset.id.firstIndex(of: "?").map { asset.id[$0...] } ?? ""
        let listed = asset.address.flatMap { naming.picture(named: $0 + query) }
        guard let picture = listed ?? naming.picture(named: asset.id),
            let url = WebURL(picture.address + (picture.query.map { "?\($0)" } ?? ""))
        else { throw .notFound("picture \(quoted(asset.id)) below \(client.base)") }
        return try await client.body(url, what: "picture \(picture.name)", expecting: .noText, into: sink, options)
    }

    private func catalogue(isFirstPage: Bool) async throws(OriginError) -> HTTPCatalogue {
        guard let lists else {
            throw .notEnumerable(
                """
                a web server does not say what it has; add list: "urls.txt", a file with one URL or path a line, or the URL of a \
                sitemap, to the channel \(client.channel)
                """
            )
        }
        let now = ContinuousClock.now
        if !isFirstPage, let held = held.withLock({ $0 }), now - held.instant < Self.holdingTime {
            return held.catalogue
        }
        let catalogue = try await lists.catalogue(naming)
        held.withLock { $0 = Held(catalogue: catalogue, instant: now) }
        return catalogue
    }
}
