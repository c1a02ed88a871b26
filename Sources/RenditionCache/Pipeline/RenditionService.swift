/// The request path, in order; start reading here.
public final class RenditionService: Sendable {
    /// What this service counts.
    public let metrics: Metrics
    /// What it was opened with.
    public let configuration: Configuration
    let channels: [Channel]
    let store: RenditionStore
    let records: AssetRecords
    let products: Products
    let production: Production
    let log: Log
    let now: @Sendable () -> Double
    private let placeholder: Placeholder
    private let workers: RenderWorkers
    let fetcher: Fetcher
    private let background = BackgroundTasks<AssetRecords.Question>()

    /// Opens the cache directory and its index.
    ///
    /// Threads that fetch and processes that render start with the first need.
    public static func open(
        _ configuration: Configuration,
        log: Log = .silent
    ) async throws(RenditionError) -> RenditionService {
        try await open(configuration, log: log, now: SystemClock.seconds)
    }

    static func open(
        _ configuration: Configuration,
        log: Log,
        now: @escaping @Sendable () -> Double
    ) async throws(RenditionError) -> RenditionService {
        let metrics = Metrics()
        let store: RenditionStore
        do throws(CacheError) {
            store = try await RenditionStore.open(configuration.cache, metrics: metrics, log: log, now: now)
        } catch {
            throw .cache(error)
        }
        do throws(OriginError) {
            return try RenditionService(configuration, store: store, metrics: metrics, log: log, now: now)
        } catch {
            await store.close()
            throw .origin(error)
        }
    }

    private init(
        _ configuration: Configuration,
        store: RenditionStore,
        metrics: Metrics,
        log: Log,
        now: @escaping @Sendable () -> Double
    ) throws(OriginError) {
        let pool = store.pool
        let fetcher = Fetcher(settings: configuration.fetch, metrics: metrics, log: log)
        self.configuration = configuration
        self.metrics = metrics
        self.log = log
        self.now = now
        self.store = store
        self.fetcher = fetcher
        workers = RenderWorkers(settings: configuration.render, metrics: metrics, log: log)
        products = Products(
            store: store,
            workers: workers,
            pool: pool,
            limits: configuration.render.limits,
            metrics: metrics,
            log: log,
            now: now
        )
        records = AssetRecords(products: products)
        placeholder = Placeholder(workers: workers, limits: configuration.render.limits)
        production = Production(
            products: products,
            workers: workers,
            records: records,
            limits: configuration.render.limits,
            metrics: metrics,
            log: log,
            now: now
        )
        var channels: [Channel] = []
        for settings in configuration.channels {
            let origin = try settings.openOrigin(fetcher: fetcher, pool: pool, log: log, now: now)
            channels.append(Channel(settings: settings, origin: origin))
        }
        self.channels = channels
    }

    /// A fresh hit, or nil.
    ///
    /// Never suspends, asks no origin, starts no worker; may read one file. This is the server's hit path: on nil, call
    /// `rendition(for:)`.
    public func cached(_ request: RenditionRequest) -> Rendition? {
        guard let channel = channels.first(where: { $0.name == request.channel }),
            let known = records.known(request.asset, in: channel),
            records.verdict(known, in: channel) == .fresh,
            let selection = production.marks.fresh(request.selection, in: channel),
            let product = present(selection, known, in: channel)
        else { return nil }
        metrics.add(.hits)
        return rendition(product, known.record, in: channel)
    }

    /// The picture, its last good version, or a placeholder with its cause.
    ///
    /// Throws `assetNotFound`, `renditionNotFound` and `unknownChannel`, and `render` for a transform that its source leaves
    /// nothing of or makes too large; an origin that is down or a source that cannot be decoded is not an error but a
    /// `stale` or `placeholder` outcome.
    ///
    /// - Parameter progress: hears of downloads that this call starts, on the fetching thread.
    public func rendition(
        for request: RenditionRequest,
        priority: WorkPriority = .live,
        progress: FetchProgress? = nil
    ) async throws(RenditionError) -> RenditionOutcome {
        let channel = try channel(request.channel)
        let options = FetchOptions(priority: Urgency(priority), progress: progress)
        let asked = request.selection
        var request = request
        request.selection = await production.marks.current(asked, in: channel, options: options) { mark in
            self.revalidate(mark, in: channel)
        }
        do throws(RenditionError) {
            let known = try await current(request, in: channel, options)
            let product = try await production.form(request.selection, of: known, in: channel, options: options)
            var rendition = rendition(product, known.record, in: channel)
            if asked.mark != nil { shortenIfUnmarked(&rendition, product, request.selection) }
            let isStale = rendition.provenance.staleSeconds != nil
            metrics.add(product.means != .present ? .misses : isStale ? .staleHits : .hits)
            return .rendition(rendition)
        } catch {
            guard let cause = error.placeholderCause(for: request.selection) else { throw error }
            let outcome = try await standIn(for: request, in: channel, cause: cause)
            let isStale = if case .stale = outcome { true } else { false }
            log(
                .warning,
                isStale ? "the last good picture is served" : "a placeholder is served",
                ["channel": channel.name, "asset": request.asset, "form": request.selection.form, "cause": "\(error)"]
            )
            return outcome
        }
    }

