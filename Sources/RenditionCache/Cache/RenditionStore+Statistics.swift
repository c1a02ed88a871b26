extension RenditionStore {
    /// Entries and bytes by channel, form and media type; looks at every entry.
    func statistics() -> CacheStatistics {
        struct Group: Hashable {
            var channel, form, mediaType: String
        }
        var groups: [Group: (entries: Int, bytes: Int)] = [:]
        table.forEach { row in
            guard let metadata = row.entry?.metadata else { return }
            let group = Group(channel: metadata.channel, form: metadata.form, mediaType: metadata.mediaType)
            groups[group, default: (0, 0)].entries += 1
            groups[group, default: (0, 0)].bytes += row.byteCount
        }
        let rows = groups.map { group, sum in
            CacheStatistics.Row(
                channel: group.channel,
                form: group.form,
                mediaType: group.mediaType,
                entries: sum.entries,
                bytes: sum.bytes
            )
        }
        return CacheStatistics(
            rows: rows.sorted { ($0.channel, $0.form, $0.mediaType) < ($1.channel, $1.form, $1.mediaType) },
            allocatedBytes: allocatedBytes,
            maxBytes: settings.maxBytes,
            entries: entryCount
        )
    }

    /// Allocated and reserved bytes of disk, of all processes on the directory.
    var allocatedBytes: Int { disk.ledger.total }

    /// How many entries there are.
    var entryCount: Int { table.count }
}
