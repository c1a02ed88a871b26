/// Where in a catalogue a page begins.
public struct CatalogueCursor: Hashable, Codable, Sendable {
    /// Which list of the catalogue: a query, an endpoint; 0 is the first.
    public var part: Int
    /// How many entries of that list lie before.
    public var offset: Int
    /// The CMS's own mark, where it pages by one.
    public var mark: String?

    /// A place; without arguments the beginning.
    public init(part: Int = 0, offset: Int = 0, mark: String? = nil) {
        self.part = part
        self.offset = offset
        self.mark = mark
    }

    /// The beginning.
    public static let start = CatalogueCursor()
}

/// One page of a catalogue.
public struct AssetPage: Hashable, Sendable {
    /// The assets of the page, in the origin's order.
    public var assets: [Asset]
    /// Where the next page begins; nil at the end.
    public var next: CatalogueCursor?
    /// How many there are in all, if the origin says so.
    public var total: Int?

    /// What lies beside the assets and is none; a folder's first page tells of all of its files that are no pictures.
    public var skipped: [SkippedFile]

    /// Whether the origin itself sees to it that its pages end.
    ///
    /// Then many pages without a new asset mean nothing: contents without pictures, or all with the same one.
    public var endsByItself: Bool

    /// A page.
    public init(
        assets: [Asset],
        next: CatalogueCursor? = nil,
        total: Int? = nil,
        skipped: [SkippedFile] = [],
        endsByItself: Bool = false
    ) {
        self.assets = assets
        self.next = next
        self.total = total
        self.skipped = skipped
        self.endsByItself = endsByItself
    }

    /// The page of a catalogue that is all here; the first one tells what lies beside it.
    init(of all: [Asset], skipped: [SkippedFile], at cursor: CatalogueCursor, limit: Int) {
        let start = min(max(0, cursor.offset), all.count)
        let end = min(start + max(0, min(limit, all.count)), all.count)
        self.init(
            assets: Array(all[start..<end]),
            next: end < all.count && end > start ? CatalogueCursor(offset: end) : nil,
            total: all.count,
            skipped: cursor == .start ? skipped : []
        )
    }
}

/// A file that is no asset, and why.
public struct SkippedFile: Hashable, Sendable {
    /// Its path below the folder.
    public var name: String
    /// Why it is left out, in one clause.
    public var reason: String

    /// A file left out.
    public init(name: String, reason: String) {
        self.name = name
        self.reason = reason
    }
}
