/// Makes what is missing: fetches natives and the origin's renditions, renders the rest.
final class Production: Sendable {
    let products: Products
    private let workers: RenderWorkers
    private let records: AssetRecords
    let marks: Marks
    private let limits: RenderLimits
    private let metrics: Metrics
    private let log: Log
    private let now: @Sendable () -> Double
    private let flights = Flights<CacheKey, Product>()
    private let probes = Flights<CacheKey, SourceDescription>()
    private let refusals = Refusals<CacheKey>()

    init(
        products: Products,
        workers: RenderWorkers,
        records: AssetRecords,
        limits: RenderLimits,
        metrics: Metrics,
        log: Log,
        now: @escaping @Sendable () -> Double
    ) {
        self.products = products
        self.workers = workers
        self.records = records
        marks = Marks(records: records, log: log)
        self.limits = limits
        self.metrics = metrics
        self.log = log
        self.now = now
    }

    /// A form made of the native that is held, without asking the origin; nil if there is none or it cannot be made.
    func rendered(_ selection: RenditionRequest.Selection, of record: AssetRecord, in channel: Channel) async
        -> Product?
    {
        guard let transform = selection.localTransform, await products.find(.native, of: record, in: channel) != nil
        else {
            return nil
        }
        let key = channel.keys(of: selection, record).own
        guard refusals.current(key, now: now()) == nil else { return nil }
        // Why it cannot be made has no bearing on the answer, which has a cause already.
        return try? await fly(key, urgency: .live) { () async throws(RenditionError) in
            if let product = await self.products.find(key) { return product }
            let (known, options) = (KnownAsset(record: record), FetchOptions())
            return try await self.render(transform, selection, of: known, in: channel, key: key, options: options)
        }
    }

    /// One form of a known asset: found, or made by the one flight that makes it; without its mark where that cannot be had.
    func form(
        _ selection: RenditionRequest.Selection,
        of known: KnownAsset,
        in channel: Channel,
        options: FetchOptions
    ) async throws(RenditionError) -> Product {
        if case .native = selection, let product = try await asked(known, in: channel) { return product }
        let selection = await marks.current(selection, in: channel, options: options)
        let key = channel.key(known.record, selection)
        if !options.isRefresh, let refusal = refusals.current(key, now: now()) { throw refusal }
        return try await fly(key, urgency: options.priority) { () async throws(RenditionError) in
            // Another flight may have ended between the caller's look and this one's start.
            if !options.isRefresh || selection.isMadeOfItsVersion(known),
                let product = await self.products.find(selection, of: known.record, in: channel)
            {
                return product
            }
            return try await self.make(selection, of: known, in: channel, key: key, options: options)
        }
    }

