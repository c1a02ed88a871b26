/// What is known of an asset: its record, and its open native where that is read in place or could not be kept.
struct KnownAsset: Sendable {
    /// What the origin has just done about the native, where its bytes are the version.
    enum Answer: Sendable {
        case fetched, confirmed
    }

    var record: AssetRecord
    var native: NativeFile?
    var answer: Answer?
}

/// Knows assets and finds out about them: one question to the origin an asset, however many ask.
final class AssetRecords: Sendable {
    /// Which asset of which channel and scope.
    struct Question: Hashable, Sendable {
        let channel: String
        let asset: AssetReference
    }

    private let store: RenditionStore
    private let products: Products
    private let pool: BlockingPool
    private let now: @Sendable () -> Double
    private let flights = Flights<Question, KnownAsset>()
    private let refusals = Refusals<Question>()

    init(products: Products) {
        self.products = products
        store = products.store
        pool = products.pool
        now = products.now
    }

    /// What is known without asking the origin; looks at the file itself where natives are read in place.
    func known(_ reference: AssetReference, in channel: Channel) -> KnownAsset? {
        if let asset = channel.origin.known(reference) { return knownInPlace(asset, in: channel) }
        guard let record = remembered(reference, in: channel) else { return nil }
        return record.asset.path == nil ? KnownAsset(record: record) : knownInPlace(record.asset, in: channel)
    }

    /// The same; suspends instead of blocking on the file.
    func find(_ reference: AssetReference, in channel: Channel) async -> KnownAsset? {
        await pool.run { self.known(reference, in: channel) }
    }

    /// The last record, fresh or not and whatever became of the file: for when the origin is down.
    func remembered(_ reference: AssetReference, in channel: Channel) -> AssetRecord? {
        let id = channel.origin.known(reference)?.id ?? id(of: reference, in: channel)
        let record = id.flatMap { store.assetRecord(channel: channel.recordName, id: $0) }
        return record.flatMap { $0.isGone ? nil : $0 }
    }

    /// Fresh, usable while it is checked, usable if the check fails, or none of these.
    func verdict(_ known: KnownAsset, in channel: Channel) -> Freshness {
        guard known.native == nil else { return .fresh }
        return Freshness.verdict(
            checked: known.record.checkedSeconds,
            lifetime: known.record.lifetimeSeconds,
            staleWhileRevalidate: channel.settings.staleWhileRevalidate.seconds,
            staleIfError: channel.settings.staleIfError.seconds,
            now: now()
        )
    }

    /// Asks the origin, or joins whoever is asking.
    ///
    /// - Parameter options: who waits for the answer, and whether to ask even if another process has found out, or the
    ///   origin has just failed to answer.
    func ask(
        _ reference: AssetReference,
        in channel: Channel,
        options: FetchOptions = FetchOptions()
    ) async throws(RenditionError) -> KnownAsset {
        try await ask(reference, in: channel, options) { () async throws(RenditionError) in
            try await self.answer(reference, in: channel, options)
        }
    }

    /// The same of an asset that the catalogue has just listed, without a version of it.
    func ask(
        listed asset: Asset,
        in channel: Channel,
        options: FetchOptions
    ) async throws(RenditionError) -> KnownAsset {
        try await ask(.id(asset.id), in: channel, options) { () async throws(RenditionError) in
            try await self.answerByBytes(asset, in: channel, options)
        }
    }

    private func ask(
        _ reference: AssetReference,
        in channel: Channel,
        _ options: FetchOptions,
        _ answer: @escaping @concurrent @Sendable () async throws(RenditionError) -> KnownAsset
    ) async throws(RenditionError) -> KnownAsset {
        let question = Question(channel: channel.recordName, asset: reference)
        if !options.isRefresh, let refusal = refusals.current(question, now: now()) { throw refusal }
        return try await flights.run(
            question,
            urgency: options.priority,
            remembering: refusals,
            atMostSeconds: channel.origin.refusalSeconds,
            now: now
        ) { () async throws(RenditionError) in
            if !options.isRefresh, let known = await self.foundByAnother(reference, in: channel) { return known }
            return try await answer()
        }
    }