    /// The same from the cache alone, however old.
    ///
    /// Throws `notCached`; asks no origin and starts no worker.
    public func offlineRendition(for request: RenditionRequest) async throws(RenditionError) -> RenditionOutcome {
        let channel = try channel(request.channel)
        var request = request
        request.selection = production.marks.remembered(request.selection, in: channel)
        if let known = await records.find(request.asset, in: channel),
            let product = await find(request.selection, known, in: channel)
        {
            let rendition = rendition(product, known.record, in: channel)
            let isFresh = records.verdict(known, in: channel) == .fresh
            return isFresh ? .rendition(rendition) : .stale(rendition, cause: .originDown)
        }
        guard let last = await lastGood(request, in: channel, withinLimits: false, rendering: false) else {
            throw .notCached(channel: channel.name, asset: request.asset.description)
        }
        return .stale(last, cause: .originDown)
    }

    /// Forgets nothing, finishes what is being written, ends the workers and the fetching thread.
    ///
    /// Checks behind an answer have two seconds more: a process that gives one answer would otherwise never make one.
    public func shutDown() async { await shutDown(within: .seconds(2)) }

    func shutDown(within grace: Duration) async {
        await background.end(within: grace)
        await workers.shutDown()
        await fetcher.shutDown()
        await store.close()
    }

    func channel(_ name: String) throws(RenditionError) -> Channel {
        guard let channel = channels.first(where: { $0.name == name }) else {
            throw .unknownChannel(name, known: channels.map(\.name))
        }
        return channel
    }

    /// The asset's current version: known and fresh, known and checked behind the answer, or asked for.
    private func current(
        _ request: RenditionRequest,
        in channel: Channel,
        _ options: FetchOptions
    ) async throws(RenditionError) -> KnownAsset {
        guard let known = await records.find(request.asset, in: channel) else {
            return try await records.ask(request.asset, in: channel, options: options)
        }
        switch records.verdict(known, in: channel) {
        case .fresh: return known
        case .staleUsable where await find(request.selection, known, in: channel) != nil:
            revalidate(request.asset, in: channel)
            return known
        case .staleUsable, .staleOnError, .expired:
            return try await records.ask(request.asset, in: channel, options: options)
        }
    }

    private func revalidate(_ asset: AssetReference, in channel: Channel) {
        background.start(AssetRecords.Question(channel: channel.recordName, asset: asset)) { [records, log] in
            do throws(RenditionError) {
                _ = try await records.ask(asset, in: channel, options: FetchOptions(priority: .revalidation))
            } catch {
                log(.info, "an asset could not be revalidated", ["channel": channel.name, "cause": "\(error)"])
            }
        }
    }

    /// The last good version, else a placeholder.
    private func standIn(
        for request: RenditionRequest,
        in channel: Channel,
        cause: PlaceholderCause
    ) async throws(RenditionError) -> RenditionOutcome {
        if var last = await lastGood(request, in: channel, withinLimits: true, rendering: cause.isOfOrigin) {
            metrics.add(.staleHits)
            last.provenance.cause = cause
            return .stale(last, cause: cause)
        }
        let record = records.remembered(request.asset, in: channel)
        let stand = try await placeholder.rendition(
            for: request.selection,
            record: record,
            cause: cause,
            nowSeconds: now()
        )
        metrics.add(.placeholders)
        return .placeholder(stand, cause: cause)
    }

    /// The form as it was last good: of the current version, else of the newest of which it is held, rendered from that
    /// version's native if need be.
    private func lastGood(
        _ request: RenditionRequest,
        in channel: Channel,
        withinLimits: Bool,
        rendering: Bool
    ) async -> Rendition? {
        guard var record = records.remembered(request.asset, in: channel) else { return nil }
        guard !withinLimits || records.verdict(KnownAsset(record: record), in: channel) != .expired else { return nil }
        for version in [record.version] + channel.storedVersions(of: record.asset.id, in: store) {
            record.version = version
            var product = await products.find(request.selection, of: record, in: channel)
            if product == nil, rendering {
                product = await production.rendered(request.selection, of: record, in: channel)
            }
            guard let product else { continue }
            var rendition = rendition(product, record, in: channel)
            rendition.provenance.staleSeconds = max(0, Int(now() - record.checkedSeconds - record.lifetimeSeconds))
            return rendition
        }
        return nil
    }

    private func present(
        _ selection: RenditionRequest.Selection,
        _ known: KnownAsset,
        in channel: Channel
    ) -> Product? {
        if let native = known.native, selection == .native {
            return products.inPlace(native, known.record, in: channel)
        }
        return products.stored(selection, of: known.record, in: channel)
    }

    private func find(
        _ selection: RenditionRequest.Selection,
        _ known: KnownAsset,
        in channel: Channel
    ) async -> Product? {
        if let native = known.native, selection == .native {
            return products.inPlace(native, known.record, in: channel)
        }
        return await products.find(selection, of: known.record, in: channel)
    }
}
