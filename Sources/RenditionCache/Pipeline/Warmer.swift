extension RenditionService {
    /// Produces a channel's renditions before demand: enumerates, fetches, renders, `concurrency` assets at a time.
    ///
    /// The stream throws what stops the whole warm (an unknown channel, a catalogue that cannot be read); what stops one
    /// asset is an event. Ending the iteration cancels the work.
    public func warm(_ plan: WarmPlan) -> AsyncThrowingStream<WarmEvent, any Error> {
        AsyncThrowingStream { events in
            let task = Task {
                do {
                    let channel = try self.channel(plan.channel)
                    var warmer = try Warmer(service: self, channel: channel, plan: plan) { events.yield($0) }
                    try await warmer.run()
                    events.finish()
                } catch {
                    events.finish(throwing: error)
                }
            }
            events.onTermination = { _ in task.cancel() }
        }
    }
}

/// One warm of one channel.
struct Warmer {
    /// Assets asked of the catalogue at a time.
    private static let pageSize = 100

    /// An asset as the catalogue lists it, and what became of it.
    private struct Taken: Sendable {
        let listed: Asset
        let outcome: Outcome
    }

    /// What the service has counted so far; a warm in a service that does other work too counts that as well.
    private struct Counts {
        let fetchedBytes, storedBytes, evicted, slowdowns, retries: Int

        init(_ metrics: Metrics) {
            fetchedBytes = metrics[.originBytes]
            storedBytes = metrics[.storedBytes]
            evicted = metrics[.evictions]
            slowdowns = metrics[.originBusy]
            retries = metrics[.originRetries]
        }
    }

    private enum Outcome: Sendable {
        case done(Asset, [WarmedForm])
        /// An interrupted run of the same plan has done it.
        case doneBefore(Asset)
        case skipped(Asset, String)
        case failed(Asset, [(form: String, error: RenditionError)], [WarmedForm])
    }

    private let service: RenditionService
    private let channel: Channel
    private let plan: WarmPlan
    private let emit: @Sendable (WarmEvent) -> Void
    private let waits: WarmWaits
    private var summary = WarmSummary()
    private var journal: WarmJournal?
    private var running = 0
    private var takenOn = 0
    private let before: Counts

    init(
        service: RenditionService,
        channel: Channel,
        plan: WarmPlan,
        emit: @escaping @Sendable (WarmEvent) -> Void
    ) throws(RenditionError) {
        self.service = service
        self.channel = channel
        var plan = plan
        do throws(RequestError) {
            if plan.selections.isEmpty, !plan.requested {
                plan.selections = try service.configuration.warmSelections(of: channel.settings)
                plan.requested = channel.settings.warm.contains(WarmSelection.requested)
            }
        } catch {
            throw .request(error)
        }
        self.plan = plan
        self.emit = emit
        waits = WarmWaits(limit: plan.patience)
        before = Counts(service.metrics)
    }

    mutating func run() async throws(RenditionError) {
        let began = ContinuousClock.now
        if !plan.dryRun {
            let identity = plan.identity
            let journal = await WarmJournal.open(service.store, channel: channel, plan: identity, now: service.now())
            if journal.resumedCount > 0 { emit(.resumed(journal.resumedCount)) }
            self.journal = journal
        }
        let outcome = await withTaskGroup(of: Taken.self) { group in await enumerate(into: &group) }
        let isWhole = try outcome.get()
        if var journal { await journal.finish(isWhole: isWhole, now: service.now()) }
        let now = Counts(service.metrics)
        summary.fetchedBytes = now.fetchedBytes - before.fetchedBytes
        summary.storedBytes = now.storedBytes - before.storedBytes
        summary.evicted = now.evicted - before.evicted
        summary.slowdowns = now.slowdowns - before.slowdowns
        summary.retries = now.retries - before.retries
        summary.seconds = began.duration(to: .now).seconds
        emit(.finished(summary))
    }

    private var storedBytes: Int { service.metrics[.storedBytes] - before.storedBytes }
    private var limit: Int { plan.limit ?? .max }

