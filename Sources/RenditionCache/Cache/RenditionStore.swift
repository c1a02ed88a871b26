import Synchronization

/// Memory before disk; the only way in or out of the cache.
///
/// What has to be said of an entry is answered from memory and never blocks; bodies and writing block on the disk and
/// run on the store's own threads, except `body(of:)`, whose caller chooses the thread.
final class RenditionStore: Sendable {
    let settings: CacheSettings
    let disk: DiskTier
    let table: EntryTable
    let assets: AssetTable
    let memory: MemoryTier
    let queue: IndexQueue
    let room: Room
    let index: Index
    let clock: UseClock
    let metrics: Metrics
    let log: Log
    /// Where the disk may block.
    let pool: BlockingPool
    private let isClosed = Atomic(false)
    private let background = Mutex<[Task<Void, Never>]>([])

    private init(_ settings: CacheSettings, disk: DiskTier, metrics: Metrics, log: Log, now: @escaping Now) {
        self.settings = settings
        self.disk = disk
        self.metrics = metrics
        self.log = log
        pool = BlockingPool(threads: 4)
        clock = UseClock(now: now)
        table = EntryTable(clock: clock)
        assets = AssetTable(maxRecords: Self.maxRecords(settings))
        memory = MemoryTier(maxBytes: settings.memoryBytes)
        queue = IndexQueue()
        room = Room(
            settings: settings,
            disk: disk,
            table: table,
            memory: memory,
            queue: queue,
            clock: clock,
            metrics: metrics
        )
        index = Index(disk: disk, room: room, queue: queue, log: log)
    }

    deinit { background.withLock { $0.forEach { $0.cancel() } } }

    /// The time in seconds since 1970.
    typealias Now = @Sendable () -> Double

    /// Opens the directory, making it if there is none, and loads its index.
    ///
    /// Waits up to 30 s for another process that is just opening it. Throws `foreignDirectory` and `newerIndex` before
    /// an entry or a blob is touched.
    static func open(
        _ settings: CacheSettings,
        metrics: Metrics,
        log: Log,
        now: @escaping Now = SystemClock.seconds
    ) async throws(CacheError) -> RenditionStore {
        let disk = try await BlockingPool(threads: 1).run { () throws(CacheError) in
            try openDisk(settings)
        }
        let store = RenditionStore(settings, disk: disk, metrics: metrics, log: log, now: now)
        defer { disk.ledger.endOpening() }
        try await store.recover()
        store.keepUp()
        return store
    }

    private static func openDisk(_ settings: CacheSettings) throws(CacheError) -> DiskTier {
        let directory = try CacheDirectory(path: settings.directory)
        let ledger: Ledger
        let fixedBytes: Int
        do throws(SystemError) {
            ledger = try Ledger(in: directory.root)
            fixedBytes = try directory.fixedBytes()
        } catch {
            throw .system(error, path: directory.path)
        }
        let disk = try DiskTier(
            directory: directory,
            ledger: ledger,
            maxQuarantineBytes: settings.maxBytes / 16
        )
        ledger.begin(fixedBytes: fixedBytes) { disk.temporaries.remove(of: $0) }
        if ledger.wasAlone { disk.temporaries.remove(of: nil) }
        return disk
    }

    // MARK: Looking up

    /// The entry of a key, from memory alone; notes the use.
    ///
    /// Never blocks.
    func entry(for key: CacheKey) -> Entry? { table.use(key) }

    /// The entry of a key, also if another process has stored it a moment ago.
    func findEntry(for key: CacheKey) async -> Entry? {
        if let entry = table.use(key) { return entry }
        guard let row = await index.find(key) else { return nil }
        // Look again: it may have come, or gone and be about to leave the index, in the meantime.
        if let entry = table.use(key) { return entry }
        guard await pool.run({ self.disk.exists(row.digest) }) else { return nil }
        insert(row)
        return table.use(key)
    }

    /// The entries of an asset, in no order, from memory alone.
    func entries(channel: String, asset: String) -> [Entry] { table.entries(channel: channel, asset: asset) }

    /// The record of an asset, from memory alone.
    ///
    /// Never blocks.
    func assetRecord(channel: String, id: String) -> AssetRecord? { assets.record(channel: channel, id: id) }

    /// The record of an asset, also if another process has put it a moment ago.
    func findAssetRecord(channel: String, id: String) async -> AssetRecord? {
        if let record = assets.record(channel: channel, id: id) { return record }
        if let row = await index.findRecord(channel: channel, id: id) { assets.merge(row) }
        return assets.record(channel: channel, id: id)
    }

    /// Sets the record of an asset; on disk within a second.
    func put(_ record: AssetRecord, channel: String) {
        if let row = assets.put(record, channel: channel, tick: clock.tick()) { queue.append(.record(row)) }
        trimRecords()
    }

    /// Forgets the oldest records once there are too many; their assets are asked for again.
    func trimRecords() {
        if let tick = assets.trim() { queue.append(.forgetRecords(before: tick)) }
    }

    /// As many as there may be entries, and no more than fill an eighth of the cache, at half a kilobyte a record.
    private static func maxRecords(_ settings: CacheSettings) -> Int {
        max(1000, min(settings.maxEntries, settings.maxBytes / 4096))
    }

    // MARK: Storing

    /// A writer for one body; what is not committed vanishes with it.
    func writer() throws(CacheError) -> BlobWriter {
        try checkOpen()
        return try BlobWriter(disk: disk, room: room)
    }

