/// Skeleton: to be replaced.
struct HTTPOrigin: Origin {
    private let client: OriginClient

    init(
        channel: String,
        settings: HTTPSettings,
        allow: [String],
        fetcher: Fetcher,
        pool: BlockingPool,
        log: Log
    ) throws(OriginError) {
        client = try OriginClient(
            channel: channel,
            settings: settings,
            allow: allow,
            fetcher: fetcher,
            log: log,
            failure: { $0.error(detail: nil) }
        )
    }

    func page(at cursor: CatalogueCursor, limit: Int) async throws(OriginError) -> AssetPage { AssetPage(assets: []) }

    func asset(_ reference: AssetReference, priority: Urgency) async throws(OriginError) -> Asset {
        throw .notFound(reference.description)
    }

    func fetchNative(
        _ asset: Asset,
        into sink: any ByteSink,
        options: FetchOptions
    ) async throws(OriginError) -> FetchedBody { throw .notFound(asset.id) }

    func fetchRendition(
        _ name: String,
        format: ImageFormat?,
        of asset: Asset,
        into sink: any ByteSink,
        options: FetchOptions
    ) async throws(OriginError) -> FetchedBody? { nil }
}
