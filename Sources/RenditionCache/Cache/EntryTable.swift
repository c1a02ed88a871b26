import Synchronization

/// What is in the cache, in memory: key → digest, size, metadata, last use.
///
/// Never suspends, never touches the disk.
///
/// Sharded by key. Every shard has a list by last use; ticks are drawn under the shard's lock, so the oldest of the
/// shards' oldest is the least recently used entry of all.
final class EntryTable: Sendable {
    /// An entry as the table and the index hold it.
    struct Row: Sendable, Equatable {
        var key: CacheKey
        var digest: Digest
        var byteCount: Int
        /// When it was last used, by `UseClock`.
        var tick: Int64
        /// By `MetadataCoding`.
        var metadata: [UInt8]

        /// The entry, or nil if its metadata is of another version.
        var entry: Entry? {
            MetadataCoding.decode(metadata).map {
                Entry(key: key, digest: digest, byteCount: byteCount, metadata: $0)
            }
        }
    }

    private struct Stored: Sendable {
        var digest: Digest
        var byteCount: Int
        var metadata: [UInt8]
        /// The next entry of the same asset in this shard.
        var nextOfAsset: UInt32
        /// Whether its last use has to be written to the index.
        var isTouched: Bool
    }

    private struct Shard: Sendable {
        var entries: RecencyTable<Stored>
        var assets: [UInt32: UInt32] = [:]
        var touched: [UInt32] = []
    }

    private static let shardCount = 16
    private static let none = UInt32.max
    private let shards: [Shared]
    let clock: UseClock

    /// A mutex has an address, so an array cannot hold it; a box can.
    private final class Shared: Sendable {
        let shard: Mutex<Shard>

        init() {
            let vacant = Stored(
                digest: Digest.zero,
                byteCount: 0,
                metadata: [],
                nextOfAsset: none,
                isTouched: false
            )
            shard = Mutex(Shard(entries: RecencyTable(vacant: vacant)))
        }
    }

    /// An empty table.
    init(clock: UseClock) {
        self.clock = clock
        shards = (0..<Self.shardCount).map { _ in Shared() }
    }

    /// How many entries there are.
    var count: Int { shards.reduce(0) { $0 + $1.shard.withLock { $0.entries.count } } }

    /// The entry of a key, and notes its use.
    func use(_ key: CacheKey) -> Entry? {
        let row: Row? = withShard(of: key) { shard in
            guard let slot = shard.entries.find(key.digest) else { return nil }
            shard.entries.touch(slot, tick: clock.tick())
            if !shard.entries[slot].isTouched {
                shard.entries[slot].isTouched = true
                shard.touched.append(slot)
            }
            return Self.row(at: slot, in: shard)
        }
        return row?.entry
    }

    /// Whether there is an entry of a key; no use.
    func contains(_ key: CacheKey) -> Bool { withShard(of: key) { $0.entries.find(key.digest) != nil } }

    /// Adds an entry or replaces the one of its key; returns what was replaced.
    @discardableResult
    func insert(_ row: Row) -> Row? {
        withShard(of: row.key) { shard in
            let old = shard.entries.find(row.key.digest).map { Self.remove($0, from: &shard) }
            let tag = MetadataCoding.assetTag(row.metadata)
            let stored = Stored(
                digest: row.digest,
                byteCount: row.byteCount,
                metadata: row.metadata,
                nextOfAsset: shard.assets[tag] ?? Self.none,
                isTouched: false
            )
            shard.assets[tag] = shard.entries.insert(row.key.digest, stored, tick: row.tick)
            return old
        }
    }

    /// Takes an entry out; with `digest`, only if it still has that one.
    func remove(_ key: CacheKey, digest: Digest? = nil) -> Row? {
        withShard(of: key) { shard in
            guard let slot = shard.entries.find(key.digest),
                digest == nil || shard.entries[slot].digest == digest
            else { return nil }
            return Self.remove(slot, from: &shard)
        }
    }