    /// Makes what was written the entry of `key`; visible at once, on disk for good within a second.
    func commit(
        _ writer: BlobWriter,
        as key: CacheKey,
        _ metadata: EntryMetadata
    ) async throws(CacheError) -> Entry {
        try await pool.run { () throws(CacheError) in try self.commitNow(writer, key, metadata) }
    }

    /// Stores a copy of a file, for instance a render worker's memory file, as the entry of `key`.
    func store(
        _ file: OpenFile,
        as key: CacheKey,
        _ metadata: EntryMetadata
    ) async throws(CacheError) -> Entry {
        try await pool.run { () throws(CacheError) in
            let writer = try self.writer()
            try writer.expect(byteCount: file.byteCount)
            let piece = MemoryTier.largestBody
            var bytes: [UInt8] = []
            for offset in stride(from: 0, to: file.byteCount, by: piece) {
                bytes = try self.read(file, from: offset, count: min(piece, file.byteCount - offset))
                try writer.append(bytes)
            }
            let entry = try self.commitNow(writer, key, metadata)
            if file.byteCount <= piece { self.memory.keep(bytes, as: entry.digest) }
            return entry
        }
    }

    /// Forgets an entry; when this returns, no start will bring it back.
    func remove(_ key: CacheKey) async {
        let row = await pool.run { () -> EntryTable.Row? in
            guard let row = self.table.remove(key) else { return nil }
            self.disk.release(row.digest)
            self.memory.forget(row.digest)
            return row
        }
        queue.append(.remove(row?.key ?? key, before: clock.tick()))
        await index.flush()
    }

    private func commitNow(
        _ writer: BlobWriter,
        _ key: CacheKey,
        _ metadata: EntryMetadata
    ) throws(CacheError) -> Entry {
        try checkOpen()
        guard metadata.maker != .placeholder else { throw .placeholder }
        let encoded = MetadataCoding.encode(metadata)
        let sealed = try writer.seal(as: key, metadata: encoded)
        do throws(SystemError) {
            _ = try disk.arrive(sealed.name, as: sealed.digest, byteCount: sealed.byteCount, reserved: sealed.reserved)
        } catch {
            disk.temporaries.discard(sealed.name, reserved: sealed.reserved)
            throw .system(error, path: "blobs/\(sealed.digest)")
        }
        let row = EntryTable.Row(
            key: key,
            digest: sealed.digest,
            byteCount: sealed.byteCount,
            tick: clock.tick(),
            metadata: encoded
        )
        if let old = table.insert(row) { disk.release(old.digest) }
        queue.append(.put(row))
        room.holdEntryLimit()
        metrics.add(.stored)
        metrics.add(.storedBytes, sealed.byteCount)
        return Entry(key: key, digest: sealed.digest, byteCount: sealed.byteCount, metadata: metadata)
    }

    /// Takes up a row whose blob is on disk.
    func insert(_ row: EntryTable.Row) {
        disk.retain(row.digest)
        if let old = table.insert(row) { disk.release(old.digest) }
        clock.advance(past: row.tick)
    }

    private func read(_ file: OpenFile, from offset: Int, count: Int) throws(CacheError) -> [UInt8] {
        do throws(SystemError) { return try file.read(from: offset, count: count) } catch {
            throw .system(error, path: "memory file")
        }
    }

    private func checkOpen() throws(CacheError) {
        if isClosed.load(ordering: .relaxed) { throw .closed }
    }

    // MARK: Keeping up

    /// Writes behind four times a second; every five seconds notes uses and takes up what other processes did.
    private func keepUp() {
        let task = Task { [weak self] in
            for round in 1... {
                // Fails only when cancelled, which ends the loop.
                guard (try? await Task.sleep(for: .milliseconds(250))) != nil, let self else { return }
                if round % 20 == 0 { await tidy() }
                if !queue.isEmpty { await index.flush() }
            }
        }
        background.withLock { $0.append(task) }
    }

    /// Starts work that ends with the store.
    func inBackground(_ work: @escaping @Sendable (RenditionStore) -> Void) {
        let pool = pool
        let task = Task { [weak self] in
            await pool.run { [weak self] in
                if let self { work(self) }
            }
        }
        background.withLock { $0.append(task) }
    }

    /// Whether work in the background has to end.
    var isEnding: Bool { isClosed.load(ordering: .relaxed) }

    /// What is done every few seconds.
    func tidy() async {
        noteUses(limit: 10_000)
        await index.flush()
        await index.changesOfOthers(
            entry: { row in if self.table.merge(row) { self.insert(row) } },
            asset: { self.assets.merge($0) }
        )
        trimRecords()
        await pool.run {
            self.disk.temporaries.reap()
            self.disk.ledger.reclaimDead { self.disk.temporaries.remove(of: $0) }
        }
    }

    /// Ends what runs by itself; nothing is written behind any more.
    func endBackground() async {
        let tasks = background.withLock { $0 }
        tasks.forEach { $0.cancel() }
        for task in tasks { await task.value }
    }

    private func noteUses(limit: Int) {
        for use in table.takeTouched(limit: limit) { queue.append(.use(use.key, use.tick)) }
    }

    /// Writes everything down and closes the directory; bodies that were handed out stay readable.
    func close() async {
        guard !isClosed.exchange(true, ordering: .relaxed) else { return }
        await endBackground()
        noteUses(limit: .max)
        await index.close()
        await pool.run {
            self.disk.temporaries.reap()
            self.disk.ledger.close(isIndexed: self.queue.hasAll)
        }
    }
}
