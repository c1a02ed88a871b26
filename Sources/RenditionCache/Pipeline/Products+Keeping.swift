extension Products {
    /// A sink for one download.
    func sink() async throws(RenditionError) -> DownloadSink {
        do throws(SystemError) {
            return try await pool.run { () throws(SystemError) in try DownloadSink(store: self.store, log: self.log) }
        } catch {
            throw .cache(.system(error, path: "download"))
        }
    }

    /// Checks what was fetched by its content and stores it.
    func keep(
        _ sink: DownloadSink,
        _ fetched: FetchedBody,
        _ selection: RenditionRequest.Selection,
        _ record: AssetRecord,
        in channel: Channel,
        key: CacheKey,
        priority: Urgency
    ) async throws(RenditionError) -> Product {
        let received = try await arrived(sink)
        let format = try await verdict(on: received.file, of: record.asset, selection, priority)
        var metadata = metadata(
            selection,
            record,
            in: channel,
            maker: .origin,
            format: format,
            mediaType: fetched.mediaType
        )
        metadata.originEntityTag = fetched.entityTag
        metadata.modifiedSeconds = fetched.modifiedSeconds ?? record.asset.updatedSeconds
        if case .native = selection { metadata.size = record.source?.size ?? record.asset.size }
        return try await commit(received, metadata, key: key)
    }

    /// Checks a native by its content and stores it as the version that its bytes are; for catalogues that name none.
    func keepNative(
        _ sink: DownloadSink,
        _ fetched: FetchedBody,
        of asset: Asset,
        in channel: Channel,
        priority: Urgency
    ) async throws(RenditionError) -> Product {
        let received = try await arrived(sink)
        let format = try await verdict(on: received.file, of: asset, .native, priority)
        let record = AssetRecord(
            asset: asset,
            version: try await digest(of: received.file).description,
            checkedSeconds: now(),
            lifetimeSeconds: 0
        )
        var metadata = metadata(
            .native,
            record,
            in: channel,
            maker: .origin,
            format: format,
            mediaType: fetched.mediaType
        )
        metadata.originEntityTag = fetched.entityTag
        // The catalogue's time is about its own entry: only the origin's word about the bytes may be asked back.
        metadata.modifiedSeconds = fetched.modifiedSeconds
        return try await commit(received, metadata, key: channel.key(record, .native))
    }

    private func commit(
        _ received: DownloadSink.Received,
        _ metadata: EntryMetadata,
        key: CacheKey
    ) async throws(RenditionError) -> Product {
        guard let writer = received.writer else {
            return try await unsaved(received.file, metadata, means: .fetched)
        }
        do throws(CacheError) {
            let entry = try await store.commit(writer, as: key, metadata)
            return try await product(of: entry, means: .fetched)
        } catch {
            return try await unsaved(received.file, metadata, means: .fetched, because: error)
        }
    }

    /// Keeps bytes that the origin says still hold as those of the present version.
    func keep(
        _ held: Product,
        as record: AssetRecord,
        in channel: Channel,
        key: CacheKey
    ) async throws(RenditionError) -> Product {
        guard held.metadata.version != record.version else { return held }
        var metadata = metadata(
            .native,
            record,
            in: channel,
            maker: .origin,
            format: held.metadata.format,
            mediaType: held.metadata.mediaType
        )
        metadata.size = held.metadata.size
        metadata.originEntityTag = held.metadata.originEntityTag
        return try await keep(try file(of: held), metadata, key: key, means: .present)
    }

    /// Stores what a worker made.
    func keep(
        _ file: OpenFile,
        _ metadata: EntryMetadata,
        key: CacheKey,
        means: WarmedForm.Means
    ) async throws(RenditionError) -> Product {
        do throws(CacheError) {
            let entry = try await store.store(file, as: key, metadata)
            return try await product(of: entry, means: means)
        } catch {
            return try await unsaved(file, metadata, means: means, because: error)
        }
    }

    /// What is said of a form of an asset.
    ///
    /// - Parameter mediaType: what the origin declares, where the content shows no picture.
    func metadata(
        _ selection: RenditionRequest.Selection,
        _ record: AssetRecord,
        in channel: Channel,
        maker: Provenance.Maker,
        format: ImageFormat?,
        mediaType: String? = nil
    ) -> EntryMetadata {
        EntryMetadata(
            channel: channel.name,
            asset: record.asset.id,
            form: selection.form,
            version: record.version,
            isSource: selection == .native,
            maker: maker,
            format: format,
            mediaType: format?.mediaType ?? mediaType ?? "application/octet-stream",
            fileName: record.asset.name,
            modifiedSeconds: record.asset.updatedSeconds,
            storedSeconds: now()
        )
    }

    /// A product's bytes as a file that can be handed to a worker.
    func file(of product: Product) throws(RenditionError) -> OpenFile {
        do throws(SystemError) {
            return try product.body.file()
        } catch {
            throw .cache(.system(error, path: "native"))
        }
    }

    private func product(of entry: Entry, means: WarmedForm.Means) async throws(CacheError) -> Product {
        let body = try await pool.run { () throws(CacheError) in try self.store.body(of: entry) }
        return Product(metadata: entry.metadata, digest: entry.digest, body: body, means: means, isStored: true)
    }

    /// A body that the cache would not take goes to whoever waits for it, and nowhere else.
    private func unsaved(
        _ file: OpenFile,
        _ metadata: EntryMetadata,
        means: WarmedForm.Means,
        because error: CacheError? = nil
    ) async throws(RenditionError) -> Product {
        metrics.add(.notStored)
        if let error, error != .closed {
            log(.warning, "a body could not be stored and streams through", ["cause": "\(error)"])
        }
        let digest = try await digest(of: file)
        return Product(metadata: metadata, digest: digest, body: .file(file), means: means, isStored: false)
    }

    private func digest(of file: OpenFile) async throws(RenditionError) -> Digest {
        do throws(SystemError) {
            return try await pool.run { () throws(SystemError) in try Digest(of: file) }
        } catch {
            throw .cache(.system(error, path: "download"))
        }
    }

    private func arrived(_ sink: DownloadSink) async throws(RenditionError) -> DownloadSink.Received {
        do throws(CacheError) {
            return try await pool.run { () throws(CacheError) in try sink.received() }
        } catch {
            throw .cache(error)
        }
    }

    /// The format by content.
    ///
    /// A picture that is cut short, and anything else where a picture was asked for, is no answer: the origin counts as down.
    private func verdict(
        on file: OpenFile,
        of asset: Asset,
        _ selection: RenditionRequest.Selection,
        _ priority: Urgency
    ) async throws(RenditionError) -> ImageFormat? {
        guard let format = await pool.run({ ImageFormat(contentOf: file.descriptor) }) else {
            if selection == .native && !asset.isPicture { return nil }
            throw .render(.refused(.notAnImage))
        }
        let end: SourceStructure.End
        do throws(SystemError) {
            end = try await pool.run { () throws(SystemError) in
                let bytes = try file.read(from: 0, count: file.byteCount)
                return bytes.withUnsafeBytes { SourceStructure(of: $0, format: format).end }
            }
        } catch {
            throw .cache(.system(error, path: "download"))
        }
        switch end {
        case .truncated: throw .render(.refused(.truncated(format: format)))
        // The blocks do not show whether pixels are missing; decoding does.
        case .missingEndMarker: try await probe(file, priority)
        case .complete, .unknown: break
        }
        return format
    }

    private func probe(_ file: OpenFile, _ priority: Urgency) async throws(RenditionError) {
        do throws(RenderError) {
            _ = try await workers.run(RenderJob(.probe, limits: limits), source: file, priority: priority)
        } catch {
            throw RenditionError(error)
        }
    }
}
