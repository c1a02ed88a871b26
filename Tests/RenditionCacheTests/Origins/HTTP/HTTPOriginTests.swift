import TestSupport
import Testing

@testable import RenditionCache

@Suite(.timeLimit(.minutes(1))) struct HTTPOriginTests {
    private static let jpeg = [0xFF, 0xD8, 0xFF, 0xE0] + noise(3000)
    private let pool = BlockingPool(threads: 1)

    private func origin(_ root: String, list: HTTPSettings.List? = nil, allow: [String] = []) throws -> HTTPOrigin {
        var settings = HTTPSettings(url: root, list: list)
        settings.authentication = .bearer(token: "s3cret-token")
        settings.headers = ["X-Own": "own"]
        let fetcher = Fetcher(settings: FetchSettings(), metrics: Metrics(), log: .silent)
        return try HTTPOrigin(
            channel: "site",
            settings: settings,
            allow: allow,
            fetcher: fetcher,
            pool: pool,
            log: .silent
        )
    }

    private func failure<T>(_ body: () async throws(OriginError) -> T) async -> OriginError? {
        do throws(OriginError) {
            _ = try await body()
            return nil
        } catch {
            return error
        }
    }

    // MARK: Pictures

    @Test(arguments: [
        "a b.jpg": "/pics/a%20b.jpg", "a%20b.jpg": "/pics/a%2520b.jpg", "100%.jpg": "/pics/100%25.jpg",
        "p?id=5": "/pics/p?id=5",
    ])
    func `a picture is asked for without a list, by its name`(name: String, target: String) async throws {
        let server = try LoopbackOrigin { _ in .init(headers: [("ETag", "\"1\"")], body: Self.jpeg) }
        let origin = try origin(server.url + "/pics/")
        let sink = RecordingSink()
        let asset = try await origin.asset(.id(name))
        let body = try await origin.fetchNative(asset, into: sink, options: FetchOptions())
        #expect(asset.id == name && sink.bytes == Self.jpeg && body.entityTag == "\"1\"")
        #expect(server.requests.map(\.target) == [target])
        #expect(server.requests[0]["Authorization"] == "Bearer s3cret-token" && server.requests[0]["X-Own"] == "own")
        let byURL = try await origin.asset(.id(server.url + target))
        #expect(byURL == asset)
    }

    @Test func `a listed name is asked for as the list writes it`() async throws {
        let server = try LoopbackOrigin { request in
            request.path == "/list" ? .init(body: "x%28@%40y.jpg?a=%62".utf8) : .init(body: Self.jpeg)
        }
        let origin = try origin(server.url + "/", list: .url(server.url + "/list"))
        let asset = try #require(try await origin.page(at: .start, limit: 10).assets.first)
        #expect(asset.id == "x(@@y.jpg?a=%62")
        _ = try await origin.fetchNative(asset, into: RecordingSink(), options: FetchOptions())
        #expect(server.requests.last?.target == "/x%28@%40y.jpg?a=%62")
    }

    @Test func `what still holds is not sent again, by tag or by date`() async throws {
        let server = try LoopbackOrigin { request in
            request["If-None-Match"] == "\"1\"" || request["If-Modified-Since"] != nil
                ? .init(304) : .init(body: Self.jpeg)
        }
        let origin = try origin(server.url + "/")
        let asset = try await origin.asset(.id("a.jpg"))
        for options in [FetchOptions(entityTag: "\"1\""), FetchOptions(modifiedSeconds: 784_111_777)] {
            let sink = RecordingSink()
            #expect(try await origin.fetchNative(asset, into: sink, options: options).isNotModified)
            #expect(sink.bytes.isEmpty)
        }
    }

    @Test(arguments: [
        LoopbackOrigin.Response(type: "text/html", body: "<!DOCTYPE html><p>Sign in".utf8),
        .init(type: "image/jpeg", body: "<html>Sign in".utf8), .init(type: "image/jpeg"),
        .init(type: "image/jpeg", body: Self.jpeg).cut(after: 1000), .init(500),
    ])
    func `no page, empty or cut body is taken for a picture`(_ answer: LoopbackOrigin.Response) async throws {
        let server = try LoopbackOrigin { _ in answer }
        let origin = try origin(server.url + "/")
        let asset = try await origin.asset(.id("a.jpg"))
        let error = await failure { () throws(OriginError) in
            try await origin.fetchNative(asset, into: RecordingSink(), options: FetchOptions())
        }
        switch error {
        case .unusable("127.0.0.1", _, _), .unreachable(.cut): break
        default: Issue.record("\(error as Any)")
        }
    }

    @Test func `a redirect to an internal address is refused, and to another host tells nothing of ours`() async throws
    {
        let inside = try LoopbackOrigin { _ in .init(body: Self.jpeg) }
        let server = try LoopbackOrigin { _ in .redirect(to: inside.url + "/latest/meta-data") }
        let closed = try origin(server.url + "/")
        let asset = try await closed.asset(.id("a.jpg"))
        let error = await failure { () throws(OriginError) in
            try await closed.fetchNative(asset, into: RecordingSink(), options: FetchOptions())
        }
        #expect(error == .unreachable(.addressRefused(host: "127.0.0.1", address: "127.0.0.1")))
        #expect(inside.requests.isEmpty)
        let open = try origin(server.url + "/", allow: ["127.0.0.1"])
        _ = try await open.fetchNative(asset, into: RecordingSink(), options: FetchOptions())
        #expect(inside.requests.count == 1)
        #expect(inside.requests[0]["Authorization"] == nil && inside.requests[0]["X-Own"] == nil)
    }

    @Test func `what is elsewhere is no asset`() async throws {
        let origin = try origin("http://127.0.0.1:9/pics/")
        for text in ["http://else.example/pics/a.jpg", "../a.jpg", "/other/a.jpg", ""] {
            let error = await failure { () throws(OriginError) in try await origin.asset(.id(text)) }
            guard case .notFound = error else {
                Issue.record("\(text): \(error as Any)")
                continue
            }
        }
    }

    // MARK: Lists

    @Test func `a list file is read anew by every first page, and pages do not shift`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            Array("# ours\r\na b.jpg\nb.jpg\nhttp://else.example/c.jpg?s3cret\na%20b.jpg\nd.jpg\n".utf8),
            to: "urls.txt"
        )
        let origin = try origin("http://127.0.0.1:9/", list: .file(path))
        let first = try await origin.page(at: .start, limit: 2)
        #expect(first.assets.map(\.id) == ["a b.jpg", "b.jpg"] && first.total == 3)
        #expect(
            first.skipped == [
                SkippedFile(
                    name: "urls.txt, line 4: http://else.example/c.jpg",
                    reason: "not below http://127.0.0.1:9/"
                )
            ]
        )
        _ = try folder.write(Array("new.jpg".utf8), to: "urls.txt")
        let second = try await origin.page(at: try #require(first.next), limit: 2)
        #expect(second.assets.map(\.id) == ["d.jpg"] && second.next == nil && second.skipped.isEmpty)
        #expect(try await origin.page(at: .start, limit: 2).assets.map(\.id) == ["new.jpg"])
    }

    @Test func `sitemaps refer to one another, each is read once, and one on another host is told nothing of ours`()
        async throws
    {
        let other = try LoopbackOrigin { request in
            request.path == "/list.xml"
                ? .init(body: "<urlset><url><loc>http://x.example/no.jpg</loc></url></urlset>".utf8) : .init(404)
        }
        let server = try LoopbackOrigin { request in
            let host = "http://\(request["Host"] ?? "")"
            let texts = [
                "/index.xml": ["/one.xml", "/deep.xml", "/gone.xml", "/one.xml"].map {
                    "<sitemap><loc>\(host)\($0)</loc></sitemap>"
                }
                    + ["<sitemap><loc>\(other.url)/list.xml</loc></sitemap>", "<sitemap><loc>nowhere</loc></sitemap>"],
                "/deep.xml": ["/deeper.xml"].map { "<sitemap><loc>\(host)\($0)</loc></sitemap>" },
                "/deeper.xml": ["/deepest.xml", "/index.xml"].map { "<sitemap><loc>\(host)\($0)</loc></sitemap>" },
            ]
            if let children = texts[request.path] {
                return .init(body: "<sitemapindex>\(children.joined())</sitemapindex>".utf8)
            }
            return request.path == "/one.xml"
                ? .init(
                    body: "<urlset><url><loc>\(host)/a.jpg</loc></url><url><loc>\(host)/b.jpg</loc></url></urlset>".utf8
                )
                : .init(404)
        }
        let origin = try origin(server.url + "/", list: .url(server.url + "/index.xml"), allow: ["127.0.0.1"])
        let page = try await origin.page(at: .start, limit: 100)
        #expect(page.assets.map(\.id) == ["a.jpg", "b.jpg"])
        #expect(
            Set(page.skipped.map(\.reason)) == [
                "a sitemap that is not there", "no usable URL of a sitemap", "not below \(server.url)/",
                "sitemaps that refer to one another more than 3 deep",
            ]
        )
        #expect(server.requests.allSatisfy { $0["Authorization"] == "Bearer s3cret-token" })
        #expect(server.hits("/one.xml") == 1 && server.hits("/deepest.xml") == 0)
        #expect(
            other.requests.count == 1 && other.requests[0]["Authorization"] == nil && other.requests[0]["X-Own"] == nil
        )
    }

    @Test func `a compressed list that says so is read`() async throws {
        let plain = LoopbackOrigin.Response(body: "a.jpg\nb.jpg".utf8)
        let gzipped = try plain.gzipped()
        let server = try LoopbackOrigin { _ in gzipped }
        let origin = try origin(server.url + "/", list: .url(server.url + "/list"))
        #expect(try await origin.page(at: .start, limit: 10).assets.map(\.id) == ["a.jpg", "b.jpg"])
    }

    @Test func `a list on a private host that the configuration names may be read`() async throws {
        let other = try LoopbackOrigin { _ in .init(body: "a.jpg".utf8) }
        let origin = try origin("http://img.example.com/", list: .url(other.url + "/urls.txt"))
        #expect(try await origin.page(at: .start, limit: 10).assets.map(\.id) == ["a.jpg"])
        #expect(other.requests[0]["Authorization"] == nil)
    }

    @Test func `a channel that cannot be listed says why and what helps`() async throws {
        let folder = try TemporaryFolder()
        let gzip = try folder.write([0x1F, 0x8B, 8], to: "urls.gz")
        let html = try folder.write(Array("<html></html>".utf8), to: "urls.html")
        let lists: [(HTTPSettings.List?, String)] = [
            (nil, "add list: \"urls.txt\""),
            (.file(folder.file("none.txt")), "none.txt cannot be read: open: No such file"),
            (.file(gzip), "urls.gz cannot be used: it is compressed"),
            (.file(html), "urls.html cannot be used: it is XML of another kind, <html>"),
        ]
        for (list, text) in lists {
            let origin = try origin("http://127.0.0.1:9/", list: list)
            let error = await failure { () throws(OriginError) in try await origin.page(at: .start, limit: 10) }
            guard case .notEnumerable(let reason) = error else {
                Issue.record("\(error as Any)")
                continue
            }
            #expect(reason.contains(text) && !reason.contains(folder.file("")), "\(reason)")
        }
        #expect(throws: OriginError.self) { try self.origin("ftp://x/") }
        #expect(throws: OriginError.self) { try self.origin("http://x/", list: .url("nowhere")) }
    }
}
