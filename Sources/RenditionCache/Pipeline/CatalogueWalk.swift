/// Walks the pages of a catalogue to their end, and no further: an origin that repeats itself or never ends is left.
package struct CatalogueWalk {
    /// Pages in a row that may bring nothing new, because items shift while they are walked.
    private static let maxIdlePages = 3
    /// More assets than that are not believed; as many names take 100 MB.
    private static let mostAssets = 1_000_000

    /// Where the next page begins; nil at the end.
    package private(set) var cursor: CatalogueCursor? = .start
    /// How many assets have come so far, each counted once.
    package var count: Int { seen.count }

    private let host: String
    private let maxAssets: Int
    private var seen: Set<ExactText> = []
    private var idlePages = 0

    /// A walk that has not begun.
    ///
    /// - Parameter channel: whose catalogue it is, for messages.
    package init(channel: String) { self.init(channel: channel, maxAssets: Self.mostAssets) }

    init(channel: String, maxAssets: Int) {
        host = channel
        self.maxAssets = maxAssets
    }

    /// Takes the page that begins at `cursor`; gives those of its assets that have not come before.
    ///
    /// Throws `unusable` when the catalogue does not come to an end.
    package mutating func take(_ page: AssetPage) throws(RenditionError) -> [Asset] {
        let new = page.assets.filter { seen.insert(ExactText($0.id)).inserted }
        cursor = page.next
        idlePages = new.isEmpty && !page.endsByItself ? idlePages + 1 : 0
        guard cursor == nil || idlePages <= Self.maxIdlePages else {
            throw endless("a listing that repeats itself")
        }
        guard seen.count <= maxAssets else { throw endless("a listing of more than \(maxAssets) assets") }
        return new
    }

    private func endless(_ detail: String) -> RenditionError {
        .origin(.unusable(host: host, status: 200, detail: detail))
    }
}
