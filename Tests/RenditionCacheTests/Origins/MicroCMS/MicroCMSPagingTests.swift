import Testing

@testable import RenditionCache

@Suite struct MicroCMSPagingTests {
    private static func list(_ count: Int, of total: Int) -> MicroCMSList? {
        MicroCMSList(.object(["contents": .array(Array(repeating: .null, count: count)), "totalCount": .int(total)]))
    }

    @Test func `a server that begins elsewhere than it was asked to is not walked to its end`() throws {
        let paging = MicroCMSPaging(at: Self.cursor(100, "500000"), wanted: 100, query: MicroCMSQuery())
        func page(_ offset: Int) -> MicroCMSList? {
            MicroCMSList(
                .object([
                    "contents": .array(Array(repeating: .null, count: 100)), "totalCount": .int(500_000),
                    "offset": .int(offset),
                ])
            )
        }
        #expect(paging.next(after: try #require(page(0))) == nil)
        #expect(paging.next(after: try #require(page(100)))?.offset == 200)
    }

    struct Step: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var cursor = CatalogueCursor(part: 2)
        var wanted = 1000
        var own = MicroCMSQuery()
        var asked: (offset: Int, limit: Int) = (0, 100)
        var got: (count: Int, total: Int) = (100, 250)
        var next: CatalogueCursor?
    }

    private static func window(_ offset: Int?, _ limit: Int?) -> MicroCMSQuery {
        var query = MicroCMSQuery()
        (query.offset, query.limit) = (offset, limit)
        return query
    }

    private static func cursor(_ offset: Int, _ mark: String?) -> CatalogueCursor {
        CatalogueCursor(part: 2, offset: offset, mark: mark)
    }

    @Test(arguments: [
        Step(testDescription: "the first page", next: cursor(100, "250")),
        Step(testDescription: "a later page", cursor: cursor(100, "250"), asked: (100, 100), next: cursor(200, "250")),
        Step(testDescription: "the last page", cursor: cursor(200, "250"), asked: (200, 100), got: (50, 250)),
        Step(testDescription: "everything at once", got: (100, 100)),
        Step(testDescription: "an empty page that is not the last", got: (0, 250)),
        Step(testDescription: "an empty list", got: (0, 0)),
        Step(testDescription: "a short page in between", got: (60, 250), next: cursor(60, "250")),
        Step(testDescription: "fewer wanted", wanted: 5, asked: (0, 5), got: (5, 250), next: cursor(5, "250")),
        Step(testDescription: "none wanted", wanted: 0, asked: (0, 1), got: (1, 250), next: cursor(1, "250")),
        Step(
            testDescription: "more contents than at first, within a page",
            cursor: cursor(200, "250"),
            asked: (200, 100),
            got: (100, 320),
            next: cursor(300, "250")
        ),
        Step(
            testDescription: "a total that runs away",
            cursor: cursor(300, "250"),
            asked: (300, 100),
            got: (100, 10_000)
        ),
        Step(testDescription: "a total beyond belief", got: (100, .max), next: cursor(100, "1000000")),
        Step(
            testDescription: "shortened before",
            cursor: cursor(10, "250/25"),
            asked: (10, 25),
            got: (25, 250),
            next: cursor(35, "250/25")
        ),
        Step(testDescription: "a window", own: window(20, 30), asked: (20, 30), got: (30, 250)),
        Step(
            testDescription: "the rest of a window",
            cursor: cursor(100, "250"),
            own: window(20, 130),
            asked: (120, 30),
            got: (30, 250)
        ),
        Step(testDescription: "a window beyond the end", own: window(240, nil), asked: (240, 100), got: (10, 250)),
        Step(
            testDescription: "a cursor of someone else",
            cursor: cursor(-5, "x/y"),
            asked: (0, 100),
            next: cursor(100, "250")
        ),
    ])
    func `a walk asks for the next contents until there are no more`(_ step: Step) throws {
        let paging = MicroCMSPaging(at: step.cursor, wanted: step.wanted, query: step.own)
        let query = paging.query(step.own)
        #expect(query.offset == step.asked.offset && query.limit == step.asked.limit)
        #expect(query.orders == ["-publishedAt", "-createdAt"])
        #expect(paging.next(after: try #require(Self.list(step.got.count, of: step.got.total))) == step.next)
    }

    @Test func `a server that always promises more is left`() throws {
        var cursor: CatalogueCursor? = .start
        var pages = 0
        while let place = cursor, pages < 100 {
            let paging = MicroCMSPaging(at: place, wanted: 100, query: MicroCMSQuery())
            cursor = paging.next(after: try #require(Self.list(100, of: place.offset + 300)))
            pages += 1
        }
        #expect(pages == 4)
    }

    @Test func `an answer that would be too long is asked for in halves down to one, from then on`() throws {
        var paging = MicroCMSPaging(at: .start, wanted: 100, query: MicroCMSQuery())
        var limits: [Int?] = []
        while paging.shorten() { limits.append(paging.query(MicroCMSQuery()).limit) }
        #expect(limits == [50, 25, 12, 6, 3, 1])
        #expect(paging.next(after: try #require(Self.list(1, of: 9))) == CatalogueCursor(offset: 1, mark: "9/1"))
    }

    @Test(
        arguments: [
            ("list-offset00-limit10.json", 0, 10), ("list-offset10-limit10.json", 10, 20),
            ("list-offset20-limit10.json", 20, nil), ("list-offset30-limit10.json", 30, nil),
            ("list-empty.json", 0, nil),
            ("list-limit0.json", 0, nil), ("list-limit100.json", 0, nil), ("list-fields-id-title.json", 0, 10),
        ] as [(String, Int, Int?)]
    )
    func `an answer of the server says where its list goes on`(_ file: String, _ offset: Int, _ next: Int?) throws {
        let list = try #require(MicroCMSList(MicroCMSFixtures.json(file)))
        let paging = MicroCMSPaging(at: CatalogueCursor(offset: offset), wanted: 10, query: MicroCMSQuery())
        #expect(paging.next(after: list)?.offset == next)
    }

    @Test func `an order of the endpoint's own stays, and a window of none is at its end`() {
        var own = MicroCMSQuery()
        own.orders = ["title"]
        own.limit = 0
        let paging = MicroCMSPaging(at: .start, wanted: 100, query: own)
        #expect(paging.query(own).orders == ["title"] && paging.isAtEnd && paging.isAtStart)
    }

    @Test(arguments: [
        ("{\"contents\":[],\"totalCount\":0}", true), ("{\"contents\":[]}", false), ("{\"totalCount\":1}", false),
        ("{\"contents\":{},\"totalCount\":1}", false), ("{\"contents\":[],\"totalCount\":-1}", false), ("[]", false),
    ])
    func `a list is told from an object by its envelope`(json: String, isList: Bool) throws {
        #expect((MicroCMSList(try #require(JSONValue(Array(json.utf8)))) != nil) == isList)
    }
}
