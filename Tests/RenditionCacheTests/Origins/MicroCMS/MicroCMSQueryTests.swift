import Testing

@testable import RenditionCache

@Suite struct MicroCMSQueryTests {
    private static func query(_ change: (inout MicroCMSQuery) -> Void) -> MicroCMSQuery {
        var query = MicroCMSQuery()
        change(&query)
        return query
    }

    @Test func `every parameter is written in the server's words`() throws {
        let query = Self.query {
            $0.draftKey = "d/k"
            $0.limit = 100
            $0.offset = 0
            $0.orders = ["-publishedAt", "title"]
            $0.search = "a+b &c"
            $0.fields = ["id", "author.name"]
            $0.ids = ["a", "b"]
            $0.filters = .all([.field("a", .equals("x")), .field("b", .exists)])
            $0.depth = 3
            $0.richEditorFormat = .object
            $0.others = [.init("new[x]", "1 2")]
        }
        #expect(
            try query.listText().split(separator: "&") == [
                "limit=100", "offset=0", "orders=-publishedAt,title", "q=a%2Bb%20%26c", "ids=a,b",
                "filters=%28a%5Bequals%5Dx%5Band%5Db%5Bexists%5D%29", "draftKey=d%2Fk", "fields=id,author.name",
                "depth=3",
                "richEditorFormat=object", "new%5Bx%5D=1%202",
            ]
        )
    }

    @Test func `what is empty is left out`() throws {
        let query = Self.query {
            $0.draftKey = ""
            $0.search = ""
            $0.others = [.init("x", "")]
        }
        #expect(try query.listText() == "")
        #expect(try query.contentText() == "")
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let query: MicroCMSQuery
        let reason: String
        var testDescription: String { reason }
    }

    @Test(arguments: [
        Refused(query: query { $0.limit = 101 }, reason: "limit takes 0…100, not \"101\""),
        Refused(query: query { $0.limit = -1 }, reason: "limit takes 0…100, not \"-1\""),
        Refused(query: query { $0.offset = -1 }, reason: "offset takes 0 or more, not \"-1\""),
        Refused(query: query { $0.depth = 4 }, reason: "depth takes 0…3, not \"4\""),
        Refused(query: query { $0.filters = .any([]) }, reason: "a filter of no conditions"),
    ])
    func `values that the server would refuse are not sent`(_ test: Refused) {
        let error = #expect(throws: RequestError.self) { try test.query.listText() }
        #expect(error?.description == test.reason)
    }

    @Test(arguments: [
        ("limit", query { $0.limit = 1 }), ("offset", query { $0.offset = 0 }), ("orders", query { $0.orders = ["a"] }),
        ("q", query { $0.search = "a" }), ("ids", query { $0.ids = ["a"] }),
        ("filters", query { $0.filters = .raw("a[exists]") }),
    ])
    func `a single content takes no parameter of lists`(name: String, query: MicroCMSQuery) {
        #expect(throws: RequestError.malformed("\(name) is for lists, not for one content")) { try query.contentText() }
    }

    // MARK: Filters

    struct Filter: Sendable, CustomTestStringConvertible {
        let filter: MicroCMSFilter
        let text: String
        var testDescription: String { text }
    }

    @Test(arguments: [
        Filter(filter: .field("a", .equals("1")), text: "a[equals]1"),
        Filter(filter: .field("a.b-c_d", .notEquals("x y")), text: "a.b-c_d[not_equals]x y"),
        Filter(filter: .field("a", .contains("(1)")), text: "a[contains](1)"),
        Filter(filter: .field("a", .notContains("[x]")), text: "a[not_contains][x]"),
        Filter(filter: .field("a", .lessThan("2024-01-01")), text: "a[less_than]2024-01-01"),
        Filter(filter: .field("a", .greaterThan("5")), text: "a[greater_than]5"),
        Filter(filter: .field("a", .exists), text: "a[exists]"),
        Filter(filter: .field("a", .notExists), text: "a[not_exists]"),
        Filter(filter: .field("a", .beginsWith("2023-11")), text: "a[begins_with]2023-11"),
        Filter(filter: .all([.field("a", .exists)]), text: "(a[exists])"),
        Filter(
            filter: .any([.all([.field("a", .exists), .field("b", .equals("1"))]), .field("c", .notExists)]),
            text: "((a[exists][and]b[equals]1)[or]c[not_exists])"
        ),
        Filter(filter: .raw("a[exists][or]b[exists]"), text: "a[exists][or]b[exists]"),
        Filter(
            filter: .all([.raw("a[exists][or]b[exists]"), .field("c", .exists)]),
            text: "((a[exists][or]b[exists])[and]c[exists])"
        ),
    ])
    func `a filter is written with its groups in parentheses`(_ test: Filter) throws {
        #expect(try test.filter.text() == test.text)
    }

    @Test(arguments: [
        MicroCMSFilter.field("a", .equals("x[and]b[equals]y")), .field("a", .contains("[or]")),
        .field("a", .beginsWith("b[exists]")), .all([.field("a", .equals("x)"))]), .any([.field("a", .contains("(x"))]),
        .field("", .exists), .field("a..b", .exists), .field("a[b", .exists), .field("é", .exists), .all([]),
    ])
    func `a filter that cannot be said is refused`(_ filter: MicroCMSFilter) {
        #expect(throws: RequestError.self) { try filter.text() }
    }

    // MARK: Endpoints

    @Test func `an endpoint's parameters are read, encoded or not`() throws {
        let endpoint = try MicroCMSEndpoint(
            "trends?depth=2&filters=a[equals]x%5Band%5Db%5Bexists%5D&q=a+b%2B&orders=-a,b&limit=500&offset=5&fields=&new=1&ids=x"
        )
        #expect(endpoint.path == "trends" && !endpoint.isContent)
        let expected = Self.query {
            $0.depth = 2
            $0.filters = .raw("a[equals]x[and]b[exists]")
            $0.search = "a+b+"
            $0.orders = ["-a", "b"]
            $0.limit = 500
            $0.offset = 5
            $0.others = [.init("new", "1")]
            $0.ids = ["x"]
        }
        #expect(endpoint.query == expected)
        #expect(try MicroCMSEndpoint("settings").query == MicroCMSQuery())
        #expect(try MicroCMSEndpoint("news/a_b-1?draftKey=k&richEditorFormat=html").isContent)
    }

    @Test(arguments: [
        "", "a/b/c", "/trends", "trends/", "../x", "a b", "é", "trends?depth=4", "trends?depth=x", "trends?limit=-1",
        "trends?depth=1&depth=2", "trends?richEditorFormat=xml",
    ])
    func `an endpoint that makes no sense is refused`(_ text: String) {
        #expect(throws: RequestError.self) { try MicroCMSEndpoint(text) }
    }

    @Test func `an image host without a scheme is reached over https, unless it is the content API itself`() {
        var settings = MicroCMSSettings(url: "http://127.0.0.1:8081")
        settings.imageHosts = ["127.0.0.1:8081", "media.example.com", "http://127.0.0.1:9"]
        let api = "http://127.0.0.1:8081"
        #expect(settings.pictureOrigins.map(\.root) == [api, "https://media.example.com", "http://127.0.0.1:9", api])
    }

    @Test func `a configuration with a bad endpoint or image host is refused`() {
        var settings = MicroCMSSettings(url: "https://x.microcms.io", endpoints: ["news", "news?depth=9"])
        settings.imageHosts = ["images.microcms-assets.io", "not a host"]
        #expect(settings.problems.map(\.path) == [["endpoints"], ["imageHosts"]])
        #expect(settings.problems.first?.message == "depth takes 0…3, not \"9\"")
    }

    @Test func `URLs stay within names and lengths`() throws {
        let requests = MicroCMSRequests(base: try #require(WebURL("https://example.microcms.io/ignored")))
        let list = try requests.list("news", Self.query { $0.limit = 1 })
        #expect(list.text == "https://example.microcms.io/api/v1/news?limit=1")
        #expect(
            try requests.content("news", id: "a-1", MicroCMSQuery()).text
                == "https://example.microcms.io/api/v1/news/a-1"
        )
        #expect(
            try requests.content("site", id: nil, MicroCMSQuery()).text == "https://example.microcms.io/api/v1/site"
        )
        #expect(throws: RequestError.self) { try requests.content("news", id: "../x", MicroCMSQuery()) }
        #expect(throws: RequestError.self) { try requests.list("", MicroCMSQuery()) }
        let long = Self.query { $0.ids = (0..<1000).map { "content-\($0)" } }
        #expect(throws: RequestError.self) { try requests.list("news", long) }
    }
}
