/// One page of a list that a CMS gives.
public struct ContentPage<Element: Sendable>: Sendable {
    /// The entries, in the CMS's order; those without an identifier are left out.
    public var items: [Element]
    /// How many there are in all, if the CMS says so.
    public var total: Int?
    /// The offset at which the next page begins; nil at the end.
    ///
    /// Entries may shift between pages while they are read, so that one comes twice or is missed.
    public var nextOffset: Int?

    /// A page.
    public init(items: [Element], total: Int? = nil, nextOffset: Int? = nil) {
        self.items = items
        self.total = total
        self.nextOffset = nextOffset
    }
}

extension ContentPage<ContentItem> {
    /// Every picture that the page's items show, each once.
    public var pictures: [PictureReference] {
        var seen: Set<AssetReference> = []
        return items.flatMap(\.pictures).filter { seen.insert($0.reference).inserted }
    }
}