    /// The native that is open, or that has just come or been confirmed because its bytes are the version.
    private func asked(_ known: KnownAsset, in channel: Channel) async throws(RenditionError) -> Product? {
        if let native = known.native {
            var product = products.inPlace(native, known.record, in: channel)
            if known.answer == .fetched { product.means = .fetched }
            return product
        }
        guard let answer = known.answer, var product = await products.find(.native, of: known.record, in: channel)
        else { return nil }
        if answer == .fetched { product.means = .fetched }
        return product
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
            if known.answer != nil, let product = await products.find(key), product.metadata.maker == .local {
                return product
            }
            return try await render(local, selection, of: known, in: channel, key: key, options: options)
        case .transform(let transform):
            return try await render(transform, selection, of: known, in: channel, key: key, options: options)
        }
    }

    private func fetchNative(
        of known: KnownAsset,
        in channel: Channel,
        key: CacheKey,
        options: FetchOptions
    ) async throws(RenditionError) -> Product {
        let record = known.record
        let held = await products.heldNative(of: record.asset.id, in: channel)
        var options = options
        options.entityTag = held?.metadata.originEntityTag
        let sink = try await products.sink()
        let body: FetchedBody
        do throws(OriginError) {
            body = try await channel.origin.fetchNative(record.asset, into: sink, options: options)
        } catch {
            throw RenditionError(error)
        }
        guard body.isNotModified, let held else {
            return try await products.keep(
                sink,
                body,
                .native,
                record,
                in: channel,
                key: key,
                priority: options.priority
            )
        }
        return try await products.keep(held, as: record, in: channel, key: key)
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
        let sink = try await products.sink()
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
            return try await products.keep(
                sink,
                body,
                .named(name, format: format),
                known.record,
                in: channel,
                key: key,
                priority: options.priority
            )
        } catch {
            guard error != .cancelled, canRender, await products.find(channel.key(known.record, .native)) != nil else {
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
        guard let mark = transform.mark else {
            return try await render(transform, nil, selection, of: known, in: channel, key: key, options: options)
        }
        do throws(RenditionError) {
            let file = try await file(of: mark, in: channel, options: options)
            return try await render(transform, file, selection, of: known, in: channel, key: key, options: options)
        } catch {
            guard error.mayBeOfMark else { throw error }
            log(.info, "a mark is left out", ["channel": channel.name, "mark": mark.picture, "cause": "\(error)"])
            var bare = transform
            bare.mark = nil
            // Kept under the key of what it is: the picture without a mark.
            return try await form(.transform(bare), of: known, in: channel, options: options)
        }
    }

    /// A mark's picture as a file that can be handed to a worker.
    private func file(
        of mark: Transform.Mark,
        in channel: Channel,
        options: FetchOptions
    ) async throws(RenditionError) -> OpenFile {
        guard let version = mark.version, var record = records.remembered(.id(mark.picture), in: channel) else {
            throw .notCached(channel: channel.name, asset: mark.picture)
        }
        var options = options
        options.progress = nil
        options.isRefresh = false
        let isCurrent = record.version == version
        record.version = version
        if let product = await products.find(mark.selection, of: record, in: channel) {
            return try products.file(of: product)
        }
        // Only the current version can be asked for.
        guard isCurrent else { throw .notCached(channel: channel.name, asset: mark.picture) }
        let known = KnownAsset(record: record)
        return try products.file(of: try await form(mark.selection, of: known, in: channel, options: options))
    }

    private func render(
        _ transform: Transform,
        _ mark: OpenFile?,
        _ selection: RenditionRequest.Selection,
        of known: KnownAsset,
        in channel: Channel,
        key: CacheKey,
        options: FetchOptions
    ) async throws(RenditionError) -> Product {
        let source = try await source(of: known, in: channel, options: options)
        let job = RenderJob(.render(transform), limits: limits)
        let result = try await run(job, source: source, mark: mark, priority: options.priority)
        guard case .rendered(let picture) = result.reply, let output = result.output else {
            throw .render(.crashed(signal: nil, status: nil))
        }
        for note in picture.notes {
            log(.info, "a source is odd", ["channel": channel.name, "asset": known.record.asset.id, "note": note])
        }
        if let description = picture.source { records.learn(description, of: known.record, in: channel) }
        var metadata = products.metadata(selection, known.record, in: channel, maker: .local, format: picture.format)
        metadata.size = picture.size
        if let source = picture.source, picture.frames < source.frames {
            (metadata.keptFrames, metadata.totalFrames) = (picture.frames, source.frames)
        }
        return try await products.keep(output, metadata, key: key, means: .rendered)
    }

    private func source(
        of known: KnownAsset,
        in channel: Channel,
        options: FetchOptions
    ) async throws(RenditionError) -> OpenFile {
        var options = options
        options.isRefresh = false
        let native = try await form(.native, of: known, in: channel, options: options)
        return try products.file(of: native)
    }

    func run(
        _ job: RenderJob,
        source: OpenFile?,
        mark: OpenFile? = nil,
        priority: Urgency
    ) async throws(RenditionError) -> RenderResult {
        do throws(RenderError) {
            return try await workers.run(job, source: source, mark: mark, priority: priority)
        } catch {
            throw RenditionError(error)
        }
    }
}

extension RenditionError {
    /// Whether a render with a mark may have failed for the mark's sake, so that one without it is worth trying.
    fileprivate var mayBeOfMark: Bool {
        switch self {
        case .assetNotFound, .renditionNotFound, .notCached, .origin, .render(.refused), .render(.timedOut),
            .render(.crashed):
            true
        case .unknownChannel, .request, .cache, .render, .cancelled, .closed: false
        }
    }
}

extension RenditionRequest.Selection {
    /// Whether a refresh need not make it again: the version is that of the native's bytes, which have just been confirmed,
    /// and nothing else goes into a transform.
    fileprivate func isMadeOfItsVersion(_ known: KnownAsset) -> Bool {
        if case .transform = self { known.answer != nil } else { false }
    }
}
