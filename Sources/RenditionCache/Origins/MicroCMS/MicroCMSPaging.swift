/// Where a walk through a list API is, and where it goes on (spec microCMS §3); pure.
struct MicroCMSPaging: Equatable, Sendable {
    /// Most contents of one answer.
    static let maxLimit = 100
    /// More contents than that are not believed.
    private static let mostContents = 1_000_000

    /// Which contents of the list belong to the channel.
    private let window: Range<Int>
    private let part: Int
    /// How many contents of the window lie before.
    private let offset: Int
    /// How many there were when the walk began.
    private let firstTotal: Int?
    /// Contents to ask for; less than what is wanted once the server has found that too long.
    private var limit: Int
    private var isShortened: Bool

    /// The place of a cursor.
    ///
    /// - Parameters:
    ///   - wanted: contents that the caller wants.
    ///   - query: the endpoint's own; its `offset` and `limit` are the window.
    init(at cursor: CatalogueCursor, wanted: Int, query: MicroCMSQuery) {
        let start = min(query.offset ?? 0, Self.mostContents)
        window = start..<(start + min(query.limit ?? Self.mostContents, Self.mostContents))
        part = cursor.part
        offset = min(max(0, cursor.offset), Self.mostContents)
        let words = (cursor.mark ?? "").split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        firstTotal = words.first ?? nil
        let shortened = words.count > 1 ? words[1] : nil
        isShortened = shortened != nil
        limit = max(1, min(wanted, Self.maxLimit, shortened ?? .max))
    }

    /// What to ask for: the endpoint's query with a place in it, and an order that is always the same.
    func query(_ own: MicroCMSQuery) -> MicroCMSQuery {
        var query = own
        query.offset = window.lowerBound + offset
        query.limit = min(limit, window.count - offset)
        if own.orders.isEmpty { query.orders = ["-publishedAt", "-createdAt"] }
        return query
    }

    /// Whether the window has ended.
    var isAtEnd: Bool { offset >= window.count }
    /// Whether nothing has been asked before.
    var isAtStart: Bool { offset == 0 }

    /// Asks for half as many from now on; false if that was one already.
    mutating func shorten() -> Bool {
        guard limit > 1 else { return false }
        limit /= 2
        isShortened = true
        return true
    }

    /// Where the next page begins; nil at the end of the list.
    ///
    /// Contents that come and go while the walk is under way shift the others; so it goes one page beyond what there was
    /// at first, and no further, whatever the server says. One that says it has begun elsewhere than asked does not page.
    func next(after list: MicroCMSList) -> CatalogueCursor? {
        let reached = offset + list.contents.count
        let total = min(firstTotal ?? list.total, Self.mostContents)
        guard list.offset == nil || list.offset == window.lowerBound + offset else { return nil }
        guard !list.contents.isEmpty, reached < window.count, window.lowerBound + reached < list.total,
            window.lowerBound + reached < total + Self.maxLimit
        else { return nil }
        return CatalogueCursor(part: part, offset: reached, mark: "\(total)\(isShortened ? "/\(limit)" : "")")
    }
}