    /// Takes over what a catalogue page says of an asset, if that is enough to name its version.
    ///
    /// - Returns: the record, or nil if the origin has to be asked for more.
    func learn(_ asset: Asset, in channel: Channel) -> KnownAsset? {
        guard asset.path == nil, let version = asset.version else { return nil }
        return KnownAsset(record: put(asset, version: version, in: channel))
    }

    /// Adds what a source's header said.
    func learn(_ source: SourceDescription, of record: AssetRecord, in channel: Channel) {
        guard var current = store.assetRecord(channel: channel.recordName, id: record.asset.id),
            current.version == record.version, current.source != source
        else { return }
        current.source = source
        store.put(current, channel: channel.recordName)
    }

    private func answer(
        _ reference: AssetReference,
        in channel: Channel,
        _ options: FetchOptions
    ) async throws(RenditionError) -> KnownAsset {
        let asset: Asset
        do throws(OriginError) {
            asset = try await channel.origin.asset(reference, priority: options.priority)
        } catch .notFound {
            end(reference, in: channel)
            throw .assetNotFound(channel: channel.name, asset: reference.description)
        } catch {
            throw RenditionError(error)
        }
        if reference != .id(asset.id) { put(reference, of: asset.id, in: channel) }
        guard asset.path == nil else { return try await answerInPlace(asset, in: channel) }
        if let version = asset.version { return KnownAsset(record: put(asset, version: version, in: channel)) }
        // Nothing but an id leads to an item that is no file, and nothing but its text could be its version.
        guard asset.isDigitalAsset else { return KnownAsset(record: put(asset, version: "item", in: channel)) }
        guard reference == .id(asset.id) else { return try await ask(listed: asset, in: channel, options: options) }
        return try await answerByBytes(asset, in: channel, options)
    }

    /// The catalogue names no version: it is the digest of the native's bytes, which the origin sends or confirms.
    private func answerByBytes(
        _ asset: Asset,
        in channel: Channel,
        _ options: FetchOptions
    ) async throws(RenditionError) -> KnownAsset {
        let held = await products.heldNative(of: asset.id, in: channel, orDated: true)
        var options = options
        options.entityTag = held?.metadata.originEntityTag
        options.modifiedSeconds = held?.metadata.modifiedSeconds
        let sink = try await products.sink()
        let body: FetchedBody
        do throws(OriginError) {
            body = try await channel.origin.fetchNative(asset, into: sink, options: options)
        } catch .notFound {
            end(.id(asset.id), in: channel)
            throw .assetNotFound(channel: channel.name, asset: asset.id)
        } catch {
            throw RenditionError(error)
        }
        if body.isNotModified, let held {
            return KnownAsset(record: put(asset, version: held.metadata.version, in: channel), answer: .confirmed)
        }
        let product = try await products.keepNative(sink, body, of: asset, in: channel, priority: options.priority)
        var known = KnownAsset(record: put(asset, version: product.metadata.version, in: channel), answer: .fetched)
        if !product.isStored { known.native = try product.unkept(known.record) }
        return known
    }

    private func knownInPlace(_ asset: Asset, in channel: Channel) -> KnownAsset? {
        // A file that cannot be opened is not known; the asynchronous path finds out why.
        guard let native = try? channel.origin.openNative(asset),
            var record = store.assetRecord(channel: channel.recordName, id: asset.id),
            record.fileIdentity == native.identity, !record.isGone
        else { return nil }
        // The file itself confirms its version; written down now and then, for the day the whole folder is missing.
        let interval = min(3600, channel.settings.staleIfError.seconds / 8)
        if now() - record.checkedSeconds > interval {
            record.checkedSeconds = now()
            store.put(record, channel: channel.recordName)
        }
        return KnownAsset(record: record, native: native)
    }

    /// A file's version is the digest of its bytes, taken anew when its identity has changed.
    private func answerInPlace(_ asset: Asset, in channel: Channel) async throws(RenditionError) -> KnownAsset {
        if let known = await pool.run({ self.knownInPlace(asset, in: channel) }) { return known }
        let opened: (native: NativeFile, digest: Digest)
        do throws(OriginError) {
            opened = try await pool.run { () throws(OriginError) in
                guard let native = try channel.origin.openNative(asset) else { throw .notFound(asset.id) }
                do throws(SystemError) {
                    return (native, try Digest(of: native.file))
                } catch {
                    throw .sink("\(asset.id): \(error)")
                }
            }
        } catch .notFound {
            end(.id(asset.id), in: channel)
            throw .assetNotFound(channel: channel.name, asset: asset.id)
        } catch {
            throw RenditionError(error)
        }
        var asset = asset
        asset.byteCount = opened.native.file.byteCount
        asset.updatedSeconds = opened.native.modifiedSeconds
        let version = opened.digest.description
        let record = put(asset, version: version, fileIdentity: opened.native.identity, in: channel)
        return KnownAsset(record: record, native: opened.native)
    }

