/// A microCMS service, read over its content API, and the hosts of its pictures (spec microCMS).
struct MicroCMSOrigin: Origin {
    let client: OriginClient
    let requests: MicroCMSRequests
    let naming: MicroCMSNaming
    let endpoints: [MicroCMSEndpoint]

    /// Requests a second at most: a service answers 60, to all of its clients together (spec microCMS §2.9).
    private static let requestsPerSecond = 50.0

    /// Speaks for `channel`; throws if its URL, an image host or an endpoint cannot be used.
    init(
        channel: String,
        settings: MicroCMSSettings,
        allow: [String],
        fetcher: Fetcher,
        log: Log
    ) throws(OriginError) {
        if let problem = settings.problemsOfItsOwn.first {
            throw .notEnumerable("\(quoted(problem.path.joined())) of the channel \(channel): \(problem.message)")
        }
        let pictureHosts = settings.pictureOrigins
        // Whatever is no endpoint has just been refused.
        endpoints = settings.endpoints.compactMap { try? MicroCMSEndpoint($0) }
        client = try OriginClient(
            channel: channel,
            settings: settings,
            fixed: [settings.apiKey.map { HeaderField("X-MICROCMS-API-KEY", $0) }].compactMap(\.self),
            pictureHosts: pictureHosts,
            onlyConfiguredHosts: true,
            allow: allow,
            requestsPerSecond: Self.requestsPerSecond,
            fetcher: fetcher,
            log: log,
            failure: \.microCMSError
        )
        requests = MicroCMSRequests(base: client.base)
        naming = MicroCMSNaming(imageHosts: pictureHosts, allow: allow)
    }

    /// An asset by identifier, by path or by URL; nobody is asked, so whether it exists shows when it is fetched.
    func asset(_ reference: AssetReference, priority: Urgency) async throws(OriginError) -> Asset {
        guard case .id(let text) = reference, let picture = naming.picture(named: text) else {
            throw .notFound("picture \(quoted(reference.description)) of microCMS")
        }
        return MicroCMSCatalogue.asset(picture)
    }

    /// The URL comes from whoever asks: hosts that the channel merely allows are not asked for it (spec microCMS §12).
    func mark(_ url: String) -> AssetReference? {
        guard let split = SplitURL(url), case .image(let picture) = naming.place(of: split) else { return nil }
        return .id(picture.id)
    }

    func fetchNative(
        _ asset: Asset,
        into sink: any ByteSink,
        options: FetchOptions
    ) async throws(OriginError) -> FetchedBody {
        guard let picture = asset.address.flatMap(naming.picture) ?? naming.picture(named: asset.id),
            let url = WebURL(picture.address)
        else { throw .notFound("picture \(quoted(asset.id)) of microCMS") }
        return try await client.body(url, what: "picture \(asset.id)", expecting: .noText, into: sink, options)
    }
}
