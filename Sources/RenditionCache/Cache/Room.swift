/// Makes room under the limits before anything is written, by evicting the least recently used entries.
///
/// May block on the disk for as long as it takes to remove what has to leave.
final class Room: Sendable {
    private let settings: CacheSettings
    /// The limit.
    var maxBytes: Int { settings.maxBytes }
    private let disk: DiskTier
    private let table: EntryTable
    private let memory: MemoryTier
    private let queue: IndexQueue
    private let clock: UseClock
    private let metrics: Metrics

    init(
        settings: CacheSettings,
        disk: DiskTier,
        table: EntryTable,
        memory: MemoryTier,
        queue: IndexQueue,
        clock: UseClock,
        metrics: Metrics
    ) {
        self.settings = settings
        self.disk = disk
        self.table = table
        self.memory = memory
        self.queue = queue
        self.clock = clock
        self.metrics = metrics
    }

    /// What a file of `byteCount` bytes takes on disk.
    static func allocation(_ byteCount: Int) -> Int { (byteCount + 4095) / 4096 * 4096 }

    /// Reserves `bytes` of disk, or throws `noRoom` with nothing reserved.
    func reserve(_ bytes: Int) throws(CacheError) {
        while true {
            let state = try state()
            switch Eviction.verdict(wanted: bytes, in: state) {
            case .none:
                if disk.ledger.reserve(bytes, limit: settings.maxBytes) { return }
            case .bytes:
                if disk.temporaries.reap() == 0 && !evictOldest() { throw noRoom(bytes) }
            case .futile:
                if disk.temporaries.reap() == 0 { throw noRoom(bytes) }
            }
        }
    }

    /// Gives back what `reserve` gave.
    func release(_ bytes: Int) { disk.ledger.release(bytes) }

    /// Evicts until the limits hold that may have been lowered since the last run, or passed by what was found.
    func trim() {
        while disk.ledger.total > settings.maxBytes || table.count > settings.maxEntries {
            guard evictOldest() else {
                disk.trimQuarantine(keeping: 0)
                return
            }
        }
    }

    /// Lets the oldest entry go; false if there is none.
    @discardableResult
    func evictOldest() -> Bool {
        guard let row = table.removeOldest() else { return false }
        disk.release(row.digest)
        memory.forget(row.digest)
        queue.append(.remove(row.key, before: clock.tick()))
        metrics.add(.evictions)
        metrics.add(.evictedBytes, row.byteCount)
        return true
    }

    /// Evicts down to the most entries allowed.
    func holdEntryLimit() {
        while table.count > settings.maxEntries, evictOldest() {}
    }

    private func state() throws(CacheError) -> Eviction.State {
        let ledger = disk.ledger
        do throws(SystemError) {
            return Eviction.State(
                allocated: ledger.total,
                evictable: ledger.blobBytes,
                limit: settings.maxBytes,
                // What has been reserved and written already is counted twice here: on the safe side.
                free: try disk.directory.freeBytes() - ledger.allReserved,
                keepFree: settings.keepFreeBytes
            )
        } catch {
            throw .system(error, path: disk.directory.path)
        }
    }

    private func noRoom(_ bytes: Int) -> CacheError { .noRoom(bytes: bytes, limit: settings.maxBytes) }
}
