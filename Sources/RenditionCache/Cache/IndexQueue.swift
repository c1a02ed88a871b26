import Synchronization

/// What the index has to be told, in order; the table is ahead of the index by this.
final class IndexQueue: Sendable {
    /// One change of the index.
    enum Change: Sendable {
        case put(EntryTable.Row)
        /// The key's row, unless another process has used or written it after `before`.
        case remove(CacheKey, before: Int64)
        case use(CacheKey, Int64)
        case record(AssetTable.Row)
        /// The records that were put before this tick.
        case forgetRecords(before: Int64)
        case warmRun(WarmRun)
        case warmed(WarmedAsset, WarmRun)
        /// The runs of the same channel that began earlier.
        case forgetWarms(before: WarmRun)

        /// About what it adds to the index, in bytes.
        var byteCount: Int {
            switch self {
            case .put(let row): row.metadata.count + 160
            case .forgetRecords: 80
            case .warmRun(let run): run.channel.utf8.count + run.plan.utf8.count + 80
            case .warmed(let asset, let run):
                run.channel.utf8.count + asset.id.utf8.count + asset.mark.utf8.count + asset.reason.utf8.count + 80
            case .record(let row): row.record.count + row.channel.utf8.count + 2 * row.id.utf8.count + 80
            case .remove, .use, .forgetWarms: 0
            }
        }
    }

    /// Changes beyond this are dropped, oldest first: an index that cannot be written for so long is rebuilt from blobs.
    private static let maxChanges = 100_000
    private let changes = Mutex<[Change]>([])
    private let hasDropped = Atomic(false)

    /// Adds a change at the end.
    func append(_ change: Change) {
        changes.withLock { changes in
            if changes.count >= Self.maxChanges {
                changes.removeFirst(Self.maxChanges / 10)
                hasDropped.store(true, ordering: .relaxed)
            }
            changes.append(change)
        }
    }

    /// Takes the first changes, at most `limit`.
    func take(_ limit: Int) -> [Change] {
        changes.withLock { changes in
            let batch = Array(changes.prefix(limit))
            changes.removeFirst(batch.count)
            return batch
        }
    }

    /// Puts changes back that could not be written.
    func putBack(_ batch: [Change]) { changes.withLock { $0.insert(contentsOf: batch, at: 0) } }

    /// Whether the index has been told of every change.
    var hasAll: Bool { isEmpty && !hasDropped.load(ordering: .relaxed) }

    var isEmpty: Bool { changes.withLock { $0.isEmpty } }
}
