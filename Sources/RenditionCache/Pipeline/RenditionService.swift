/// The request path, in order; start reading here.
public final class RenditionService: Sendable {
    /// What this service counts.
    public let metrics = Metrics()
    /// What it was opened with.
    public let configuration: Configuration

    private init(configuration: Configuration) { self.configuration = configuration }

    /// Opens the cache directory, its index, the fetching thread; workers start with the first render.
    public static func open(
        _ configuration: Configuration,
        log: Log = .silent
    ) async throws(RenditionError) -> RenditionService {
        preconditionFailure("being written")
    }

    /// A fresh hit, or nil.
    ///
    /// Never suspends, asks no origin, starts no worker; may read one small file.
    ///
    /// This is the server's hit path: on nil, call `rendition(for:)`.
    public func cached(_ request: RenditionRequest) -> Rendition? { preconditionFailure("being written") }

    /// The picture, its last good version, or a placeholder with its cause.
    ///
    /// Throws `assetNotFound`, `renditionNotFound` and `unknownChannel`; an origin that is down or a source that cannot be
    /// decoded is not an error but a `stale` or `placeholder` outcome.
    public func rendition(
        for request: RenditionRequest,
        priority: WorkPriority = .live,
        progress: FetchProgress? = nil
    ) async throws(RenditionError) -> RenditionOutcome { preconditionFailure("being written") }

    /// The same from the cache alone, however old; throws `notCached`.
    public func offlineRendition(for request: RenditionRequest) async throws(RenditionError) -> RenditionOutcome {
        preconditionFailure("being written")
    }

    /// One page of a channel's catalogue, from the origin.
    public func assets(in channel: String, offset: Int, limit: Int) async throws(RenditionError) -> AssetPage {
        preconditionFailure("being written")
    }

    /// One asset as the catalogue has it, with its size in pixels where the picture can be read.
    public func asset(_ reference: AssetReference, in channel: String) async throws(RenditionError) -> Asset {
        preconditionFailure("being written")
    }

    /// Whether a native of this asset is in the cache (or readable in place), and how many renditions are.
    public func cachedForms(of asset: Asset, in channel: String) -> (native: Bool, renditions: Int) {
        preconditionFailure("being written")
    }

    /// Produces a channel's renditions before demand: enumerates, fetches, renders, `concurrency` assets at a time.
    public func warm(_ plan: WarmPlan) -> AsyncThrowingStream<WarmEvent, any Error> {
        preconditionFailure("being written")
    }

    /// Entries and bytes in the cache now.
    public func statistics() -> CacheStatistics { preconditionFailure("being written") }

    /// Forgets nothing, finishes what is being written, ends the workers and the fetching thread.
    public func shutDown() async { preconditionFailure("being written") }
}
