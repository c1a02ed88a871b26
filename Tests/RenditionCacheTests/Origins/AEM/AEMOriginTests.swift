import RenditionCache
import Synchronization
import TestSupport
import Testing

@testable import RenditionCache

@Suite(.timeLimit(.minutes(1))) struct AEMOriginTests {
    /// Every page of a catalogue.
    private func walk(_ origin: AEMOrigin, most: Int = 20) async throws -> [AssetPage] {
        var pages: [AssetPage] = []
        var cursor: CatalogueCursor? = .start
        while let place = cursor, pages.count < most {
            let page = try await origin.page(at: place, limit: 100)
            pages.append(page)
            cursor = page.next
        }
        return pages
    }

    // MARK: Queries

    @Test func `a query is run by GET, in the encoded spelling`() async throws {
        let server = try LoopbackOrigin { _ in AEMFixtures.answer("adventure-by-slug.bali-surf-camp.json") }
        let query = try PersistedQuery("wknd-shared/adventure-by-slug;slug=bali-surf-camp;imageSeoName=a b")
        let document = try await aemOrigin(server).run(query)
        #expect(document.nodes.first?["title"]?.string == "Bali Surf Camp")
        #expect(
            server.requests.map(\.target) == [
                "/graphql/execute.json/wknd-shared/adventure-by-slug%3Bslug%3Dbali-surf-camp%3BimageSeoName%3Da%20b;"
            ]
        )
        #expect(server.requests.map(\.method) == ["GET"])
    }

    @Test func `errors beside data are noted, without secrets`() async throws {
        let heard = Mutex<[LogRecord]>([])
        let log = Log(minimum: .warning) { record in heard.withLock { $0.append(record) } }
        let server = try LoopbackOrigin { _ in
            .json(#"{"data":{"aList":{"items":[]}},"errors":[{"message":"no\nBearer abcd0123"}]}"#)
        }
        let origin = try aemOrigin(server, authentication: .bearer(token: "abcd0123"), log: log)
        #expect(try await origin.run(PersistedQuery("a/b")).errors == ["no\nBearer abcd0123"])
        let fields = try #require(heard.withLock { $0 }.first).fields
        #expect(fields.first { $0.key == "first" }?.value == "no Bearer …")
    }

    @Test(
        arguments: [
            (
                "graphql-error.exception.json", 200,
                .unusable(host: "127.0.0.1", status: 200, detail: "Query execution failed")
            ),
            (
                "graphql-error.exception.json", 500,
                .unusable(host: "127.0.0.1", status: 500, detail: "Query execution failed")
            ),
            ("error-401.graphql.json", 401, .forbidden(host: "127.0.0.1", status: 401, detail: "Unauthorized")),
            ("error-403.graphql.json", 403, .forbidden(host: "127.0.0.1", status: 403, detail: "Forbidden")),
            (
                "persisted-query-missing-path.json", 400,
                .unusable(host: "127.0.0.1", status: 400, detail: "Suffix: '/' does not contain a path")
            ),
            (
                "graphql-endpoint-not-configured.json", 404,
                .notFound("persisted query wknd-shared/x (No suitable endpoint found)")
            ),
            (
                "error-400.delivery.json", 400,
                .unusable(
                    host: "127.0.0.1",
                    status: 400,
                    detail: "One or more of the supplied parameters is missing or not valid."
                )
            ),
        ] as [(String, Int, OriginError)]
    )
    func `an error is told in AEM's own words`(_ fixture: String, _ status: Int, _ expected: OriginError) async throws {
        let server = try LoopbackOrigin { _ in AEMFixtures.answer(fixture, status: status) }
        let origin = try aemOrigin(server)
        let query = try PersistedQuery("wknd-shared/x")
        #expect(await originFailure { () throws(OriginError) in try await origin.run(query) } == expected)
    }

    @Test(
        arguments: [
            (
                200, "<html>login</html>",
                .unusable(host: "127.0.0.1", status: 200, detail: "something that is not JSON (text/html)")
            ),
            (200, "", .unusable(host: "127.0.0.1", status: 200, detail: "an empty body")),
            (401, "<html>login</html>", .forbidden(host: "127.0.0.1", status: 401, detail: nil)),
            (404, "<html>no</html>", .notFound("persisted query wknd-shared/x")),
            (404, "", .notFound("persisted query wknd-shared/x")),
            (405, "blocked", .unusable(host: "127.0.0.1", status: 405, detail: "blocked")),
            (429, "", .busy(host: "127.0.0.1", status: 429, retryAfter: nil)),
        ] as [(Int, String, OriginError)]
    )
    func `an answer that is no JSON is an error of its kind`(
        _ status: Int,
        _ body: String,
        _ expected: OriginError
    ) async throws {
        let server = try LoopbackOrigin { _ in .init(status, type: "text/html", body: body.utf8) }
        let origin = try aemOrigin(server)
        let query = try PersistedQuery("wknd-shared/x")
        #expect(await originFailure { () throws(OriginError) in try await origin.run(query) } == expected)
    }

    @Test func `a secret that the server repeats is not`() async throws {
        let server = try LoopbackOrigin { request in
            let text = "refused: \(request["Authorization"] ?? "")"
            return .json(#"{"errors":[{"message":"\#(text)"}]}"#, status: request.path.hasSuffix("x") ? 404 : 200)
        }
        let origin = try aemOrigin(server, authentication: .bearer(token: "secret-token"))
        for name in ["x", "y"] {
            let query = try PersistedQuery("a/\(name)")
            let failure = await originFailure { () throws(OriginError) in try await origin.run(query) }
            let text = try #require(failure).description
            #expect(text.contains("refused: Bearer …") && !text.contains("secret-token"))
        }
    }

    // MARK: Catalogue

    @Test func `every query of the configuration is a part of the catalogue`() async throws {
        let server = try LoopbackOrigin { request in
            AEMFixtures.answer(
                request.path.contains("by-activity") ? "adventures-by-activity.surfing.json" : "adventures-all.json"
            )
        }
        let queries = ["wknd-shared/adventures-all", "wknd-shared/adventures-by-activity;activity=Surfing"]
        let pages = try await walk(try aemOrigin(server, queries: queries))
        #expect(pages.map(\.assets.count) == [16, 2])
        #expect(pages.map(\.next) == [CatalogueCursor(part: 1), nil])
        #expect(
            server.requests.map(\.path) == [
                "/graphql/execute.json/wknd-shared/adventures-all",
                "/graphql/execute.json/wknd-shared/adventures-by-activity%3Bactivity%3DSurfing;",
            ]
        )
    }

    @Test func `a paginated query is read to its end`() async throws {
        let server = try LoopbackOrigin { request in
            let page = request.path.contains("after%3DZWIw") ? 3 : request.path.contains("after%3DODNi") ? 2 : 1
            return AEMFixtures.answer("adventures-paginated.first7.page\(page).json")
        }
        let ends = try [1, 2].map { page in
            let root = AEMFixtures.json("adventures-paginated.first7.page\(page).json")["data"]?["adventurePaginated"]
            return try #require(root?["pageInfo"]?["endCursor"]?.string)
        }
        let pages = try await walk(try aemOrigin(server, queries: ["wknd-shared/adventures-paginated;first=7"]))
        #expect(pages.map(\.assets.count) == [7, 7, 2])
        #expect(
            pages.map(\.next) == [
                CatalogueCursor(offset: 7, mark: ends[0]), CatalogueCursor(offset: 14, mark: ends[1]), nil,
            ]
        )
        #expect(
            server.requests.map(\.path) == [
                "/graphql/execute.json/wknd-shared/adventures-paginated%3Bfirst%3D7;",
                "/graphql/execute.json/wknd-shared/adventures-paginated%3Bfirst%3D7%3Bafter%3D\(ends[0]);",
                "/graphql/execute.json/wknd-shared/adventures-paginated%3Bfirst%3D7%3Bafter%3D\(ends[1]);",
            ]
        )
    }

    @Test func `a list with a limit is read to its end`() async throws {
        let server = try LoopbackOrigin { request in
            if request.path.contains("offset") { return .json(#"{"data":{"adventureList":{"items":[]}}}"#) }
            return AEMFixtures.answer("adventures-all.offset5-limit5.json")
        }
        let pages = try await walk(try aemOrigin(server, queries: ["wknd-shared/adventures-all;limit=5"]))
        #expect(pages.map(\.assets.count) == [5, 0])
        #expect(server.requests.last?.path.hasSuffix("adventures-all%3Blimit%3D5%3Boffset%3D5;") == true)
    }

    @Test func `a query that does not page on is an error, not an endless catalogue`() async throws {
        let server = try LoopbackOrigin { _ in AEMFixtures.answer("adventures-paginated.first7.page1.json") }
        let origin = try aemOrigin(server, queries: ["wknd-shared/articles-all"])
        let next = try #require(try await origin.page(at: .start, limit: 10).next)
        let failure = await originFailure { () throws(OriginError) in try await origin.page(at: next, limit: 10) }
        #expect(
            failure
                == .unusable(
                    host: "127.0.0.1",
                    status: 200,
                    detail: "the same page of wknd-shared/articles-all again; does the query declare $after?"
                )
        )
    }

    @Test func `a channel without queries has no catalogue`() async throws {
        let server = try LoopbackOrigin { _ in .init(500) }
        let origin = try aemOrigin(server, queries: [])
        let failure = await originFailure { () throws(OriginError) in try await origin.page(at: .start, limit: 10) }
        guard case .notEnumerable(let reason) = failure else {
            Issue.record("\(failure)")
            return
        }
        #expect(reason.hasPrefix("add queries: [\"…\"] to the channel wknd"))
        #expect(server.requests.isEmpty)
    }

    @Test func `a text that is no query opens no origin`() throws {
        let server = try LoopbackOrigin { _ in .init(500) }
        #expect(throws: OriginError.self) { try aemOrigin(server, queries: ["adventures-all"]) }
    }

    // MARK: Assets

    @Test(
        arguments: [
            ("content/dam/a b.jpg", "content/dam/a b.jpg", nil, "a b.jpg"),
            ("/content/dam/x/100%.jpg", "content/dam/x/100%.jpg", nil, "100%.jpg"),
            ("urn:aaid:aem:u1", "urn:aaid:aem:u1", "dm-aid--u1", "u1"),
            ("dm-aid--u1", "urn:aaid:aem:u1", "dm-aid--u1", "u1"),
            ("/adobe/dynamicmedia/deliver/dm-aid--u1/a.jpg?width=5", "urn:aaid:aem:u1", "dm-aid--u1", "u1"),
            ("adobe/assets/urn:aaid:aem:u1/as/a.jpg", "urn:aaid:aem:u1", "dm-aid--u1", "u1"),
        ] as [(String, String, String?, String)]
    )
    func `an asset is known by its address alone`(
        _ reference: String,
        _ id: String,
        _ slug: String?,
        _ name: String
    ) async throws {
        let server = try LoopbackOrigin { _ in .init(500) }
        let origin = try aemOrigin(server)
        #expect(try await origin.asset(.id(reference)) == Asset(id: id, slug: slug, name: name))
        #expect(try await origin.asset(.slug(reference)) == Asset(id: id, slug: slug, name: name))
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: ["x", "", "content/dam/../x", "/content/site/a.jpg", "urn:aaid:aem:", "adobe/assets"])
    func `what is no address is no asset`(_ reference: String) async throws {
        let server = try LoopbackOrigin { _ in .init(500) }
        let origin = try aemOrigin(server)
        let failure = await originFailure { () throws(OriginError) in try await origin.asset(.id(reference)) }
        #expect(failure == .notFound("asset \(reference)"))
    }

    @Test func `what the catalogue has said completes an asset`() async throws {
        let server = try LoopbackOrigin { _ in AEMFixtures.answer("adventure-image-by-path.all-urls.json") }
        let origin = try aemOrigin(server)
        let listed = try #require(try await origin.page(at: .start, limit: 10).assets.first)
        #expect(try await origin.asset(.id(listed.id)) == listed)
        #expect(try await origin.asset(.slug("dm-aid--a38886f7-4537-4791-aa20-3f6ef0ac3fcd")) == listed)
        #expect(try await origin.asset(.id("urn:aaid:aem:a38886f7-4537-4791-aa20-3f6ef0ac3fcd")) == listed)
        #expect(server.requests.count == 1)
    }
}
