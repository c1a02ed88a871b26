/// A system that holds sources: a CMS or a folder.
///
/// One value speaks for one channel.
protocol Origin: Sendable {
    /// How long its word that it has no such asset, or cannot be asked, is taken at most before it is asked again.
    var refusalSeconds: Double { get }

    /// Whether a listing says of an asset all that the origin knows, so that asking for the one would tell no more.
    var listsEverything: Bool { get }

    /// One page of the published set, in the origin's order.
    func page(at cursor: CatalogueCursor, limit: Int) async throws(OriginError) -> AssetPage

    /// One page of the assets that are meant; for an origin that knows no difference, of the published set.
    func page(of scope: CatalogueScope, at cursor: CatalogueCursor, limit: Int) async throws(OriginError) -> AssetPage

    /// One asset.
    func asset(_ reference: AssetReference, priority: Urgency) async throws(OriginError) -> Asset

    /// The native's file, where it can be read in place; nil where it has to be fetched.
    func openNative(_ asset: Asset) throws(OriginError) -> NativeFile?

    /// What is known of an asset without asking anybody; nil where only the origin can tell.
    func known(_ reference: AssetReference) -> Asset?

    /// The asset that a URL names as a mark, on the channel's own image hosts; nil for any other URL, and where marks do not
    /// exist.
    func mark(_ url: String) -> AssetReference?

    /// Fetches the native into `sink`.
    func fetchNative(_ asset: Asset, into sink: any ByteSink, options: FetchOptions) async throws(OriginError)
        -> FetchedBody

    /// Fetches the origin's own rendition of that name; nil if it has none.
    ///
    /// - Parameter format: the wanted format; without one the origin chooses.
    func fetchRendition(
        _ name: String,
        format: ImageFormat?,
        of asset: Asset,
        into sink: any ByteSink,
        options: FetchOptions
    ) async throws(OriginError) -> FetchedBody?
}

extension Origin {
    func asset(_ reference: AssetReference) async throws(OriginError) -> Asset {
        try await asset(reference, priority: .live)
    }

    func page(of scope: CatalogueScope, at cursor: CatalogueCursor, limit: Int) async throws(OriginError) -> AssetPage {
        try await page(at: cursor, limit: limit)
    }

    var refusalSeconds: Double { 60 }
    var listsEverything: Bool { true }
    func known(_ reference: AssetReference) -> Asset? { nil }
    func openNative(_ asset: Asset) throws(OriginError) -> NativeFile? { nil }
    func mark(_ url: String) -> AssetReference? { nil }

    /// None: what has no renditions by name is no reason to ask.
    func fetchRendition(
        _ name: String,
        format: ImageFormat?,
        of asset: Asset,
        into sink: any ByteSink,
        options: FetchOptions
    ) async throws(OriginError) -> FetchedBody? { nil }
}

/// A native that is read where it lies.
struct NativeFile: Sendable {
    /// The open file.
    var file: OpenFile
    /// Changes whenever the file does: device, inode, size, modification and change time.
    var identity: String
    /// When it was last written, in seconds since 1970.
    var modifiedSeconds: Double
    /// The format by content; nil if it is no picture.
    var format: ImageFormat?
    /// Whether it stays where it is; false for a download that the cache had no room for.
    var isKept = true
}

/// How one fetch is to be done.
struct FetchOptions: Sendable {
    /// Who waits for it.
    var priority: Urgency = .live
    /// Who hears how far it has come.
    var progress: FetchProgress?
    /// The entity tag, with its quotes, of the bytes that are here already; the origin may then say that they still hold.
    var entityTag: String?
    /// When those bytes were last changed, by the origin's own word; counts where there is no entity tag.
    var modifiedSeconds: Double?
    /// Ask the origin even for what is cached; what is there stays until the new bytes are good.
    var isRefresh = false

    /// Whether the answer may be that what is here still holds.
    var isConditional: Bool { entityTag != nil || modifiedSeconds != nil }
}

/// What came with a body that has been handed to its sink.
struct FetchedBody: Sendable {
    /// The declared media type, without parameters; content decides.
    var mediaType: String?
    /// The entity tag, as sent.
    var entityTag: String?
    /// `Last-Modified` in seconds since 1970.
    var modifiedSeconds: Double?
    /// Whether the bytes that the entity tag named still hold, so that none arrived (304).
    var isNotModified = false
}
