import FoundationEssentials
import Synchronization

/// The asset records, in memory; decoded when first asked for, so that a large index loads fast.
final class AssetTable: Sendable {
    /// A record as the index holds it.
    struct Row: Sendable, Equatable {
        var channel: String
        var id: String
        /// When it was put, by `UseClock`.
        var tick: Int64
        /// JSON.
        var record: [UInt8]
    }

    private enum Stored {
        case encoded([UInt8])
        case decoded(AssetRecord)
    }

    private struct Name: Hashable {
        var channel: String
        var id: ExactText

        init(channel: String, id: String) { (self.channel, self.id) = (channel, ExactText(id)) }
    }

    private let maxRecords: Int
    private let records = Mutex<[Name: (tick: Int64, stored: Stored)]>([:])

    /// A table that `trim` keeps to `maxRecords`.
    init(maxRecords: Int) { self.maxRecords = maxRecords }

    /// The record of an asset; one that cannot be read any more counts as none.
    func record(channel: String, id: String) -> AssetRecord? {
        let name = Name(channel: channel, id: id)
        return records.withLock { records in
            guard let (tick, stored) = records[name] else { return nil }
            switch stored {
            case .decoded(let record): return record
            case .encoded(let bytes):
                // A record of an older form is only a memory of the origin's answer: it is asked again.
                let record = try? JSONDecoder().decode(AssetRecord.self, from: Data(bytes))
                records[name] = record.map { (tick, .decoded($0)) }
                return record
            }
        }
    }

    /// Sets a record; returns it as the index takes it.
    func put(_ record: AssetRecord, channel: String, tick: Int64) -> Row? {
        records.withLock { $0[Name(channel: channel, id: record.asset.id)] = (tick, .decoded(record)) }
        // Fails only for numbers that JSON does not have; such a record is not worth keeping.
        guard let json = try? JSONEncoder().encode(record) else { return nil }
        return Row(channel: channel, id: record.asset.id, tick: tick, record: Array(json))
    }

    /// Takes a record from the index, unless the one here is as new.
    func merge(_ row: Row) {
        records.withLock { records in
            let name = Name(channel: row.channel, id: row.id)
            if let known = records[name], known.tick >= row.tick { return }
            records[name] = (row.tick, .encoded(row.record))
        }
    }

    /// Forgets the records that were put longest ago, an eighth of them, once there are too many.
    ///
    /// - Returns: the tick before which all were forgotten; nil if there was room.
    func trim() -> Int64? {
        records.withLock { records in
            guard records.count > maxRecords else { return nil }
            let ticks = records.values.map(\.tick).sorted()
            let cutoff = ticks[ticks.count - maxRecords * 7 / 8]
            records = records.filter { $0.value.tick >= cutoff }
            return cutoff
        }
    }
}
