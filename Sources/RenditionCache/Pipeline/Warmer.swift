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

    private enum Outcome: Sendable {
        case done(Asset, [WarmedForm])
        case skipped(Asset, String)
        case failed(Asset, [(form: String, error: RenditionError)], [WarmedForm])
    }

    private let service: RenditionService
    private let channel: Channel
    private let plan: WarmPlan
    private let selections: [RenditionRequest.Selection]
    private let emit: @Sendable (WarmEvent) -> Void
    private var summary = WarmSummary()
    private let bytesBefore: (fetched: Int, stored: Int)

    init(
        service: RenditionService,
        channel: Channel,
        plan: WarmPlan,
        emit: @escaping @Sendable (WarmEvent) -> Void
    ) throws(RenditionError) {
        self.service = service
        self.channel = channel
        self.plan = plan
        self.emit = emit
        do throws(RequestError) {
            selections =
                try plan.selections.isEmpty
                ? service.configuration.warmSelections(of: channel.settings) : plan.selections
        } catch {
            throw .request(error)
        }
        bytesBefore = (service.metrics[.originBytes], service.metrics[.storedBytes])
    }

    mutating func run() async throws(RenditionError) {
        let began = ContinuousClock.now
        let outcome = await withTaskGroup(of: Outcome.self) { group -> RenditionError? in
            await enumerate(into: &group)
        }
        if let outcome { throw outcome }
        summary.fetchedBytes = service.metrics[.originBytes] - bytesBefore.fetched
        summary.storedBytes = storedBytes
        summary.seconds = began.duration(to: .now).seconds
        emit(.finished(summary))
    }

    private var storedBytes: Int { service.metrics[.storedBytes] - bytesBefore.stored }

    /// Walks the pages, keeping no more than `concurrency` assets under way; items that shift between pages come once.
    ///
    /// The plan's limit counts the assets that are taken on, not what is skipped.
    private mutating func enumerate(into group: inout TaskGroup<Outcome>) async -> RenditionError? {
        var walk = CatalogueWalk(channel: channel.name)
        var (running, takenOn) = (0, 0)
        let limit = plan.limit ?? .max
        while let start = walk.cursor, takenOn < limit {
            let page: AssetPage
            let assets: [Asset]
            do throws(RenditionError) {
                page = try await service.assets(in: channel.name, at: start, limit: Self.pageSize)
                assets = try walk.take(page)
            } catch {
                group.cancelAll()
                return error
            }
            emit(.total(min(limit, page.total ?? walk.count)))
            for file in page.skipped { take(.skipped(Asset(id: file.name, name: file.name), file.reason)) }
            for asset in assets where takenOn < limit {
                if running >= max(1, plan.concurrency), let outcome = await group.next() {
                    take(outcome)
                    running -= 1
                }
                if Task.isCancelled { return .cancelled }
                if let reason = reasonToSkip(asset) {
                    take(.skipped(asset, reason))
                    continue
                }
                emit(.began(asset))
                group.addTask { [self] in await warm(asset) }
                running += 1
                takenOn += 1
            }
        }
        for await outcome in group { take(outcome) }
        return Task.isCancelled ? .cancelled : nil
    }

    private func reasonToSkip(_ asset: Asset) -> String? {
        if !asset.isDigitalAsset { return "a content item" }
        if !asset.isPicture { return "not a picture (\(asset.mediaType ?? asset.fileGroup ?? "unknown type"))" }
        if let since = plan.changedSinceSeconds, let updated = asset.updatedSeconds, updated < since {
            return "not changed since"
        }
        if let most = plan.maxBytes, storedBytes >= most { return "the byte budget is used up" }
        return nil
    }

    private func warm(_ listed: Asset) async -> Outcome {
        let known: KnownAsset
        do throws(RenditionError) {
            known = try await current(listed)
        } catch {
            return .failed(listed, [(selections.map(\.form).joined(separator: ", "), error)], [])
        }
        let asset = known.record.asset
        guard asset.isPicture else { return .skipped(asset, "not a picture (\(asset.mediaType ?? "unknown type"))") }
        var made: [WarmedForm] = []
        var failures: [(form: String, error: RenditionError)] = []
        for selection in selections where !Task.isCancelled {
            do throws(RenditionError) {
                made.append(try await form(selection, of: known))
            } catch {
                failures.append((selection.form, error))
            }
        }
        return failures.isEmpty ? .done(asset, made) : .failed(asset, failures, made)
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
        return try await service.records.ask(
            .id(listed.id),
            in: channel,
            isRefresh: plan.refresh,
            priority: .warm
        )
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

    private mutating func take(_ outcome: Outcome) {
        // What was cut short by the end of the whole warm has neither failed nor been done.
        guard !Task.isCancelled else { return }
        switch outcome {
        case .done(let asset, let made):
            summary.done += 1
            count(made)
            emit(.done(asset, made: made))
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
        default: placeholderCause?.rawValue ?? "\(self)"
        }
    }
}