    private func put(
        _ asset: Asset,
        version: String,
        fileIdentity: String? = nil,
        in channel: Channel
    ) -> AssetRecord {
        let old = store.assetRecord(channel: channel.recordName, id: asset.id)
        let isSame = old?.version == version
        var asset = asset
        // Where the bytes are the version, most of what the catalogue says is true of any of them.
        if let old, isSame || asset.version == nil && asset.path == nil {
            asset.complete(by: old.asset, sameBytes: isSame)
        }
        let record = AssetRecord(
            asset: asset,
            version: version,
            source: isSame ? old?.source : nil,
            checkedSeconds: now(),
            lifetimeSeconds: channel.settings.maxAge.seconds,
            fileIdentity: fileIdentity
        )
        store.put(record, channel: channel.recordName)
        if let slug = asset.slug { put(.slug(slug), of: asset.id, in: channel) }
        return record
    }

    /// A slug, or another name of an asset, has a record of its own whose version is the asset's id.
    private func put(_ alias: AssetReference, of id: String, in channel: Channel) {
        let name = Self.aliasName(alias)
        guard store.assetRecord(channel: channel.aliasesName, id: name)?.version != id else { return }
        let pointer = AssetRecord(
            asset: Asset(id: name, name: id),
            version: id,
            checkedSeconds: now(),
            lifetimeSeconds: channel.settings.maxAge.seconds
        )
        store.put(pointer, channel: channel.aliasesName)
    }

    private static func aliasName(_ reference: AssetReference) -> String {
        switch reference {
        case .id(let text): "id \(text)"
        case .slug(let text): "slug \(text)"
        }
    }

    /// The origin says that it is gone: what is stored of it is not served any more.
    private func end(_ reference: AssetReference, in channel: Channel) {
        guard var record = remembered(reference, in: channel) else { return }
        record.isGone = true
        store.put(record, channel: channel.recordName)
    }

    /// What another process on the same cache has found out in the meantime.
    private func foundByAnother(_ reference: AssetReference, in channel: Channel) async -> KnownAsset? {
        guard case .id(let id) = reference, remembered(reference, in: channel) == nil,
            let record = await store.findAssetRecord(channel: channel.recordName, id: id), !record.isGone
        else { return nil }
        let known = KnownAsset(record: record)
        return record.asset.path == nil && verdict(known, in: channel) == .fresh ? known : nil
    }

    private func id(of reference: AssetReference, in channel: Channel) -> String? {
        if case .id(let id) = reference, store.assetRecord(channel: channel.recordName, id: id) != nil { return id }
        return store.assetRecord(channel: channel.aliasesName, id: Self.aliasName(reference))?.version
    }
}

extension Asset {
    /// Takes what a short catalogue entry leaves out from a fuller, older one.
    fileprivate mutating func complete(by old: Asset, sameBytes: Bool) {
        renditions = renditions ?? old.renditions
        if sameBytes {
            size = size ?? old.size
            byteCount = byteCount ?? old.byteCount
        }
        fileGroup = fileGroup ?? old.fileGroup
        mediaType = mediaType ?? old.mediaType
        slug = slug ?? old.slug
        address = address ?? old.address
        requested = requested ?? old.requested
        hasAdvancedVideo = hasAdvancedVideo || old.hasAdvancedVideo
    }
}

extension Product {
    /// The native that the cache had no room for, handed on to whoever asked for its version.
    fileprivate func unkept(_ record: AssetRecord) throws(RenditionError) -> NativeFile {
        do throws(SystemError) {
            return NativeFile(
                file: try body.file(),
                identity: record.version,
                modifiedSeconds: metadata.modifiedSeconds ?? record.checkedSeconds,
                format: metadata.format,
                isKept: false
            )
        } catch {
            throw .cache(.system(error, path: "native"))
        }
    }
}
