/// The statements of the index, prepared once.
final class IndexStatements {
    private let database: Database
    private let begin, commit, rollback, version: Statement
    private let putEntry, removeEntry, useEntry, findEntry, allEntries, entriesSince: Statement
    private let putAsset, forgetAssets, findAsset, allAssets, assetsSince: Statement
    let warms: WarmStatements

    init(_ database: Database) throws(CacheError) {
        self.database = database
        warms = try WarmStatements(database)
        begin = try Statement(database, "BEGIN IMMEDIATE")
        commit = try Statement(database, "COMMIT")
        rollback = try Statement(database, "ROLLBACK")
        version = try Statement(database, "PRAGMA data_version")
        putEntry = try Statement(
            database,
            """
            INSERT INTO entries (key, digest, bytes, used, metadata) VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (key) DO UPDATE SET digest = ?2, bytes = ?3, used = ?4, metadata = ?5
            """
        )
        removeEntry = try Statement(database, "DELETE FROM entries WHERE key = ? AND used <= ?")
        useEntry = try Statement(database, "UPDATE entries SET used = ?2 WHERE key = ?1 AND used < ?2")
        findEntry = try Statement(database, "SELECT key, digest, bytes, used, metadata FROM entries WHERE key = ?")
        allEntries = try Statement(database, "SELECT key, digest, bytes, used, metadata FROM entries")
        entriesSince = try Statement(
            database,
            "SELECT key, digest, bytes, used, metadata FROM entries WHERE used > ? ORDER BY used"
        )
        putAsset = try Statement(
            database,
            """
            INSERT INTO assets (channel, id, changed, record) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (channel, id) DO UPDATE SET changed = ?3, record = ?4 WHERE changed < ?3
            """
        )
        findAsset = try Statement(
            database,
            "SELECT channel, id, changed, record FROM assets WHERE channel = ? AND id = ?"
        )
        forgetAssets = try Statement(database, "DELETE FROM assets WHERE changed < ?")
        allAssets = try Statement(database, "SELECT channel, id, changed, record FROM assets")
        assetsSince = try Statement(database, "SELECT channel, id, changed, record FROM assets WHERE changed > ?")
    }

    /// Changes whenever another connection has written.
    func dataVersion() throws(CacheError) -> Int {
        defer { version.reset() }
        return try version.step() ? version.integer(0) : 0
    }

    func entry(_ key: CacheKey) throws(CacheError) -> EntryTable.Row? {
        defer { findEntry.reset() }
        try findEntry.bind(1, key.digest.bytes)
        return try findEntry.step() ? Self.entryRow(findEntry) : nil
    }

    func asset(channel: String, id: String) throws(CacheError) -> AssetTable.Row? {
        defer { findAsset.reset() }
        try findAsset.bind(1, channel)
        try findAsset.bind(2, id)
        return try findAsset.step() ? Self.assetRow(findAsset) : nil
    }

    /// All rows by last use, the oldest first.
    ///
    /// Sorted here: by way of the index on `used`, SQLite would look every row up for itself.
    func entries() throws(CacheError) -> [EntryTable.Row] {
        defer { allEntries.reset() }
        var rows: [EntryTable.Row] = []
        while try allEntries.step() {
            if let row = Self.entryRow(allEntries) { rows.append(row) }
        }
        rows.sort { $0.tick < $1.tick }
        return rows
    }

    func entries(usedAfter tick: Int64, _ body: (EntryTable.Row) -> Void) throws(CacheError) {
        defer { entriesSince.reset() }
        try entriesSince.bind(1, tick)
        while try entriesSince.step() {
            if let row = Self.entryRow(entriesSince) { body(row) }
        }
    }

    /// All asset records in one scan, in no order.
    func assets(_ body: (AssetTable.Row) -> Void) throws(CacheError) {
        defer { allAssets.reset() }
        while try allAssets.step() { body(Self.assetRow(allAssets)) }
    }

    func assets(changedAfter tick: Int64, _ body: (AssetTable.Row) -> Void) throws(CacheError) {
        defer { assetsSince.reset() }
        try assetsSince.bind(1, tick)
        while try assetsSince.step() { body(Self.assetRow(assetsSince)) }
    }

    /// Makes all changes in one transaction, or none.
    func apply(_ changes: [IndexQueue.Change]) throws(CacheError) {
        try begin.run()
        do throws(CacheError) {
            for change in changes { try apply(change) }
            try commit.run()
        } catch {
            // Its own failure would hide the cause; SQLite rolls back by itself on the errors that need it.
            try? rollback.run()
            throw error
        }
    }

    /// Moves the journal into the file; another process's reader may prevent it, then the next one does it.
    func checkpoint() { try? database.execute("PRAGMA wal_checkpoint(TRUNCATE)") }

    private func apply(_ change: IndexQueue.Change) throws(CacheError) {
        switch change {
        case .put(let row):
            try putEntry.bind(1, row.key.digest.bytes)
            try putEntry.bind(2, row.digest.bytes)
            try putEntry.bind(3, Int64(row.byteCount))
            try putEntry.bind(4, row.tick)
            try putEntry.bind(5, row.metadata)
            try putEntry.run()
        case .remove(let key, let before):
            try removeEntry.bind(1, key.digest.bytes)
            try removeEntry.bind(2, before)
            try removeEntry.run()
        case .use(let key, let tick):
            try useEntry.bind(1, key.digest.bytes)
            try useEntry.bind(2, tick)
            try useEntry.run()
        case .record(let row):
            try putAsset.bind(1, row.channel)
            try putAsset.bind(2, row.id)
            try putAsset.bind(3, row.tick)
            try putAsset.bind(4, row.record)
            try putAsset.run()
        case .forgetRecords(let before):
            try forgetAssets.bind(1, before)
            try forgetAssets.run()
        case .warmRun(let run): try warms.put(run)
        case .warmed(let asset, let run): try warms.put(asset, in: run)
        case .forgetWarms(let run): try warms.forget(before: run)
        }
    }

    /// Nil for a row that no version of ours has written.
    private static func entryRow(_ statement: Statement) -> EntryTable.Row? {
        guard let key = statement.withBytes(0, Digest.init(bytes:)),
            let digest = statement.withBytes(1, Digest.init(bytes:)),
            statement.integer(2) >= 0
        else { return nil }
        return EntryTable.Row(
            key: CacheKey(digest: key),
            digest: digest,
            byteCount: statement.integer(2),
            tick: Int64(statement.integer(3)),
            metadata: statement.bytes(4)
        )
    }

    private static func assetRow(_ statement: Statement) -> AssetTable.Row {
        AssetTable.Row(
            channel: statement.text(0),
            id: statement.text(1),
            tick: Int64(statement.integer(2)),
            record: statement.bytes(3)
        )
    }
}
