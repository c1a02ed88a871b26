/// A microCMS service, read over its content API, and the hosts of its pictures (spec microCMS).
struct MicroCMSOrigin: Origin {
    let client: OriginClient
    let requests: MicroCMSRequests
    let naming: MicroCMSNaming
    let endpoints: [MicroCMSEndpoint]

    /// Requests a second that a service answers, counted over all of its APIs (spec microCMS §2.9).
    private static let requestsPerSecond = 60.0

    /// Speaks for `channel`; throws if its URL, an image host or an endpoint cannot be used.
    init(
        channel: String,
        settings: MicroCMSSettings,
        allow: [String],
        fetcher: Fetcher,
        log: Log
    ) throws(OriginError) {
        guard settings.imageHosts.allSatisfy({ MicroCMSSettings.origin($0) != nil }) else {
            throw .unreachable(.badURL("one of \"imageHosts\" of the channel \(channel)"))
        }
        let pictureHosts = settings.pictureOrigins
        endpoints = try Self.endpoints(settings.endpoints, channel: channel)
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

    /// None by name: the image API makes renditions by parameters, and so do we.
    func fetchRendition(
        _ name: String,
        format: ImageFormat?,
        of asset: Asset,
        into sink: any ByteSink,
        options: FetchOptions
    ) async throws(OriginError) -> FetchedBody? { nil }

    private static func endpoints(_ texts: [String], channel: String) throws(OriginError) -> [MicroCMSEndpoint] {
        var endpoints: [MicroCMSEndpoint] = []
        for text in texts {
            do throws(RequestError) {
                endpoints.append(try MicroCMSEndpoint(text))
            } catch {
                throw .notEnumerable("one of \"endpoints\" of the channel \(channel) makes no sense: \(error)")
            }
        }
        return endpoints
    }
}
