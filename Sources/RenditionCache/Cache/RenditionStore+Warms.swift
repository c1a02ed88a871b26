/// The warm journal: kept in the index, so that what it says is done is in the cache, and counted with it.
extension RenditionStore {
    /// The runs of a channel that are known, the newest first; none where the index cannot be read.
    func warmRuns(channel: String) async -> [WarmRun] { await index.warmRuns(channel: channel) }

    /// What became of each asset of a run.
    func warmedAssets(of run: WarmRun) async -> [WarmedAsset] { await index.warmedAssets(of: run) }

    /// Writes down at once that a run has begun.
    func begin(_ run: WarmRun) async {
        queue.append(.warmRun(run))
        await index.flush()
    }

    /// Notes what became of an asset; on disk within a second, never before what was made of it.
    func note(_ asset: WarmedAsset, in run: WarmRun) { queue.append(.warmed(asset, run)) }

    /// Writes down at once that a run has come to its end, and forgets those before it.
    func finish(_ run: WarmRun) async {
        queue.append(.warmRun(run))
        queue.append(.forgetWarms(before: run))
        await index.flush()
    }
}
