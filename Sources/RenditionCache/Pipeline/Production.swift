/// A form of an asset, made or found.
struct Product: Sendable {
    /// What is said about the bytes.
    var metadata: EntryMetadata
    /// The digest of the bytes.
    var digest: Digest
    /// The bytes.
    var body: RenditionBody
    /// How it came about.
    var means: WarmedForm.Means
    /// False if the cache had no room for it.
    var isStored: Bool
}

/// Makes what is missing: fetches natives and the origin's renditions, renders the rest.
final class Production: Sendable {
    let store: RenditionStore
    let workers: RenderWorkers
    private let records: AssetRecords
    let pool: BlockingPool
    let limits: RenderLimits
    let metrics: Metrics
    let log: Log
    let now: @Sendable () -> Double
    private let flights = Flights<CacheKey, Product>()
    private let probes = Flights<CacheKey, SourceDescription>()
    private let refusals = Refusals<CacheKey>()

    init(
        store: RenditionStore,
        workers: RenderWorkers,
        records: AssetRecords,
        pool: BlockingPool,
        limits: RenderLimits,
        metrics: Metrics,
        log: Log,
        now: @escaping @Sendable () -> Double
    ) {
        self.store = store
        self.workers = workers
        self.records = records
        self.pool = pool
        self.limits = limits
        self.metrics = metrics
        self.log = log
        self.now = now
    }

    /// The stored form under `key`, checked; nil if there is none or it turned out damaged.
    ///
    /// Blocks on the disk.
    func stored(_ key: CacheKey) -> Product? { store.entry(for: key).flatMap(product) }

    /// The same, asking the index too; suspends instead of blocking.
    func find(_ key: CacheKey) async -> Product? {
        guard let entry = await store.findEntry(for: key) else { return nil }
        return await pool.run { self.product(entry) }
    }

    /// The stored form of one version; blocks on the disk.
    func stored(_ selection: RenditionRequest.Selection, of record: AssetRecord, in channel: Channel) -> Product? {
        let keys = channel.keys(of: selection, record)
        return stored(keys.own) ?? keys.unnamed.flatMap(stored).flatMap { $0.metadata.answers(selection) ? $0 : nil }
    }

    /// The same, asking the index too; suspends instead of blocking.
    func find(_ selection: RenditionRequest.Selection, of record: AssetRecord, in channel: Channel) async -> Product? {
        let keys = channel.keys(of: selection, record)
        if let product = await find(keys.own) { return product }
        guard let key = keys.unnamed, let product = await find(key), product.metadata.answers(selection) else {
            return nil
        }
        return product
    }

    /// A form made of the native that is held, without asking the origin; nil if there is none or it cannot be made.
    func rendered(_ selection: RenditionRequest.Selection, of record: AssetRecord, in channel: Channel) async
        -> Product?
    {
        guard let transform = selection.localTransform, await find(.native, of: record, in: channel) != nil else {
            return nil
        }
        let key = channel.keys(of: selection, record).own
        guard refusals.current(key, now: now()) == nil else { return nil }
        // Why it cannot be made has no bearing on the answer, which has a cause already.
        return try? await fly(key, urgency: .live) { () async throws(RenditionError) in
            if let product = await self.find(key) { return product }
            let (known, options) = (KnownAsset(record: record), FetchOptions())
            return try await self.render(transform, selection, of: known, in: channel, key: key, options: options)
        }
    }

    /// One form of a known asset: found, or made by the one flight that makes it.
    func form(
        _ selection: RenditionRequest.Selection,
        of known: KnownAsset,
        in channel: Channel,
        options: FetchOptions
    ) async throws(RenditionError) -> Product {
        if case .native = selection, let native = known.native { return inPlace(native, known.record, in: channel) }
        let key = channel.key(known.record, selection)
        if !options.isRefresh, let refusal = refusals.current(key, now: now()) { throw refusal }
        return try await fly(key, urgency: options.priority) { () async throws(RenditionError) in
            // Another flight may have ended between the caller's look and this one's start.
            if !options.isRefresh, let product = await self.find(selection, of: known.record, in: channel) {
                return product
            }
            return try await self.make(selection, of: known, in: channel, key: key, options: options)
        }
    }

    /// The one production for `key`, begun or joined.
    private func fly(
        _ key: CacheKey,
        urgency: Urgency,
        _ work: @escaping @concurrent @Sendable () async throws(RenditionError) -> Product
    ) async throws(RenditionError) -> Product {
        let joined = { @Sendable [metrics] in metrics.add(.flightsJoined) }
        return try await flights.run(key, urgency: urgency, remembering: refusals, now: now, joined: joined, work)
    }

    /// What the source's header says; read by a worker, once a version, also where it cannot be read.
    func description(of known: KnownAsset, in channel: Channel) async throws(RenditionError) -> SourceDescription {
        if let source = known.record.source { return source }
        let key = CacheKey(parts: ["probe", channel.key(known.record, .native).digest.description])
        if let refusal = refusals.current(key, now: now()) { throw refusal }
        return try await probes.run(key, remembering: refusals, now: now) { () async throws(RenditionError) in
            try await self.probe(known, in: channel)
        }
    }

    private func probe(_ known: KnownAsset, in channel: Channel) async throws(RenditionError) -> SourceDescription {
        let source = try await source(of: known, in: channel, options: FetchOptions())
        let result = try await run(RenderJob(.probe, limits: limits), source: source, priority: .live)
        guard case .probed(let description) = result.reply else { throw .render(.refused(.notAnImage)) }
        records.learn(description, of: known.record, in: channel)
        return description
    }

