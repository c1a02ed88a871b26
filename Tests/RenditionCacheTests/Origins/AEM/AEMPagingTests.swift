import RenditionCache
import Testing

@testable import RenditionCache

@Suite struct AEMPagingTests {
    private func document(_ text: String) throws -> AEMDocument {
        try AEMDocument(try #require(JSONValue(Array(text.utf8))), root: "https://publish.example")
    }

    private func list(_ count: Int) throws -> AEMDocument {
        let items = (0..<count).map { #"{"title":"\#($0)"}"# }.joined(separator: ",")
        return try document(#"{"data":{"aList":{"items":[\#(items)]}}}"#)
    }

    private func edges(_ count: Int, _ info: String) throws -> AEMDocument {
        let edges = (0..<count).map { #"{"cursor":"c\#($0)","node":{}}"# }.joined(separator: ",")
        return try document(#"{"data":{"aPaginated":{"edges":[\#(edges)]\#(info)}}}"#)
    }

    struct Page: Sendable, CustomTestStringConvertible {
        var query: String
        var offset = 0
        var items: Int
        var request: String
        var next: Int?
        var testDescription: String { "\(query) at \(offset), \(items) items" }
    }

    @Test(arguments: [
        Page(query: "a/b", items: 16, request: "a/b", next: nil),
        Page(query: "a/b;limit=5", items: 5, request: "a/b;limit=5", next: 5),
        Page(query: "a/b;limit=5", offset: 5, items: 5, request: "a/b;limit=5;offset=5", next: 10),
        Page(query: "a/b;limit=5", offset: 10, items: 4, request: "a/b;limit=5;offset=10", next: nil),
        Page(query: "a/b;limit=5", offset: 10, items: 0, request: "a/b;limit=5;offset=10", next: nil),
        Page(query: "a/b;offset=3;limit=5", offset: 5, items: 5, request: "a/b;offset=8;limit=5", next: 10),
        // The query does not declare `$limit`: everything came at once.
        Page(query: "a/b;limit=5", items: 16, request: "a/b;limit=5", next: nil),
        Page(query: "a/b;limit=0", items: 0, request: "a/b;limit=0", next: nil),
        Page(query: "a/b;limit=x", items: 3, request: "a/b;limit=x", next: nil),
    ])
    func `a list is read page by page where it has a limit`(_ page: Page) throws {
        let paging = AEMPaging(query: try PersistedQuery(page.query))
        let cursor = CatalogueCursor(part: 2, offset: page.offset)
        #expect(try paging.request(at: cursor) == PersistedQuery(page.request))
        let next = try paging.next(after: try list(page.items), at: cursor)
        #expect(next == page.next.map { CatalogueCursor(part: 2, offset: $0) })
    }

    @Test(
        arguments: [
            ("a/b", 7, #","pageInfo":{"endCursor":"e","hasNextPage":true}"#, "e"),
            ("a/b", 7, #","pageInfo":{"endCursor":"e","hasNextPage":false}"#, nil),
            ("a/b", 0, #","pageInfo":{"endCursor":"e","hasNextPage":true}"#, nil),
            ("a/b", 7, #","pageInfo":{"hasNextPage":true}"#, "c6"), ("a/b", 7, "", nil), ("a/b;first=7", 7, "", "c6"),
            ("a/b;first=7", 6, "", nil),
            ("a/b;first=7", 7, #","pageInfo":{"endCursor":"","hasNextPage":true}"#, nil),
        ] as [(String, Int, String, String?)]
    )
    func `a paginated root is followed by its cursor`(
        _ query: String,
        _ count: Int,
        _ info: String,
        _ mark: String?
    ) throws {
        let paging = AEMPaging(query: try PersistedQuery(query))
        let next = try paging.next(after: try edges(count, info), at: CatalogueCursor(part: 1))
        #expect(next == mark.map { CatalogueCursor(part: 1, offset: count, mark: $0) })
        if let next { #expect(try paging.request(at: next)["after"] == mark) }
    }

    @Test func `a cursor that leads back to itself ends the reading`() throws {
        let paging = AEMPaging(query: try PersistedQuery("a/b"))
        let page = try edges(2, #","pageInfo":{"endCursor":"e","hasNextPage":true}"#)
        #expect(throws: AEMPaging.Standstill()) { try paging.next(after: page, at: CatalogueCursor(mark: "e")) }
    }
}
