/// How the pages of one query follow each other (spec AEM §3.5); pure.
///
/// A list is read in pages where the query is configured with a `limit`: from its `offset`, page after page, until one is
/// short. A paginated root is followed by its cursor. Any other query is one page.
struct AEMPaging {
    /// The answer leads back to where it began.
    struct Standstill: Error, Equatable {}

    let query: PersistedQuery

    /// The query that brings the page at a place.
    func request(at cursor: CatalogueCursor) throws(PersistedQuery.Refusal) -> PersistedQuery {
        var request = query
        if let mark = cursor.mark { request = try request.setting(.init("after", mark)) }
        if pageSize != nil, cursor.offset > 0 { request = try request.setting(.init("offset", start + cursor.offset)) }
        return request
    }

    /// Where the next page of the same query begins; nil at its end.
    func next(after document: AEMDocument, at cursor: CatalogueCursor) throws(Standstill) -> CatalogueCursor? {
        if let root = document.roots.first(where: { $0.shape == .paginated }) {
            guard root.count > 0, let end = root.endCursor, !end.isEmpty, root.hasNextPage ?? isFull(root) else {
                return nil
            }
            // A query that does not declare `$after` answers with its first page again.
            guard end != cursor.mark else { throw Standstill() }
            return CatalogueCursor(part: cursor.part, offset: cursor.offset + root.count, mark: end)
        }
        guard let pageSize, let root = document.roots.first(where: { $0.shape == .list && $0.count == pageSize }) else {
            return nil
        }
        let (offset, isBeyond) = cursor.offset.addingReportingOverflow(root.count)
        return isBeyond ? nil : CatalogueCursor(part: cursor.part, offset: offset)
    }

    private var pageSize: Int? { query["limit"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } }
    private var start: Int { query["offset"].flatMap { Int($0) } ?? 0 }

    /// Whether a page without `pageInfo` is as long as it was asked to be.
    private func isFull(_ root: AEMDocument.Root) -> Bool { query["first"].flatMap { Int($0) } == root.count }
}
