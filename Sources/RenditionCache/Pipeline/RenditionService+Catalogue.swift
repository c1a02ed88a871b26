extension RenditionService {
    /// One page of everything that a channel has published, from the origin.
    ///
    /// - Parameters:
    ///   - cursor: where the page begins; the page before it says where.
    ///   - limit: most assets of the page; an origin may give fewer, or more where a whole document comes at once.
    public func assets(
        in channel: String,
        at cursor: CatalogueCursor = .start,
        limit: Int
    ) async throws(RenditionError) -> AssetPage {
        try await assets(in: channel, of: .all, at: cursor, limit: limit)
    }

    /// One page of the assets of a channel that are meant, from the origin; otherwise the same.
    public func assets(
        in channel: String,
        of scope: CatalogueScope,
        at cursor: CatalogueCursor = .start,
        limit: Int
    ) async throws(RenditionError) -> AssetPage {
        let channel = try self.channel(channel)
        do throws(OriginError) {
            return try await channel.origin.page(of: scope, at: cursor, limit: limit)
        } catch {
            throw RenditionError(error)
        }
    }

    /// One asset as the catalogue has it, with its size in pixels where the picture can be read.
    ///
    /// Throws `assetNotFound`. When the origin is down, what was last known of the asset.
    public func asset(_ reference: AssetReference, in channel: String) async throws(RenditionError) -> Asset {
        let channel = try self.channel(channel)
        let known = try await knownAsset(reference, in: channel)
        var asset = known.record.asset
        guard asset.size == nil, asset.isPicture else { return asset }
        if known.native == nil {
            asset.size = known.record.source?.size
            return asset
        }
        // A picture that cannot be read still is an asset; its size stays unknown.
        asset.size = try? await production.description(of: known, in: channel).size
        return asset
    }

    /// Whether a native of this asset is in the cache (or readable in place), and how many renditions are.
    public func cachedForms(of asset: Asset, in channel: String) -> (native: Bool, renditions: Int) {
        let forms = store.entries(channel: channel, asset: asset.id)
        let sources = forms.count { $0.metadata.isSource }
        return (sources > 0 || asset.path != nil, forms.count - sources)
    }

    /// Entries and bytes in the cache now.
    public func statistics() -> CacheStatistics { store.statistics() }

    private func knownAsset(_ reference: AssetReference, in channel: Channel) async throws(RenditionError) -> KnownAsset
    {
        let known = await records.find(reference, in: channel)
        if let known, records.verdict(known, in: channel) == .fresh { return known }
        do throws(RenditionError) {
            return try await records.ask(reference, in: channel)
        } catch {
            guard let known, error.placeholderCause != nil else { throw error }
            return known
        }
    }
}
