extension RenditionStore {
    /// Beyond that many entries, what a killed process left is counted behind instead of before the first answer.
    private static let countedAtOnce = 50_000

    /// Loads the index, or rebuilds it where it cannot be read; sees to it that the limits hold before anyone is served.
    func recover() async throws(CacheError) {
        let isAlone = disk.ledger.wasAlone
        var isLost: Bool
        do throws(CacheError) {
            isLost = try await index.open()
            try await loadIndex()
        } catch {
            guard IndexSchema.isCorruption(error), isAlone else { throw error }
            log(.error, "the index is damaged; it was put aside and is rebuilt from the blobs", ["cause": "\(error)"])
            forgetRows()
            try await index.putAside()
            _ = try await index.open()
            isLost = true
        }
        await pool.run { [isLost] in self.settle(isLost: isLost) }
        if isLost { await index.flush() }
    }

    private func loadIndex() async throws(CacheError) {
        try await index.load(
            entry: { row in
                self.table.insert(row)
                self.disk.retain(row.digest)
                self.clock.advance(past: row.tick)
            },
            asset: { self.assets.merge($0) }
        )
        trimRecords()
    }

    /// What a damaged index gave before it failed is not to be believed.
    private func forgetRows() {
        while let row = table.removeOldest() { disk.forget(row.digest) }
    }

    private func settle(isLost: Bool) {
        disk.trimQuarantine()
        let ledger = disk.ledger
        if isLost || ledger.isNew {
            if adoptBlobs(0..<256) { ledger.noteCounted() }
        } else if !ledger.wasClean && ledger.wasAlone {
            if table.count <= Self.countedAtOnce {
                if adoptBlobs(0..<256) { ledger.noteCounted() }
            } else {
                inBackground { store in
                    let isWhole = (0..<256).allSatisfy { !store.isEnding && store.adoptBlobs($0..<$0 + 1) }
                    if isWhole { store.disk.ledger.noteCounted() }
                    store.room.trim()
                }
            }
        }
        room.trim()
    }

    /// Counts blob directories, and makes entries of blobs that the index does not know; what is no blob leaves.
    ///
    /// False if another process came in between: then the next one that is alone counts.
    private func adoptBlobs(_ folders: Range<Int>) -> Bool {
        var rows: [EntryTable.Row] = []
        var foreign = 0
        var isWhole = true
        for folder in folders {
            guard let count = disk.recount(folder) else {
                isWhole = false
                continue
            }
            foreign += count.foreign
            for digest in count.unknown {
                if let row = rowOfBlob(digest) { rows.append(row) } else { disk.removeUnknown(digest) }
            }
        }
        // The latest of several blobs with one key is the one that holds.
        rows.sort { $0.tick < $1.tick }
        for row in rows {
            insert(row)
            queue.append(.put(row))
        }
        if !rows.isEmpty { log(.info, "blobs were taken up that the index did not know", ["count": rows.count]) }
        if foreign > 0 { log(.warning, "files in the cache that rcache did not make", ["count": foreign]) }
        return isWhole
    }

    /// The row that a blob's trailer tells; nil for a torn file, or one whose key has a blob already.
    private func rowOfBlob(_ digest: Digest) -> EntryTable.Row? {
        // A blob that cannot be opened or read cannot be served either.
        guard let (descriptor, facts) = (try? disk.open(digest)).flatMap({ $0 }) else { return nil }
        let file = OpenFile(owning: descriptor, byteCount: facts.byteCount)
        guard let trailer = (try? BlobTrailer(of: file, fileBytes: facts.byteCount)).flatMap({ $0 }),
            let metadata = MetadataCoding.decode(trailer.metadata), !table.contains(trailer.key)
        else { return nil }
        return EntryTable.Row(
            key: trailer.key,
            digest: digest,
            byteCount: trailer.byteCount,
            tick: min(Int64(metadata.storedSeconds * 1_000_000), clock.tick()),
            metadata: trailer.metadata
        )
    }
}