    /// Walks the pages, keeping no more than `concurrency` assets under way; items that shift between pages come once.
    ///
    /// The plan's limit counts the assets that are taken on, not what is skipped.
    ///
    /// - Returns: whether the walk has seen the whole catalogue.
    private mutating func enumerate(into group: inout TaskGroup<Taken>) async -> Result<Bool, RenditionError> {
        var walk = CatalogueWalk(channel: channel.name)
        while let cursor = walk.cursor, takenOn < limit {
            do throws(RenditionError) {
                let page = try await waits.patiently { () async throws(RenditionError) in
                    try await service.assets(
                        in: channel.name,
                        of: plan.scope,
                        at: cursor,
                        limit: Self.pageSize
                    )
                }
                let assets = try walk.take(page)
                emit(.total(min(limit, page.total ?? walk.count)))
                for file in page.skipped { take(.skipped(Asset(id: file.name, name: file.name), file.reason)) }
                for asset in assets where takenOn < limit { try await takeOn(asset, &group) }
            } catch {
                group.cancelAll()
                return .failure(error)
            }
        }
        for await taken in group { take(taken) }
        return Task.isCancelled
            ? .failure(.cancelled) : .success(walk.cursor == nil && plan.limit == nil && plan.scope == .all)
    }

    /// Begins with an asset as soon as there is room for it, unless there is nothing to do.
    private mutating func takeOn(_ asset: Asset, _ group: inout TaskGroup<Taken>) async throws(RenditionError) {
        if let reason = reasonToSkip(asset) { return take(Taken(listed: asset, outcome: .skipped(asset, reason))) }
        if let journal, journal.isDone(asset) {
            takenOn += 1
            return take(Taken(listed: asset, outcome: .doneBefore(asset)))
        }
        if running >= max(1, plan.concurrency), let taken = await group.next() {
            take(taken)
            running -= 1
        }
        if Task.isCancelled { throw .cancelled }
        // What has just come to its end may have used it up.
        if let most = plan.maxBytes, storedBytes >= most {
            return take(Taken(listed: asset, outcome: .skipped(asset, "the byte budget is used up")))
        }
        if let error = waits.hopeless { throw error }
        takenOn += 1
        emit(.began(asset))
        group.addTask { [self] in Taken(listed: asset, outcome: await warm(asset)) }
        running += 1
    }

    private func reasonToSkip(_ asset: Asset) -> String? {
        if !asset.isDigitalAsset { return "a content item" }
        if !asset.isPicture { return "not a picture (\(asset.mediaType ?? asset.fileGroup ?? "unknown type"))" }
        if let since = plan.changedSinceSeconds, let updated = asset.updatedSeconds, updated < since {
            return "not changed since"
        }
        return nil
    }

    private func warm(_ listed: Asset) async -> Outcome {
        let known: KnownAsset
        do throws(RenditionError) {
            known = try await waits.patiently { () async throws(RenditionError) in try await current(listed) }
        } catch {
            let forms = selections(for: listed).map { (try? $0.get())?.form ?? WarmSelection.requested }
            return .failed(listed, [(forms.joined(separator: ", "), error)], [])
        }
        let asset = known.record.asset
        guard asset.isPicture else { return .skipped(asset, "not a picture (\(asset.mediaType ?? "unknown type"))") }
        var made: [WarmedForm] = []
        var failures: [(form: String, error: RenditionError)] = []
        for selection in selections(for: listed) where !Task.isCancelled {
            do throws(RenditionError) {
                let selection = try selection.get()
                made.append(
                    try await waits.patiently { () async throws(RenditionError) in try await form(selection, of: known)
                    }
                )
            } catch {
                failures.append(((try? selection.get())?.form ?? WarmSelection.requested, error))
            }
        }
        return failures.isEmpty ? .done(asset, made) : .failed(asset, failures, made)
    }

    /// What is to be made of an asset: the plan's forms, and those that content asks for, each once.
    private func selections(for listed: Asset) -> [Result<RenditionRequest.Selection, RenditionError>] {
        var selections = plan.selections
        var refused: [RenditionError] = []
        if plan.requested {
            let queries = listed.requested ?? []
            if queries.isEmpty { selections.append(.native) }
            for query in queries {
                do throws(RequestError) {
                    let transform = try channel.settings.dialect.transform(query: query)
                    selections += WarmSelection.concrete(.transform(transform))
                } catch {
                    refused.append(.request(error))
                }
            }
        }
        var seen: Set<RenditionRequest.Selection> = []
        return selections.filter { seen.insert($0).inserted }.map(Result.success) + refused.map(Result.failure)
    }

