/// A page of OCM's item listing (spec OCM §4.2).
struct OCMListing: Sendable {
    private static let mostResults = 1_000_000_000

    /// The items that have an identifier, in order.
    let items: [OCMItem]
    /// How many match in all, if the server says so and that many can be.
    let total: Int?
    /// Where the next page begins; nil at the end.
    let nextOffset: Int?

    /// The page in a JSON value, for the offset and limit that were asked for; nil unless it has a list of items.
    ///
    /// Paging survives servers that leave out `hasMore` or `count` (spec OCM §4.4), and always moves on.
    init?(_ json: JSONValue, offset: Int, limit: Int) {
        guard let rows = json["items"]?.array else { return nil }
        items = rows.compactMap(OCMItem.init)
        total = json["totalResults"]?.int.flatMap { (0...Self.mostResults).contains($0) ? $0 : nil }
        // More than there are rows would pass over items without a word.
        let count = json["count"]?.int.flatMap { $0 > 0 && $0 <= rows.count ? $0 : nil } ?? rows.count
        let hasMore = json["hasMore"]?.bool ?? (limit > 0 && rows.count >= limit)
        let (next, isBeyond) = offset.addingReportingOverflow(count)
        nextOffset = hasMore && !rows.isEmpty && !isBeyond ? next : nil
    }
}