    private func product(_ entry: Entry) -> Product? {
        do throws(CacheError) {
            let body = try store.body(of: entry)
            return Product(metadata: entry.metadata, digest: entry.digest, body: body, means: .present, isStored: true)
        } catch {
            log(.warning, "a stored blob cannot be used and is made again", ["cause": "\(error)"])
            return nil
        }
    }

    private func make(
        _ selection: RenditionRequest.Selection,
        of known: KnownAsset,
        in channel: Channel,
        key: CacheKey,
        options: FetchOptions
    ) async throws(RenditionError) -> Product {
        switch selection {
        case .native:
            return try await fetchNative(of: known, in: channel, key: key, options: options)
        case .named(let name, let format):
            let local = selection.localTransform
            if let product = try await fetchRendition(
                name,
                format: format,
                of: known,
                in: channel,
                key: key,
                canRender: local != nil,
                options: options
            ) {
                return product
            }
            guard let local else {
                throw .renditionNotFound(channel: channel.name, asset: known.record.asset.id, rendition: name)
            }
            return try await render(local, selection, of: known, in: channel, key: key, options: options)
        case .transform(let transform):
            return try await render(transform, selection, of: known, in: channel, key: key, options: options)
        }
    }

    func inPlace(_ native: NativeFile, _ record: AssetRecord, in channel: Channel) -> Product {
        var metadata = metadata(.native, record, in: channel, maker: .origin, format: native.format)
        metadata.size = record.source?.size
        // The version of a file read in place is the digest of its bytes.
        let digest = Digest(hex: record.version) ?? Digest(of: record.version.utf8)
        return Product(metadata: metadata, digest: digest, body: .file(native.file), means: .present, isStored: true)
    }

    private func fetchNative(
        of known: KnownAsset,
        in channel: Channel,
        key: CacheKey,
        options: FetchOptions
    ) async throws(RenditionError) -> Product {
        let record = known.record
        let held = await heldNative(record, in: channel)
        var options = options
        options.entityTag = held?.metadata.originEntityTag
        let sink = try await sink()
        let body: FetchedBody
        do throws(OriginError) {
            body = try await channel.origin.fetchNative(record.asset, into: sink, options: options)
        } catch {
            throw RenditionError(error)
        }
        guard body.isNotModified, let held else {
            return try await keep(sink, body, .native, record, in: channel, key: key, priority: options.priority)
        }
        return try await keep(held, as: record, in: channel, key: key)
    }

    /// The newest native that is stored: a new version often is new words about the same bytes.
    private func heldNative(_ record: AssetRecord, in channel: Channel) async -> Product? {
        for version in channel.storedVersions(of: record.asset.id, in: store) {
            let key = channel.key(asset: record.asset.id, version: version, .native)
            if let product = await find(key), product.metadata.originEntityTag != nil { return product }
        }
        return nil
    }

    /// The origin's own rendition; nil if it has none, or if it fails to send it and we can render from a native we hold.
    private func fetchRendition(
        _ name: String,
        format: ImageFormat?,
        of known: KnownAsset,
        in channel: Channel,
        key: CacheKey,
        canRender: Bool,
        options: FetchOptions
    ) async throws(RenditionError) -> Product? {
        let asset = known.record.asset
        guard known.native == nil else { return nil }
        let sink = try await sink()
        do throws(RenditionError) {
            let body: FetchedBody?
            do throws(OriginError) {
                body = try await channel.origin.fetchRendition(
                    name,
                    format: format,
                    of: asset,
                    into: sink,
                    options: options
                )
            } catch {
                throw RenditionError(error)
            }
            guard let body else { return nil }
            return try await keep(
                sink,
                body,
                .named(name, format: format),
                known.record,
                in: channel,
                key: key,
                priority: options.priority
            )
        } catch {
            guard error != .cancelled, canRender, await find(channel.key(known.record, .native)) != nil else {
                throw error
            }
            log(.info, "a rendition is made here because the origin fails", ["asset": asset.id, "cause": "\(error)"])
            return nil
        }
    }

    private func render(
        _ transform: Transform,
        _ selection: RenditionRequest.Selection,
        of known: KnownAsset,
        in channel: Channel,
        key: CacheKey,
        options: FetchOptions
    ) async throws(RenditionError) -> Product {
        let source = try await source(of: known, in: channel, options: options)
        let job = RenderJob(.render(transform), limits: limits)
        let result = try await run(job, source: source, priority: options.priority)
        guard case .rendered(let picture) = result.reply, let output = result.output else {
            throw .render(.crashed(signal: nil, status: nil))
        }
        for note in picture.notes {
            log(.info, "a source is odd", ["channel": channel.name, "asset": known.record.asset.id, "note": note])
        }
        if let description = picture.source { records.learn(description, of: known.record, in: channel) }
        var metadata = metadata(selection, known.record, in: channel, maker: .local, format: picture.format)
        metadata.size = picture.size
        if let source = picture.source, picture.frames < source.frames {
            (metadata.keptFrames, metadata.totalFrames) = (picture.frames, source.frames)
        }
        return try await keep(output, metadata, key: key, means: .rendered)
    }

    private func source(
        of known: KnownAsset,
        in channel: Channel,
        options: FetchOptions
    ) async throws(RenditionError) -> OpenFile {
        var options = options
        options.isRefresh = false
        let native = try await form(.native, of: known, in: channel, options: options)
        return try file(of: native)
    }

    func run(
        _ job: RenderJob,
        source: OpenFile?,
        priority: Urgency
    ) async throws(RenditionError) -> RenderResult {
        do throws(RenderError) {
            return try await workers.run(job, source: source, priority: priority)
        } catch {
            throw RenditionError(error)
        }
    }
}
