import Synchronization

/// What this process's pages of the catalogue said of assets, by path and by identifier.
///
/// An address tells one of them only; the catalogue knows that they belong together.
final class AEMKnownAssets: Sendable {
    private struct State {
        var byID: [ExactText: Asset] = [:]
        var idByIdentifier: [String: String] = [:]
    }

    /// Most assets that are remembered; what comes later is let go.
    ///
    /// As many take about 50 MB.
    static let maxAssets = 100_000
    private let state = Mutex(State())

    /// Takes over the assets of a page.
    func learn(_ assets: [Asset]) {
        state.withLock { state in
            for asset in assets {
                let earlier = state.byID[ExactText(asset.id)]
                guard earlier != nil || state.byID.count < Self.maxAssets else { continue }
                state.byID[ExactText(asset.id)] = earlier.map { asset.joined(with: $0) } ?? asset
                // The path says more, whichever comes last.
                guard let slug = asset.slug, AEMIdentifier(asset.id) == nil || state.idByIdentifier[slug] == nil else {
                    continue
                }
                state.idByIdentifier[slug] = asset.id
            }
        }
    }

    /// The asset of that id; the identifier of one that has a path will do.
    func asset(_ id: String) -> Asset? {
        state.withLock { state in
            if let identifier = AEMIdentifier(id), let other = state.idByIdentifier[identifier.deliveryText] {
                return state.byID[ExactText(other)]
            }
            return state.byID[ExactText(id)]
        }
    }
}
