extension RenditionService {
    /// How a channel's catalogue differs from what the last warm of it found; reads the catalogue, fetches no picture.
    public func difference(in name: String) async throws(RenditionError) -> CatalogueDiff {
        let channel = try channel(name)
        let runs = await store.warmRuns(channel: channel.recordName)
        let last = runs.first { $0.finished != 0 } ?? runs.first
        var before: [ExactText: WarmedAsset] = [:]
        if let last { for asset in await store.warmedAssets(of: last) { before[ExactText(asset.id)] = asset } }
        var diff = CatalogueDiff()
        diff.warmSeconds = last?.startedSeconds
        diff.isFinished = (last?.finished ?? 0) != 0
        var walk = CatalogueWalk(channel: name)
        while let cursor = walk.cursor {
            let page = try await assets(in: name, at: cursor, limit: 100)
            for asset in try walk.take(page) where asset.isPicture {
                diff.take(
                    asset,
                    before: before.removeValue(forKey: ExactText(asset.id)),
                    isWholeBefore: last?.isWhole ?? false
                )
            }
        }
        diff.removed = before.values.filter { $0.outcome == .done }.map(\.id).sorted()
        return diff
    }
}

extension CatalogueDiff {
    /// Takes what the catalogue says now of a picture; `before` is what became of it in the last warm.
    mutating func take(_ asset: Asset, before: WarmedAsset?, isWholeBefore: Bool) {
        guard let before else {
            if isWholeBefore { added.append(asset) } else { neverWarmed.append((asset, "")) }
            return
        }
        guard before.outcome == .done else {
            neverWarmed.append((asset, before.reason))
            return
        }
        switch asset.catalogueMark {
        case "": unversionedCount += 1
        case before.mark: unchangedCount += 1
        default: changed.append(asset)
        }
    }
}

extension Asset {
    /// What the catalogue says that changes with the picture; empty where it says nothing of the kind.
    var catalogueMark: String {
        if let version { return version }
        return [updatedSeconds.map { "\($0)" }, byteCount.map { "\($0) B" }].compactMap(\.self).joined(separator: ", ")
    }
}
