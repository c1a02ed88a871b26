import RenditionCache

/// What the server asks of the library; `RenditionService` is it, tests put time and failure in its place.
protocol RenditionServing: Sendable {
    var metrics: Metrics { get }
    var configuration: Configuration { get }

    func cached(_ request: RenditionRequest) -> Rendition?
    func rendition(
        for request: RenditionRequest,
        priority: WorkPriority,
        progress: FetchProgress?
    ) async throws(RenditionError) -> RenditionOutcome
    func assets(in channel: String, at cursor: CatalogueCursor, limit: Int) async throws(RenditionError) -> AssetPage
    func asset(_ reference: AssetReference, in channel: String) async throws(RenditionError) -> Asset
    func statistics() -> CacheStatistics
}

extension RenditionService: RenditionServing {}
