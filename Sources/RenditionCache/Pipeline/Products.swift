/// A form of an asset, made or found.
struct Product: Sendable {
    /// What is said about the bytes.
    var metadata: EntryMetadata
    /// The digest of the bytes.
    var digest: Digest
    /// The bytes.
    var body: RenditionBody
    /// How it came about.
    var means: WarmedForm.Means
    /// False if the cache had no room for it.
    var isStored: Bool
}

/// Finds and keeps the products of the pipeline in the store, each checked by its content.
struct Products: Sendable {
    let store: RenditionStore
    let workers: RenderWorkers
    let pool: BlockingPool
    let limits: RenderLimits
    let metrics: Metrics
    let log: Log
    let now: @Sendable () -> Double

    /// The stored form under `key`, checked; nil if there is none or it turned out damaged.
    ///
    /// Blocks on the disk.
    func stored(_ key: CacheKey) -> Product? { store.entry(for: key).flatMap(product) }

    /// The same, asking the index too; suspends instead of blocking.
    func find(_ key: CacheKey) async -> Product? {
        guard let entry = await store.findEntry(for: key) else { return nil }
        return await pool.run { self.product(entry) }
    }

    /// The stored form of one version; blocks on the disk.
    func stored(_ selection: RenditionRequest.Selection, of record: AssetRecord, in channel: Channel) -> Product? {
        let keys = channel.keys(of: selection, record)
        return stored(keys.own) ?? keys.unnamed.flatMap(stored).flatMap { $0.metadata.answers(selection) ? $0 : nil }
    }

    /// The same, asking the index too; suspends instead of blocking.
    func find(_ selection: RenditionRequest.Selection, of record: AssetRecord, in channel: Channel) async -> Product? {
        let keys = channel.keys(of: selection, record)
        if let product = await find(keys.own) { return product }
        guard let key = keys.unnamed, let product = await find(key), product.metadata.answers(selection) else {
            return nil
        }
        return product
    }

    /// The newest native that is stored: a new version often is new words about the same bytes.
    ///
    /// - Parameter orDated: whether a time of change is validator enough, where the origin sent no entity tag.
    func heldNative(of asset: String, in channel: Channel, orDated: Bool = false) async -> Product? {
        for version in channel.storedVersions(of: asset, in: store) {
            let key = channel.key(asset: asset, version: version, .native)
            guard let product = await find(key) else { continue }
            if product.metadata.originEntityTag != nil || orDated && product.metadata.modifiedSeconds != nil {
                return product
            }
        }
        return nil
    }

    /// A native that is open already: a file read in place, or a download that the cache had no room for.
    func inPlace(_ native: NativeFile, _ record: AssetRecord, in channel: Channel) -> Product {
        var metadata = metadata(.native, record, in: channel, maker: .origin, format: native.format)
        metadata.size = record.source?.size
        // The version of a file read in place is the digest of its bytes.
        let digest = Digest(hex: record.version) ?? Digest(of: record.version.utf8)
        return Product(
            metadata: metadata,
            digest: digest,
            body: .file(native.file),
            means: .present,
            isStored: native.isKept
        )
    }

    private func product(_ entry: Entry) -> Product? {
        do throws(CacheError) {
            let body = try store.body(of: entry)
            return Product(metadata: entry.metadata, digest: entry.digest, body: body, means: .present, isStored: true)
        } catch {
            log(.warning, "a stored blob cannot be used and is made again", ["cause": "\(error)"])
            return nil
        }
    }
}
