/// Remembers what a warm has done, so that the next one goes on where a killed one was.
struct WarmJournal: Sendable {
    /// A run that was cut short longer ago is not gone on with: what it did says nothing about today.
    private static let resumableSeconds = 86_400.0
    private static let maxReasonCharacters = 200

    private let store: RenditionStore
    private var run: WarmRun
    /// What earlier, interrupted runs with the same plan have done: by id, what the catalogue said of it.
    private let earlier: [ExactText: String]
    /// The same of the last run that came to its end, as far as this one has not come across it.
    private var previous: [ExactText: String]
    private let wasWhole: Bool

    /// How many assets an interrupted run has done.
    var resumedCount: Int { earlier.count }

    /// The journal of a warm that begins now, or of the interrupted one that it goes on with.
    static func open(
        _ store: RenditionStore,
        channel: Channel,
        plan: String,
        now: Double
    ) async -> WarmJournal {
        let runs = await store.warmRuns(channel: channel.recordName)
        let finished = runs.first { $0.finished != 0 }
        let previous = if let finished { await done(in: finished, store) } else { [ExactText: String]() }
        let last = runs.first
        if let last, last.finished == 0, last.plan == plan, now - last.startedSeconds < resumableSeconds {
            let earlier = await done(in: last, store)
            return WarmJournal(
                store: store,
                run: last,
                earlier: earlier,
                previous: previous,
                wasWhole: finished?.isWhole ?? false
            )
        }
        // A clock that was set back would make two runs one.
        let number = max(Int64(now * 1_000_000), (last?.number ?? 0) + 1)
        let run = WarmRun(channel: channel.recordName, number: number, plan: plan)
        await store.begin(run)
        return WarmJournal(
            store: store,
            run: run,
            earlier: [:],
            previous: previous,
            wasWhole: finished?.isWhole ?? false
        )
    }

    private static func done(in run: WarmRun, _ store: RenditionStore) async -> [ExactText: String] {
        let done = await store.warmedAssets(of: run).filter { $0.outcome == .done }
        return Dictionary(done.map { (ExactText($0.id), $0.mark) }) { first, _ in first }
    }

    /// Whether an interrupted run has done the asset as it is now.
    func isDone(_ asset: Asset) -> Bool { earlier[ExactText(asset.id)] == asset.catalogueMark }

    /// Notes what became of a picture; one that is passed over stays what an earlier warm has made of it.
    mutating func note(_ asset: Asset, _ outcome: WarmedAsset.Outcome, reason: String = "") {
        let before = previous.removeValue(forKey: ExactText(asset.id))
        let outcome = outcome == .skipped && before == asset.catalogueMark ? .done : outcome
        // A reason is for people; a CMS's own words could be long.
        let reason = String(reason.prefix(Self.maxReasonCharacters))
        store.note(WarmedAsset(id: asset.id, mark: asset.catalogueMark, outcome: outcome, reason: reason), in: run)
    }

    /// Writes down that the warm has come to its end.
    ///
    /// - Parameter isWhole: whether the whole catalogue was seen.
    mutating func finish(isWhole: Bool, now: Double) async {
        run.finished = Int64(now * 1_000_000)
        run.isWhole = isWhole || wasWhole
        // What this run has not come to is as it was.
        if !isWhole {
            for (id, mark) in previous {
                store.note(WarmedAsset(id: id.text, mark: mark, outcome: .done, reason: ""), in: run)
            }
        }
        await store.finish(run)
    }
}