    private func current(_ listed: Asset) async throws(RenditionError) -> KnownAsset {
        if !plan.refresh {
            if let learned = service.records.learn(listed, in: channel) { return learned }
            if let known = await service.records.find(.id(listed.id), in: channel),
                service.records.verdict(known, in: channel) == .fresh
            {
                return known
            }
        }
        // Where the bytes are the version, finding it out is fetching them.
        if plan.dryRun, listed.version == nil, listed.path == nil {
            return await service.records.find(.id(listed.id), in: channel) ?? KnownAsset(unfetched: listed)
        }
        let options = FetchOptions(priority: .warm, isRefresh: plan.refresh)
        guard listed.version == nil, listed.path == nil, channel.origin.listsEverything else {
            return try await service.records.ask(.id(listed.id), in: channel, options: options)
        }
        return try await service.records.ask(listed: listed, in: channel, options: options)
    }

    private func form(
        _ selection: RenditionRequest.Selection,
        of known: KnownAsset
    ) async throws(RenditionError) -> WarmedForm {
        if plan.dryRun {
            let found = await service.store.findEntry(for: channel.key(known.record, selection))
            let isPresent = found != nil || (known.native != nil && selection == .native)
            let bytes = found?.byteCount ?? known.native?.file.byteCount ?? 0
            return WarmedForm(
                form: selection.form,
                means: isPresent ? .present : .missing,
                byteCount: isPresent ? bytes : 0
            )
        }
        let options = FetchOptions(priority: .warm, isRefresh: plan.refresh)
        let product = try await service.production.form(selection, of: known, in: channel, options: options)
        guard product.isStored else {
            throw .cache(.noRoom(bytes: product.body.count, limit: service.configuration.cache.maxBytes))
        }
        return WarmedForm(form: selection.form, means: product.means, byteCount: product.body.count)
    }

    private mutating func take(_ taken: Taken) {
        // What was cut short by the end of the whole warm has neither failed nor been done.
        guard !Task.isCancelled else { return }
        take(taken.outcome)
        switch taken.outcome {
        case .done: journal?.note(taken.listed, .done)
        case .failed(_, let failures, _):
            journal?.note(taken.listed, .failed, reason: failures.first?.error.warmReason ?? "")
        case .skipped(let asset, let reason):
            if asset.isPicture { journal?.note(taken.listed, .skipped, reason: reason) }
        case .doneBefore: journal?.note(taken.listed, .done)
        }
    }

    private mutating func take(_ outcome: Outcome) {
        switch outcome {
        case .done(let asset, let made):
            summary.done += 1
            count(made)
            emit(.done(asset, made: made))
        case .doneBefore(let asset):
            summary.done += 1
            summary.resumed += 1
            emit(.done(asset, made: []))
        case .skipped(let asset, let reason):
            summary.skipped[reason, default: 0] += 1
            emit(.skipped(asset, reason: reason))
        case .failed(let asset, let failures, let made):
            count(made)
            if let first = failures.first { summary.failed[first.error.warmReason, default: 0] += 1 }
            for failure in failures { emit(.failed(asset, form: failure.form, reason: "\(failure.error)")) }
        }
    }

    private mutating func count(_ made: [WarmedForm]) {
        summary.fetched += made.count { $0.means == .fetched }
        summary.rendered += made.count { $0.means == .rendered }
        summary.present += made.count { $0.means == .present }
    }
}

extension RenditionError {
    /// What a summary counts the failure under: the same words for every asset that it happens to.
    fileprivate var warmReason: String {
        switch self {
        case .assetNotFound: PlaceholderCause.notFound.rawValue
        case .renditionNotFound(_, _, let rendition): "no rendition \(quoted(rendition))"
        case .cache(.noRoom): "no room in the cache"
        case .cache: "the cache cannot be used"
        case .render(.refused(.impossible)): "the crop leaves nothing"
        default: placeholderCause?.rawValue ?? "\(self)"
        }
    }
}

extension KnownAsset {
    /// A listed asset of which there is nothing yet.
    fileprivate init(unfetched asset: Asset) {
        self.init(record: AssetRecord(asset: asset, version: "", checkedSeconds: 0, lifetimeSeconds: 0))
    }
}
