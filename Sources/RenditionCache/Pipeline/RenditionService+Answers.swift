extension RenditionService {
    /// Puts together all that is said about a product.
    func rendition(_ product: Product, _ record: AssetRecord, in channel: Channel) -> Rendition {
        let metadata = product.metadata
        let frames = metadata.keptFrames.flatMap { kept in metadata.totalFrames.map { (kept: kept, total: $0) } }
        var provenance = Provenance(
            metadata.maker,
            frames: frames,
            isStored: product.isStored
        )
        let age = now() - record.checkedSeconds
        if age > record.lifetimeSeconds, metadata.version == record.version, record.asset.path == nil {
            provenance.staleSeconds = Int(age - record.lifetimeSeconds)
        }
        let isInPlace = record.asset.path != nil
        return Rendition(
            body: product.body,
            digest: product.digest,
            format: metadata.format,
            mediaType: metadata.mediaType,
            size: metadata.size,
            entityTag: Self.entityTag(product),
            modifiedSeconds: metadata.modifiedSeconds,
            fileName: Self.fileName(metadata),
            provenance: provenance,
            validatedSeconds: isInPlace ? now() : min(record.checkedSeconds, now()),
            lifetimeSeconds: record.lifetimeSeconds
        )
    }

    /// An answer that lacks the mark it was asked for is good for a minute: the mark may come back.
    func shortenIfUnmarked(
        _ rendition: inout Rendition,
        _ product: Product,
        _ selection: RenditionRequest.Selection
    ) {
        guard selection.mark == nil || product.metadata.form != selection.form else { return }
        let age = max(0, now() - rendition.validatedSeconds)
        rendition.lifetimeSeconds = min(rendition.lifetimeSeconds, age + Marks.lackingSeconds)
    }

    /// Strong, and different for every form even where the bytes are the same (RFC 9110 §8.8.3).
    private static func entityTag(_ product: Product) -> String {
        let form = Digest(of: product.metadata.form.utf8).description.prefix(6)
        return "\"\(product.digest.description.prefix(24))-\(form)\""
    }

    /// `harbour.jpg`, `harbour-Medium.webp`, `harbour-width=640.png`: distinct for every form, with the right extension.
    private static func fileName(_ metadata: EntryMetadata) -> String {
        let name = metadata.fileName
        let stem = name.lastIndex(of: ".").map { $0 > name.startIndex ? String(name[..<$0]) : name } ?? name
        guard !metadata.isSource else {
            guard let format = metadata.format, ImageFormat(name: name.split(separator: ".").last ?? "") != format
            else {
                return name
            }
            return "\(stem).\(format.fileExtension)"
        }
        let form = metadata.form.split(separator: ".").first.map(String.init) ?? metadata.form
        let suffix = form.replacing("&", with: "-")
        return "\(stem)-\(suffix).\(metadata.format?.fileExtension ?? "bin")"
    }
}
