/// Every item of a search, page after page; items that shift between pages come once.
///
/// Throws `RenditionError`; a listing that never ends is left as `unusable`.
public struct ContentItems: AsyncSequence, Sendable {
    /// One item.
    public typealias Element = ContentItem
    /// Why the CMS does not answer.
    public typealias Failure = RenditionError

    let catalogue: Catalogue
    let search: OCMSearch
    let call: OCMCall

    /// Asks for pages as they are needed.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let catalogue: Catalogue
        private let call: OCMCall
        private var search: OCMSearch
        private var walk: CatalogueWalk
        private var waiting: [ContentItem] = []

        init(_ items: ContentItems) {
            (catalogue, search, call) = (items.catalogue, items.search, items.call)
            walk = CatalogueWalk(channel: catalogue.name)
        }

        /// The next item; nil at the end.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(RenditionError) -> ContentItem? {
            while waiting.isEmpty {
                guard walk.cursor != nil else { return nil }
                guard !Task.isCancelled else { throw .cancelled }
                let page = try await catalogue.items(search, call: call)
                let next = page.nextOffset.map { CatalogueCursor(offset: $0) }
                let new = Set(
                    try walk.take(AssetPage(assets: page.items.map(\.asset), next: next)).map { ExactText($0.id) }
                )
                var seen: Set<ExactText> = []
                waiting = page.items.filter { new.contains(ExactText($0.id)) && seen.insert(ExactText($0.id)).inserted }
                    .reversed()
                search.offset = page.nextOffset ?? search.offset
            }
            return waiting.popLast()
        }

        /// The next item; nil at the end.
        public mutating func next() async throws(RenditionError) -> ContentItem? { try await next(isolation: nil) }
    }

    /// Begins at the search's offset.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
