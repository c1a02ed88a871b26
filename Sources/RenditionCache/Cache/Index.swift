import Glibc

/// The SQLite side of the cache, on a thread of its own: loaded at start, then only written behind.
actor Index {
    private let executor = ThreadExecutor()
    private let disk: DiskTier
    private let room: Room
    private let queue: IndexQueue
    private let log: Log
    private var statements: IndexStatements?
    private var isFailing = false
    /// The last change of another connection that has been merged, by `PRAGMA data_version`.
    private var seenVersion = 0
    private var mergedTick: Int64 = 0

    /// Changes a transaction; fewer where the limit is small, so that the journal does not displace what it is about.
    private var batch: Int { min(256, max(16, room.maxBytes / 65_536)) }
    /// How far a merge looks back: another process writes its uses late.
    private static let mergeOverlap: Int64 = 60_000_000

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(disk: DiskTier, room: Room, queue: IndexQueue, log: Log) {
        self.disk = disk
        self.room = room
        self.queue = queue
        self.log = log
    }

    /// Opens the file; says whether it was empty or missing.
    func open() throws(CacheError) -> Bool {
        let database = try Database(path: disk.directory.path + "/" + CacheDirectory.index)
        let isNew = try IndexSchema.prepare(database, maxBytes: room.maxBytes)
        statements = try IndexStatements(database)
        measure()
        return isNew
    }

    /// Hands every row out, entries by last use, the oldest first.
    func load(entry: (EntryTable.Row) -> Void, asset: (AssetTable.Row) -> Void) throws(CacheError) {
        guard let statements else { return }
        seenVersion = try statements.dataVersion()
        let rows = try statements.entries()
        mergedTick = rows.last?.tick ?? 0
        rows.forEach(entry)
        try statements.assets(asset)
    }

    /// Closes a file that cannot be read and moves it out of the way.
    func putAside() throws(CacheError) {
        statements = nil
        let root = disk.directory.root
        do throws(SystemError) {
            for suffix in ["-wal", "-shm"] { try root.remove(CacheDirectory.index + suffix) }
            try root.move(CacheDirectory.index, to: disk.directory.quarantine, as: DiskTier.damagedIndex)
        } catch {
            throw .system(error, path: CacheDirectory.index)
        }
        disk.trimQuarantine()
    }

    /// The row of a key, which another process may have written.
    func find(_ key: CacheKey) -> EntryTable.Row? {
        // An index that cannot be read makes a miss, as an empty one would; `flush` reports it.
        (try? statements?.entry(key)).flatMap { $0 }
    }

    /// The record of an asset, which another process may have written.
    func findRecord(channel: String, id: String) -> AssetTable.Row? {
        (try? statements?.asset(channel: channel, id: id)).flatMap { $0 }
    }

    /// The runs of the warm journal; what is queued is not among them.
    func warmRuns(channel: String) -> [WarmRun] {
        // A journal that cannot be read is none: the warm then looks into the cache; `flush` reports the index.
        (try? statements?.warms.runs(channel: channel)) ?? []
    }

    /// What became of the assets of a run.
    func warmedAssets(of run: WarmRun) -> [WarmedAsset] {
        // As above.
        (try? statements?.warms.assets(of: run)) ?? []
    }

    /// Writes what is queued, in batches; what cannot be written stays queued and is logged once.
    func flush() {
        guard let statements else { return }
        for _ in 0..<1000 where !queue.isEmpty {
            let changes = queue.take(batch)
            do throws(CacheError) {
                try write(changes, statements)
                isFailing = false
            } catch {
                queue.putBack(changes)
                if !isFailing { log(.error, "the index cannot be written", ["cause": "\(error)"]) }
                isFailing = true
                return
            }
        }
    }

    /// Hands out what other processes have written since the last time.
    func changesOfOthers(entry: (EntryTable.Row) -> Void, asset: (AssetTable.Row) -> Void) {
        // What cannot be read now is read the next time.
        guard let statements, let version = try? statements.dataVersion(), version != seenVersion else { return }
        do throws(CacheError) {
            let since = mergedTick - Self.mergeOverlap
            try statements.entries(usedAfter: since) { row in
                mergedTick = max(mergedTick, row.tick)
                entry(row)
            }
            try statements.assets(changedAfter: since, asset)
            seenVersion = version
        } catch {
            log(.warning, "the index cannot be read", ["cause": "\(error)"])
        }
    }

    /// Empties the journal and closes the file.
    func close() {
        flush()
        statements?.checkpoint()
        statements = nil
        measure()
    }

    private func write(_ changes: [IndexQueue.Change], _ statements: IndexStatements) throws(CacheError) {
        let growth = growthBound(changes)
        // Where there is no room even so, the rows are written all the same: the limit has to leave room for the index.
        let isReserved = (try? room.reserve(growth)) != nil
        defer {
            measure()
            if isReserved { room.release(growth) }
        }
        do throws(SystemError) {
            // A blob is durable before its row is; one sync a directory serves the whole batch.
            try disk.sync()
        } catch {
            throw .system(error, path: "blobs")
        }
        try statements.apply(changes)
    }

    /// The most that a batch can add to the files: the pages it dirties, in the journal, and those it adds, in the file.
    private func growthBound(_ changes: [IndexQueue.Change]) -> Int {
        let root = disk.directory.root
        // Unknown sizes count as none: the bound is then that of a new file.
        let file = ((try? root.facts(CacheDirectory.index)).flatMap { $0 })?.allocated ?? 0
        let journal = ((try? root.facts(CacheDirectory.index + "-wal")).flatMap { $0 })?.allocated ?? 0
        // Pages are at least half full, and every row is in two trees.
        let added = 8 + changes.reduce(0) { $0 + $1.byteCount } * 3 / 4096
        let dirty = min(changes.count * 6, file / 4096) + added
        return dirty * 4120 + added * 4096 + journal + 8 * 4096
    }

    private func measure() {
        // A size that cannot be read stays as it was.
        if let bytes = try? disk.directory.indexBytes() { disk.ledger.setIndex(bytes) }
    }
}