    /// Takes the least recently used entry out.
    func removeOldest() -> Row? {
        while true {
            var oldest: (shard: Int, tick: Int64)?
            for (index, shared) in shards.enumerated() {
                let tick = shared.shard.withLock { shard in shard.entries.oldest.map { shard.entries.tick(at: $0) } }
                if let tick, tick < oldest?.tick ?? .max { oldest = (index, tick) }
            }
            guard let oldest else { return nil }
            let row: Row? = shards[oldest.shard].shard.withLock { shard in
                // If it has been used or removed since, look again.
                guard let slot = shard.entries.oldest, shard.entries.tick(at: slot) == oldest.tick else { return nil }
                return Self.remove(slot, from: &shard)
            }
            if let row { return row }
        }
    }

    /// Takes up what another process has done: a new entry, or a later use of a known one.
    ///
    /// Returns whether the entry is new.
    func merge(_ row: Row) -> Bool {
        let isKnown = withShard(of: row.key) { shard in
            guard let slot = shard.entries.find(row.key.digest), shard.entries[slot].digest == row.digest else {
                return false
            }
            shard.entries.touch(slot, tick: row.tick)
            return true
        }
        return !isKnown
    }

    /// The entries of an asset, in no order.
    func entries(channel: String, asset: String) -> [Entry] {
        let tag = MetadataCoding.assetTag(channel: channel.utf8, asset: asset.utf8)
        return shards.flatMap { shared in
            shared.shard.withLock { shard in
                var rows: [Row] = []
                var next = shard.assets[tag] ?? Self.none
                while next != Self.none {
                    rows.append(Self.row(at: next, in: shard))
                    next = shard.entries[next].nextOfAsset
                }
                return rows
            }
        }.compactMap(\.entry).filter { $0.metadata.channel == channel && $0.metadata.asset == asset }
    }

    /// Calls `body` with every entry, shard by shard.
    func forEach(_ body: (Row) -> Void) {
        for shared in shards {
            let rows: [Row] = shared.shard.withLock { shard in
                var rows: [Row] = []
                rows.reserveCapacity(shard.entries.count)
                var slot = shard.entries.oldest
                while let current = slot {
                    rows.append(Self.row(at: current, in: shard))
                    slot = shard.entries.newer(than: current)
                }
                return rows
            }
            rows.forEach(body)
        }
    }

    /// Takes up to `limit` uses that the index does not know yet.
    func takeTouched(limit: Int) -> [(key: CacheKey, tick: Int64)] {
        var uses: [(key: CacheKey, tick: Int64)] = []
        for shared in shards {
            shared.shard.withLock { shard in
                while uses.count < limit, let slot = shard.touched.popLast() {
                    guard shard.entries[slot].isTouched else { continue }
                    shard.entries[slot].isTouched = false
                    uses.append((CacheKey(digest: shard.entries.digest(at: slot)), shard.entries.tick(at: slot)))
                }
            }
        }
        return uses
    }

    private func withShard<T: Sendable>(of key: CacheKey, _ body: (inout sending Shard) -> sending T) -> T {
        shards[Int(truncatingIfNeeded: key.digest.words.0) & (Self.shardCount - 1)].shard.withLock(body)
    }

    private static func row(at slot: UInt32, in shard: Shard) -> Row {
        let stored = shard.entries[slot]
        return Row(
            key: CacheKey(digest: shard.entries.digest(at: slot)),
            digest: stored.digest,
            byteCount: stored.byteCount,
            tick: shard.entries.tick(at: slot),
            metadata: stored.metadata
        )
    }

    private static func remove(_ slot: UInt32, from shard: inout Shard) -> Row {
        let row = row(at: slot, in: shard)
        let stored = shard.entries[slot]
        let tag = MetadataCoding.assetTag(stored.metadata)
        if shard.assets[tag] == slot {
            shard.assets[tag] = stored.nextOfAsset == none ? nil : stored.nextOfAsset
        } else if var previous = shard.assets[tag] {
            while shard.entries[previous].nextOfAsset != slot { previous = shard.entries[previous].nextOfAsset }
            shard.entries[previous].nextOfAsset = stored.nextOfAsset
        }
        shard.entries.remove(slot)
        return row
    }
}
