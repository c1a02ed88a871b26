import Synchronization
import TestSupport
import Testing

@testable import RenditionCache

@Suite(.timeLimit(.minutes(1))) struct MicroCMSOriginTests {
    private static let key = "s3cret-api-key"
    private static let jpeg = [0xFF, 0xD8, 0xFF, 0xE0] + noise(3000)
    private static let media = "7d41c0e2f5a84b6f9c3d1e0a5b7f2846/c1fb6ad6dd53b9fd132b271a1c3a582d"

    private func origin(
        _ server: LoopbackOrigin,
        endpoints: [String] = ["trends"],
        images: [String]? = nil,
        allow: [String] = []
    ) throws -> MicroCMSOrigin {
        var settings = MicroCMSSettings(url: server.url, apiKey: Self.key, endpoints: endpoints)
        settings.headers = ["X-Own": "own"]
        if let images { settings.imageHosts = images }
        let fetcher = Fetcher(settings: FetchSettings(), metrics: Metrics(), log: .silent)
        return try MicroCMSOrigin(channel: "news", settings: settings, allow: allow, fetcher: fetcher, log: .silent)
    }

    private func failure<T>(_ body: () async throws(OriginError) -> T) async -> OriginError? {
        do throws(OriginError) {
            _ = try await body()
            return nil
        } catch {
            return error
        }
    }

    /// Every page of a catalogue.
    private func pages(_ origin: MicroCMSOrigin, limit: Int = 100) async throws -> [AssetPage] {
        var pages: [AssetPage] = []
        var cursor: CatalogueCursor? = .start
        while let place = cursor, pages.count < 50 {
            pages.append(try await origin.page(at: place, limit: limit))
            cursor = pages.last?.next
        }
        return pages
    }

    /// A list of contents with one picture each, in answer to a request for those from `offset` on.
    private static func list(_ numbers: some Sequence<Int>, total: Int, at offset: Int = 0) -> LoopbackOrigin.Response {
        let contents = numbers.map { number in
            #"{"id":"c\#(number)","image":{"url":"https://images.microcms-assets.io/assets/s/m/\#(number).jpg","width":4,"height":3}}"#
        }
        return .json(
            #"{"contents":[\#(contents.joined(separator: ","))],"totalCount":\#(total),"offset":\#(offset),"limit":100}"#
        )
    }

    private static func place(_ request: LoopbackOrigin.Request) -> (offset: Int, limit: Int) {
        (Int(request.query["offset"] ?? "") ?? -1, Int(request.query["limit"] ?? "") ?? -1)
    }

    // MARK: Catalogue

    @Test func `a list is walked page by page with the key, an order, and the endpoint's parameters`() async throws {
        let server = try LoopbackOrigin { request in
            let offset = request.query["offset"] ?? ""
            return .init(body: MicroCMSFixtures.bytes("list-offset\(offset == "0" ? "00" : offset)-limit10.json"))
        }
        let origin = try origin(server, endpoints: ["trends?depth=2&filters=tag[contains]a%2Bb"])
        let pages = try await pages(origin, limit: 10)
        #expect(pages.count == 3 && pages.allSatisfy { $0.endsByItself && $0.total == nil })
        let all = try MicroCMSPictureWalk(MicroCMSFixtures.json("list-limit100.json"), naming: origin.naming)
        let wanted = MicroCMSCatalogue(all, naming: origin.naming).assets
        #expect(wanted.count > 27)
        #expect(Set(pages.flatMap(\.assets)) == Set(wanted))
        #expect(server.requests.map { Self.place($0).offset } == [0, 10, 20])
        for request in server.requests {
            #expect(
                request.path == "/api/v1/trends" && request["X-MICROCMS-API-KEY"] == Self.key
                    && request["X-Own"] == "own"
            )
            #expect(request.query["orders"] == "-publishedAt,-createdAt" && request.query["depth"] == "2")
            #expect(request.target.contains("filters=tag%5Bcontains%5Da%2Bb") && request.query["limit"] == "10")
        }
    }

    @Test func `contents that shift between pages come, and duplicates with them`() async throws {
        let server = try LoopbackOrigin { request in
            // A content is published after the first page: every later one is pushed back by one.
            let (offset, limit) = Self.place(request)
            return offset == 0
                ? Self.list(0..<100, total: 150)
                : Self.list((offset - 1)..<min(offset - 1 + limit, 150), total: 151, at: offset)
        }
        let pages = try await pages(try origin(server))
        let names = pages.flatMap(\.assets).map(\.name)
        #expect(names.count == 151 && Set(names).count == 150)
        #expect(server.requests.count == 2)
    }

    @Test func `several endpoints are walked one after the other, lists, objects and single contents`() async throws {
        let server = try LoopbackOrigin { request in
            switch request.path {
            case "/api/v1/trends": Self.list(0..<3, total: 3)
            case "/api/v1/empty": .init(body: MicroCMSFixtures.bytes("list-empty.json"))
            case "/api/v1/site": .init(body: MicroCMSFixtures.bytes("object-form.json"))
            case "/api/v1/news/news-01":
                request.query["limit"] == nil && request.query["draftKey"] == "k"
                    ? .init(body: MicroCMSFixtures.bytes("detail-news-01.json")) : .json("{}", status: 400)
            default: .json("{}", status: 404)
            }
        }
        let origin = try origin(server, endpoints: ["trends", "empty", "site", "news/news-01?draftKey=k"])
        let pages = try await pages(origin)
        #expect(pages.map(\.assets.count) == [3, 0, 3, 2])
        #expect(pages.map(\.next?.part) == [1, 2, 3, nil])
        let beyond = try await origin.page(at: CatalogueCursor(part: 4), limit: 10)
        #expect(beyond.assets.isEmpty && beyond.next == nil)
    }

    @Test func `an object that refuses the parameters of lists is asked without them`() async throws {
        let server = try LoopbackOrigin { request in
            request.query["limit"] == nil
                ? .init(body: MicroCMSFixtures.bytes("object-form.json"))
                : .json(#"{"message":"invalid parameter."}"#, status: 400)
        }
        let pages = try await pages(try origin(server, endpoints: ["site?depth=1"]))
        #expect(pages.map(\.assets.count) == [3])
        #expect(server.requests.map { $0.query["depth"] } == ["1", "1"])
    }

    @Test func `a list that refuses its parameters fails with what the server said first`() async throws {
        let server = try LoopbackOrigin { request in
            request.query["limit"] == nil
                ? Self.list(0..<1, total: 1) : .json(#"{"message":"invalid parameter."}"#, status: 400)
        }
        let origin = try origin(server)
        let error = await failure { () throws(OriginError) in try await origin.page(at: .start, limit: 10) }
        #expect(error == .unusable(host: "127.0.0.1", status: 400, detail: "invalid parameter."))
    }

    @Test func `an answer that is too long is asked for in smaller pieces, from the same place on`() async throws {
        let server = try LoopbackOrigin { request in
            let (offset, limit) = Self.place(request)
            guard limit <= 30 else {
                return .json(#"{"message":"Response body size is too long. Check your url parameters."}"#, status: 400)
            }
            return Self.list(offset..<min(offset + limit, 60), total: 60, at: offset)
        }
        let pages = try await pages(try origin(server))
        #expect(pages.flatMap(\.assets).map(\.name) == (0..<60).map { "\($0).jpg" })
        #expect(server.requests.map { Self.place($0).limit } == [100, 50, 25, 25, 25])
        #expect(server.requests.map { Self.place($0).offset } == [0, 0, 0, 25, 50])
    }

    @Test func `one content that is too long by itself fails`() async throws {
        let server = try LoopbackOrigin { _ in .json(#"{"message":"Response body size is too long."}"#, status: 400) }
        let origin = try origin(server)
        let error = await failure { () throws(OriginError) in try await origin.page(at: .start, limit: 100) }
        #expect(error == .tooLarge(limit: 5_000_000))
        #expect(server.requests.map { Self.place($0).limit } == [100, 50, 25, 12, 6, 3, 1])
    }

    @Test func `a channel without endpoints says what to add, and one with a bad endpoint what is wrong`() async throws
    {
        let server = try LoopbackOrigin { _ in .json("{}") }
        let origin = try origin(server, endpoints: [])
        let error = await failure { () throws(OriginError) in try await origin.page(at: .start, limit: 100) }
        #expect(error?.description.contains("add endpoints: [\"…\"] to the channel news") == true)
        #expect(server.requests.isEmpty)
        let bad = #expect(throws: OriginError.self) { try self.origin(server, endpoints: ["trends?depth=9"]) }
        #expect(bad?.description.contains("depth takes 0…3") == true)
        #expect(throws: OriginError.self) { try self.origin(server, images: ["not a host"]) }
    }

    @Test(arguments: ["<html>login</html>", "", "{\"contents\":", "[1]", "null"])
    func `a document of another kind is unusable, whatever its status says`(_ body: String) async throws {
        let server = try LoopbackOrigin { _ in .init(type: "application/json", body: body.utf8) }
        let origin = try origin(server)
        let error = await failure { () throws(OriginError) in try await origin.page(at: .start, limit: 10) }
        guard case .unusable("127.0.0.1", 200, _?) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    // MARK: Errors

    struct Meaning: Sendable, CustomTestStringConvertible {
        let file: String
        let kind: MicroCMSError.Kind
        let error: OriginError
        var testDescription: String { file }

        init(_ name: String, _ kind: MicroCMSError.Kind, _ error: OriginError) {
            file = "error-\(name).json"
            self.kind = kind
            self.error = error
        }
    }

    private static func unusable(_ status: Int, _ detail: String?) -> OriginError {
        .unusable(host: "127.0.0.1", status: status, detail: detail)
    }

    private static let meanings = [
        Meaning("400-double-slash", .badRequest, unusable(400, "Invalid request")),
        Meaning(
            "400-get-forbidden",
            .forbidden,
            .forbidden(host: "127.0.0.1", status: 400, detail: "GET is forbidden.")
        ),
        Meaning("400-ip", .forbidden, .forbidden(host: "127.0.0.1", status: 400, detail: "IP address rejected.")),
        Meaning("400-limit", .badRequest, unusable(400, "Invalid 'limit' value.")),
        Meaning("400-offset", .badRequest, unusable(400, "Invalid 'offset' value.")),
        Meaning("400-parameter", .badRequest, unusable(400, "invalid parameter.")),
        Meaning("400-too-long", .tooLong, .tooLarge(limit: 5_000_000)),
        Meaning(
            "401",
            .forbidden,
            .forbidden(host: "127.0.0.1", status: 401, detail: "X-MICROCMS-API-KEY header is invalid.")
        ),
        Meaning("404", .notFound, .notFound("content news/x")),
        Meaning("404-empty", .notFound, .notFound("content news/x")),
        Meaning("414", .badRequest, unusable(414, "the URL is longer than the 8 KB that it takes")),
        Meaning("429", .busy, .busy(host: "127.0.0.1", status: 429, retryAfter: nil)),
        Meaning("500", .serverTrouble, unusable(500, "Internal Server Error")),
        Meaning("502-html", .serverTrouble, unusable(502, nil)),
        Meaning("504-empty", .serverTrouble, unusable(504, nil)),
    ]

    @Test(arguments: meanings)
    func `an error is judged by its status, with or without a body`(_ test: Meaning) async throws {
        let answer = try MicroCMSFixtures.answer(test.file)
        #expect(MicroCMSError(status: answer.status, body: answer.body).kind == test.kind)
        let server = try LoopbackOrigin { _ in answer }
        let origin = try origin(server)
        let error = await #expect(throws: RenditionError.self) {
            try await origin.get("news", id: "x", MicroCMSQuery())
        }
        #expect(error == .origin(test.error))
    }

    @Test func `every error of the fixtures is judged`() {
        #expect(Self.meanings.map(\.file).sorted() == MicroCMSFixtures.names("error-"))
    }

    @Test(arguments: [
        401: MicroCMSError.Kind.forbidden, 400: .badRequest, 404: .notFound, 503: .serverTrouble, 418: .other,
    ])
    func `a body that is missing or anything else changes nothing`(status: Int, kind: MicroCMSError.Kind) {
        for body in [
            "", "{}", "[]", "null", "<html>", "{\"message\":null}", "{\"message\":{\"a\":1}}", "{\"message\":\" \"}",
        ] {
            let error = MicroCMSError(status: status, body: Array(body.utf8))
            #expect(error.kind == kind && error.message == nil, "\(body)")
        }
    }

    @Test func `neither the key nor a draft's key stands in an error`() async throws {
        let server = try LoopbackOrigin { request in
            .json(#"{"message":"not with \#(Self.key) at \#(request.query["draftKey"] ?? "?")"}"#, status: 400)
        }
        var query = MicroCMSQuery()
        query.draftKey = "dr4ft"
        let origin = try origin(server, endpoints: ["news/x?draftKey=dr4ft"])
        let (asked, unused) = (query, MicroCMSQuery())
        for body in [
            { () async throws -> Void in _ = try await origin.get("news", id: "x", asked) },
            { _ = try await origin.list("news", asked) }, { _ = try await origin.page(at: .start, limit: 1) },
            { _ = try await origin.list("news", unused) },
        ] {
            let error = await #expect(throws: (any Error).self) { try await body() }
            let text = "\(error as Any)"
            #expect(text.contains("not with …") && !text.contains(Self.key) && !text.contains("dr4ft"))
        }
        #expect(!"\(asked) \([asked])".contains("dr4ft"))
    }

    @Test func `the content API is asked no more often than it allows`() async throws {
        let server = try LoopbackOrigin { _ in .json("{}") }
        let origin = try origin(server)
        let began = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<60 {
                group.addTask { _ = try await origin.list("news", MicroCMSQuery()) }
            }
            try await group.waitForAll()
        }
        // Ten at once, then 50 a second.
        #expect(began.duration(to: .now) >= .milliseconds(980) && server.requests.count == 60)
    }

    // MARK: Documents

    @Test func `a list and a content come with their pictures`() async throws {
        let server = try LoopbackOrigin { request in
            .init(
                body: MicroCMSFixtures.bytes(
                    request.path.hasSuffix("/trends") ? "list-limit100.json" : "article-richtext.json"
                )
            )
        }
        let origin = try origin(server)
        var query = MicroCMSQuery()
        query.limit = 100
        let list = try await origin.list("trends", query)
        #expect(list.contents?.count == 27 && list.totalCount == 27 && list.pictures.count > 27)
        let content = try await origin.get("articles", id: "rich-1", MicroCMSQuery())
        #expect(content.contents == nil && content.totalCount == nil && content.pictures.count == 13)
        #expect(server.requests.map(\.target) == ["/api/v1/trends?limit=100", "/api/v1/articles/rich-1"])
        await #expect(throws: RenditionError.request(.malformed("limit is for lists, not for one content"))) {
            try await origin.get("articles", id: "rich-1", query)
        }
        await #expect(throws: RenditionError.self) { try await origin.get("articles", id: "a/b", MicroCMSQuery()) }
    }
}
