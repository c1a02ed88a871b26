/// The statements of the warm journal, prepared once.
final class WarmStatements {
    private let putRun, allRuns, putAsset, allAssets: Statement
    private let forgetRuns, forgetAssets: Statement

    init(_ database: Database) throws(CacheError) {
        putRun = try Statement(
            database,
            """
            INSERT INTO warms (channel, run, plan, finished, whole) VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (channel, run) DO UPDATE SET finished = ?4, whole = ?5
            """
        )
        allRuns = try Statement(
            database,
            "SELECT run, plan, finished, whole FROM warms WHERE channel = ? ORDER BY run DESC"
        )
        putAsset = try Statement(
            database,
            """
            INSERT INTO warmed (channel, run, id, mark, outcome, reason) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT (channel, run, id) DO UPDATE SET mark = ?4, outcome = ?5, reason = ?6
            """
        )
        allAssets = try Statement(
            database,
            "SELECT id, mark, outcome, reason FROM warmed WHERE channel = ? AND run = ?"
        )
        forgetRuns = try Statement(database, "DELETE FROM warms WHERE channel = ? AND run < ?")
        forgetAssets = try Statement(database, "DELETE FROM warmed WHERE channel = ? AND run < ?")
    }

    /// The runs of a channel, the newest first.
    func runs(channel: String) throws(CacheError) -> [WarmRun] {
        defer { allRuns.reset() }
        try allRuns.bind(1, channel)
        var runs: [WarmRun] = []
        while try allRuns.step() {
            runs.append(
                WarmRun(
                    channel: channel,
                    number: Int64(allRuns.integer(0)),
                    plan: allRuns.text(1),
                    finished: Int64(allRuns.integer(2)),
                    isWhole: allRuns.integer(3) != 0
                )
            )
        }
        return runs
    }

    /// What became of each asset of a run, in no order.
    func assets(of run: WarmRun) throws(CacheError) -> [WarmedAsset] {
        defer { allAssets.reset() }
        try allAssets.bind(1, run.channel)
        try allAssets.bind(2, run.number)
        var assets: [WarmedAsset] = []
        while try allAssets.step() {
            guard let outcome = WarmedAsset.Outcome(rawValue: allAssets.integer(2)) else { continue }
            assets.append(
                WarmedAsset(
                    id: allAssets.text(0),
                    mark: allAssets.text(1),
                    outcome: outcome,
                    reason: allAssets.text(3)
                )
            )
        }
        return assets
    }

    func put(_ run: WarmRun) throws(CacheError) {
        try putRun.bind(1, run.channel)
        try putRun.bind(2, run.number)
        try putRun.bind(3, run.plan)
        try putRun.bind(4, run.finished)
        try putRun.bind(5, run.isWhole ? 1 : 0)
        try putRun.run()
    }

    func put(_ asset: WarmedAsset, in run: WarmRun) throws(CacheError) {
        try putAsset.bind(1, run.channel)
        try putAsset.bind(2, run.number)
        try putAsset.bind(3, asset.id)
        try putAsset.bind(4, asset.mark)
        try putAsset.bind(5, Int64(asset.outcome.rawValue))
        try putAsset.bind(6, asset.reason)
        try putAsset.run()
    }

    /// Forgets a channel's runs before one.
    func forget(before run: WarmRun) throws(CacheError) {
        for statement in [forgetAssets, forgetRuns] {
            try statement.bind(1, run.channel)
            try statement.bind(2, run.number)
            try statement.run()
        }
    }
}
