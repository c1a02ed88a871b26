/// A system that holds sources: a CMS or a folder.
///
/// One value speaks for one channel.
protocol Origin: Sendable {
    /// One page of the published set, in the origin's order.
    func page(offset: Int, limit: Int) async throws(OriginError) -> AssetPage

    /// One asset.
    func asset(_ reference: AssetReference) async throws(OriginError) -> Asset

    /// The native's file, where it can be read in place; nil where it has to be fetched.
    func openNative(_ asset: Asset) throws(OriginError) -> OpenFile?

    /// Fetches the native into `sink`.
    func fetchNative(_ asset: Asset, into sink: any ByteSink, progress: FetchProgress?) async throws(OriginError)
        -> FetchedBody

    /// Fetches the origin's own rendition of that name; nil if it has none.
    ///
    /// - Parameter format: the wanted format; without one the origin chooses.
    func fetchRendition(
        _ name: String,
        format: ImageFormat?,
        of asset: Asset,
        into sink: any ByteSink,
        progress: FetchProgress?
    ) async throws(OriginError) -> FetchedBody?
}

/// Hears how far one download has come: bytes so far, and the whole if it is known.
///
/// Called on the fetching thread.
public typealias FetchProgress = @Sendable (_ received: Int, _ expected: Int?) -> Void

/// What came with a body that has been handed to its sink.
struct FetchedBody: Sendable {
    /// The declared media type, without parameters; content decides.
    var mediaType: String?
    /// The entity tag, as sent.
    var entityTag: String?
    /// `Last-Modified` in seconds since 1970.
    var modifiedSeconds: Double?
    /// How long the origin calls it fresh, from `Cache-Control` or `Expires`; nil if it does not say.
    var lifetimeSeconds: Double?
    /// How many bytes arrived.
    var byteCount: Int
}
