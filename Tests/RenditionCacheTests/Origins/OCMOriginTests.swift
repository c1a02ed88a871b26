import Foundation
import RenditionCache
import Synchronization
import TestSupport
import Testing

@testable import RenditionCache

@Suite(.timeLimit(.minutes(1))) struct OCMOriginTests {
    private static let token = "0123456789abcdef0123456789abcdef"
    private static let jpeg = [0xFF, 0xD8, 0xFF, 0xE0] + noise(3000)
    private static let image = Asset(
        id: "CONT1",
        name: "a.jpg",
        fileGroup: "Images",
        mediaType: "image/jpeg",
        renditions: [.init(name: "Medium", formats: ["jpg", "webp"], type: "responsiveimage")]
    )

    private func origin(_ server: LoopbackOrigin, log: Log = .silent, change: (inout OCMSettings) -> Void = { _ in })
        throws -> OCMOrigin
    {
        var settings = OCMSettings(url: server.url, channelToken: Self.token)
        change(&settings)
        let fetcher = Fetcher(settings: FetchSettings(), metrics: Metrics(), log: log)
        return try OCMOrigin(channel: "blog", settings: settings, allow: [], fetcher: fetcher, log: log)
    }

    private func failure<T>(_ body: () async throws(OriginError) -> T) async -> OriginError? {
        do throws(OriginError) {
            _ = try await body()
            return nil
        } catch {
            return error
        }
    }

    // MARK: Catalogue

    @Test func `a channel is listed page by page`() async throws {
        let server = try LoopbackOrigin { request in
            let page = request.query["offset"] == "0" ? 1 : 2
            return .init(type: "application/json", body: OCMFixtures.bytes("channel-listing-page\(page).json"))
        }
        let origin = try origin(server)
        let first = try await origin.page(at: .start, limit: 4)
        let next = try #require(first.next)
        let second = try await origin.page(at: next, limit: 4)
        #expect((first.assets + second.assets).count == 7)
        #expect(first.total == 7 && second.next == nil)
        #expect(second.assets.count { $0.isDigitalAsset } == 3)
        let query = ["channelToken": Self.token, "fields": "all", "limit": "4", "totalResults": "true"]
        #expect(server.requests.map(\.query) == ["0", "4"].map { query.merging(["offset": $0]) { _, new in new } })
        #expect(server.requests.allSatisfy { $0.path == "/content/published/api/v1.1/items" })
    }

    @Test func `a page is never asked for more than the server gives`() async throws {
        let server = try LoopbackOrigin { _ in .json(#"{"items":[]}"#) }
        _ = try await origin(server).page(at: .start, limit: 10_000)
        #expect(server.requests.first?.query["limit"] == "500")
    }

    @Test func `an item is read by identifier and by slug`() async throws {
        let server = try LoopbackOrigin { _ in
            .init(type: "application/json", body: OCMFixtures.bytes("image-item.json"))
        }
        let origin = try origin(server)
        let asset = try await origin.asset(.id("CONT2A2B2C2D2E2F30313233343536373839"))
        #expect(try await origin.asset(.slug("a (b)")) == asset)
        #expect(asset.size == PixelSize(width: 1440, height: 540))
        #expect(
            server.requests.map(\.path) == [
                "/content/published/api/v1.1/items/CONT2A2B2C2D2E2F30313233343536373839",
                "/content/published/api/v1.1/items/.by.slug/a%20(b)",
            ]
        )
        #expect(server.requests.allSatisfy { $0.query["expand"] == "all" })
    }

    @Test(arguments: ["<html>login</html>", "", "{\"items\":", "[1]"])
    func `a document of another kind is unusable, whatever its status says`(_ body: String) async throws {
        let server = try LoopbackOrigin { _ in .init(type: "application/json", body: body.utf8) }
        let origin = try origin(server)
        for failure in [
            await failure { () throws(OriginError) in try await origin.page(at: .start, limit: 10) },
            await failure { () throws(OriginError) in try await origin.asset(.id("x")) },
        ] {
            guard case .unusable("127.0.0.1", 200, _?) = failure else {
                Issue.record("\(String(describing: failure))")
                continue
            }
        }
    }

    // MARK: Downloads

    @Test func `a native comes with what is said about it`() async throws {
        let server = try LoopbackOrigin { _ in
            .init(
                type: "Image/JPEG; charset=x",
                headers: [
                    ("ETag", "\"e1\""), ("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"),
                    ("Cache-Control", "public, max-age=900"), ("Age", "100"),
                ],
                body: Self.jpeg
            )
        }
        let sink = RecordingSink()
        let body = try await origin(server).fetchNative(Self.image, into: sink, options: FetchOptions())
        #expect(sink.bytes == Self.jpeg)
        #expect(sink.events.first == .expect(Self.jpeg.count))
        #expect(body.mediaType == "image/jpeg" && body.entityTag == "\"e1\"")
        #expect(body.modifiedSeconds == 784_111_777 && !body.isNotModified)
        #expect(server.requests.map(\.path) == ["/content/published/api/v1.1/assets/CONT1/native"])
    }

    @Test func `a rendition is asked for by its name, the CMS's word for its format and its type`() async throws {
        let server = try LoopbackOrigin { _ in .init(body: Self.jpeg) }
        let origin = try origin(server)
        let sink = RecordingSink()
        #expect(
            try await origin.fetchRendition(
                "Medium",
                format: .jpeg,
                of: Self.image,
                into: sink,
                options: FetchOptions()
            ) != nil
        )
        #expect(sink.bytes == Self.jpeg)
        let request = try #require(server.requests.first)
        #expect(request.path == "/content/published/api/v1.1/assets/CONT1/Medium")
        #expect(request.query == ["channelToken": Self.token, "format": "jpg", "type": "responsiveimage"])
    }

    @Test func `a rendition or format that the catalogue does not offer is not asked for`() async throws {
        let server = try LoopbackOrigin { _ in .init(body: Self.jpeg) }
        let origin = try origin(server)
        for (name, format) in [("Huge", ImageFormat.jpeg), ("Medium", .png), ("medium", .jpeg)] {
            let sink = RecordingSink()
            #expect(
                try await origin.fetchRendition(
                    name,
                    format: format,
                    of: Self.image,
                    into: sink,
                    options: FetchOptions()
                ) == nil
            )
        }
        #expect(server.requests.isEmpty)
    }

    @Test func `a rendition that is missing at the origin is none`() async throws {
        let server = try LoopbackOrigin { _ in
            .init(404, type: "application/json", body: OCMFixtures.bytes("error-404-rendition.json"))
        }
        var asset = Self.image
        asset.renditions = nil
        let sink = RecordingSink()
        #expect(
            try await origin(server).fetchRendition("Huge", format: nil, of: asset, into: sink, options: FetchOptions())
                == nil
        )
        #expect(server.requests.first?.query["format"] == nil)
        #expect(sink.events.isEmpty)
    }

    @Test(
        arguments: [
            ("Images", false, "thumbnail", "uithumbnail", nil), ("Videos", false, "thumbnail", "uithumbnail", nil),
            ("Videos", true, "Thumbnail", "advancedvideo", "jpg"), ("Images", true, "thumbnail", "uithumbnail", nil),
        ] as [(String, Bool, String, String, String?)]
    )
    func `a thumbnail's URL depends on the file group`(
        _ group: String,
        _ isAdvanced: Bool,
        _ name: String,
        _ type: String,
        _ format: String?
    ) async throws {
        let server = try LoopbackOrigin { _ in .init(body: Self.jpeg) }
        let asset = Asset(id: "CONT1", name: "x", fileGroup: group, renditions: [], hasAdvancedVideo: isAdvanced)
        _ = try await origin(server).fetchRendition(
            "thumbnail",
            format: nil,
            of: asset,
            into: RecordingSink(),
            options: FetchOptions()
        )
        let request = try #require(server.requests.first)
        #expect(request.path == "/content/published/api/v1.1/assets/CONT1/\(name)")
        #expect(request.query["type"] == type && request.query["format"] == format)
    }

    @Test(
        arguments: ["text/html", "image/jpeg"],
        ["<!DOCTYPE html><p>Sorry", "{\"error\":1}", "Service unavailable", ""]
    )
    func `an error page with status 200 is not taken for a picture`(_ type: String, _ body: String) async throws {
        let server = try LoopbackOrigin { _ in .init(type: type, body: body.utf8) }
        let origin = try origin(server)
        let sink = RecordingSink()
        let failures = [
            await failure { () throws(OriginError) in
                try await origin.fetchNative(Self.image, into: sink, options: FetchOptions())
            },
            await failure { () throws(OriginError) in
                try await origin.fetchRendition(
                    "Medium",
                    format: .jpeg,
                    of: Self.image,
                    into: sink,
                    options: FetchOptions()
                )
            },
        ]
        for failure in failures {
            guard case .unusable("127.0.0.1", 200, let detail?) = failure else {
                Issue.record("\(String(describing: failure))")
                continue
            }
            #expect(detail.contains("instead of a picture") || detail == "an empty body")
        }
        #expect(sink.bytes.isEmpty, "not a byte of it was passed on")
    }

    @Test func `a long error page is refused before it reaches the sink`() async throws {
        let page = "<html>" + String(repeating: "<p>We are sorry.</p>\n", count: 20_000)
        let server = try LoopbackOrigin { _ in .init(type: "image/jpeg", body: page.utf8) }
        let origin = try origin(server)
        let sink = RecordingSink()
        let failure = await failure { () throws(OriginError) in
            try await origin.fetchNative(Self.image, into: sink, options: FetchOptions())
        }
        #expect(failure == .unusable(host: "127.0.0.1", status: 200, detail: "HTML instead of a picture"))
        #expect(sink.bytes.isEmpty)
        #expect(server.requests.count == 1)
    }

    @Test func `content decides, not the declared type`() async throws {
        let svg = "<?xml version='1.0'?><!-- a --><svg xmlns='http://www.w3.org/2000/svg'/>"
        for body in [Self.jpeg, Array(svg.utf8)] {
            let server = try LoopbackOrigin { _ in .init(type: "text/html", body: body) }
            let sink = RecordingSink()
            _ = try await origin(server).fetchNative(Self.image, into: sink, options: FetchOptions())
            #expect(sink.bytes == body)
        }
    }

    @Test func `a native that is no picture is taken as it is`() async throws {
        for (group, media, text) in [("Files", "application/pdf", "%PDF-1.7"), ("Files", "text/html", "<html></html>")]
        {
            let server = try LoopbackOrigin { _ in .init(type: media, body: text.utf8) }
            let asset = Asset(id: "CONT1", name: "x", fileGroup: group, mediaType: media)
            let sink = RecordingSink()
            _ = try await origin(server).fetchNative(asset, into: sink, options: FetchOptions())
            #expect(sink.bytes == Array(text.utf8))
        }
    }

    @Test func `a broken transfer begins anew, its first bytes too`() async throws {
        let hits = Mutex(0)
        let server = try LoopbackOrigin { _ in
            let hit = hits.withLock { count in
                count += 1
                return count
            }
            return hit == 1 ? .init(body: Self.jpeg).cut(after: 500) : .init(body: Self.jpeg)
        }
        let sink = RecordingSink()
        _ = try await origin(server).fetchNative(Self.image, into: sink, options: FetchOptions())
        #expect(sink.bytes == Self.jpeg)
    }

    // MARK: Refusals

    @Test(
        arguments: [
            (404, nil, OriginError.notFound("asset CONT1")), (410, nil, .notFound("asset CONT1")),
            (401, nil, .forbidden(host: "127.0.0.1", status: 401, detail: "why")),
            (403, nil, .forbidden(host: "127.0.0.1", status: 403, detail: "why")),
            (429, nil, .busy(host: "127.0.0.1", status: 429, retryAfter: nil)),
            (429, "2", .busy(host: "127.0.0.1", status: 429, retryAfter: .seconds(2))),
            (503, "2", .busy(host: "127.0.0.1", status: 503, retryAfter: .seconds(2))),
            (503, nil, .unusable(host: "127.0.0.1", status: 503, detail: "why")),
            (500, nil, .unusable(host: "127.0.0.1", status: 500, detail: "why")),
            (400, nil, .unusable(host: "127.0.0.1", status: 400, detail: "why")),
            (304, nil, .unusable(host: "127.0.0.1", status: 304, detail: nil)),
            (206, nil, .unusable(host: "127.0.0.1", status: 206, detail: "why")),
        ] as [(Int, String?, OriginError)]
    )
    func `each status means what it means`(_ status: Int, _ wait: String?, _ expected: OriginError) async throws {
        let server = try LoopbackOrigin { _ in
            let headers = wait.map { [("Retry-After", $0)] } ?? []
            return .init(status, type: "application/json", headers: headers, body: #"{"detail":"why"}"#.utf8)
        }
        let origin = try origin(server)
        let failure = await failure { () throws(OriginError) in
            try await origin.fetchNative(Self.image, into: RecordingSink(), options: FetchOptions())
        }
        #expect(failure == expected)
    }

    @Test func `a broken connection, a full sink and a huge body are told apart`() async throws {
        let server = try LoopbackOrigin { _ in .init(body: Self.jpeg) }
        let origin = try origin(server)
        let full = await failure { () throws(OriginError) in
            try await origin.fetchNative(Self.image, into: RecordingSink(capacity: 10), options: FetchOptions())
        }
        #expect(full == .sink("Full()"))
        server.stop()
        let down = await failure { () throws(OriginError) in try await origin.asset(.id("x")) }
        guard case .unreachable(.cannotConnect) = down else {
            Issue.record("\(String(describing: down))")
            return
        }
    }

    // MARK: Credentials

    @Test func `every request carries the channel's credentials`() async throws {
        let server = try LoopbackOrigin { request in
            request.path.hasSuffix("native") ? .init(body: Self.jpeg) : .json(#"{"id":"x","items":[]}"#)
        }
        let origin = try origin(server) {
            $0.authentication = .basic(user: "reader", password: "pass word")
            $0.headers = ["X-Site": "7", "authorization": "overridden", "x-requested-with": "no"]
        }
        _ = try await origin.page(at: .start, limit: 1)
        _ = try await origin.asset(.id("x"))
        _ = try await origin.fetchNative(Self.image, into: RecordingSink(), options: FetchOptions())
        #expect(server.requests.count == 3)
        for request in server.requests {
            #expect(request["Authorization"] == "Basic cmVhZGVyOnBhc3Mgd29yZA==")
            #expect(request["X-Site"] == "7")
            #expect(request["X-Requested-With"] == "XMLHttpRequest")
            #expect(request.headers.count { $0.name.lowercased() == "x-requested-with" } == 1)
            #expect(request.query["channelToken"] == Self.token)
        }
    }

    @Test func `a bearer token is sent and no secret is ever told`() async throws {
        let server = try LoopbackOrigin { request in
            .init(403, body: "no: \(request.target) \(request["Authorization"] ?? "")".utf8)
        }
        let told = Mutex<[String]>([])
        let log = Log(minimum: .debug) { record in
            told.withLock { $0.append("\(record.message) \(record.fields)") }
        }
        let origin = try origin(server, log: log) { $0.authentication = .bearer(token: "t0ken-of-7-days") }
        let error = await failure { () throws(OriginError) in try await origin.asset(.id("x")) }
        #expect(server.requests.first?["Authorization"] == "Bearer t0ken-of-7-days")
        let texts = told.withLock { $0 } + ["\(String(describing: error))", error.map { "\($0)" } ?? ""]
        #expect(texts.count == 3 && texts.allSatisfy { $0.contains("403") })
        for text in texts { #expect(!text.contains(Self.token) && !text.contains("t0ken"), "\(text)") }
    }

    @Test(arguments: [0, 280, 290, 297])
    func `no part of a secret is told, wherever the server's text is cut`(_ before: Int) async throws {
        let padding = String(repeating: "x", count: before)
        let server = try LoopbackOrigin { request in .init(500, body: "\(padding)\(request.target)".utf8) }
        let origin = try origin(server) { settings in
            settings.channelToken = "tok&n of all"
            settings.authentication = .bearer(token: "tok&n")
        }
        let error = await failure { () throws(OriginError) in try await origin.asset(.id("x")) }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("500") && !text.contains("tok"), "\(text)")
    }

    @Test func `a configuration that is printed shows no credential`() {
        var settings = OCMSettings(url: "https://ocm.example.com", channelToken: "s3cret-1")
        settings.authentication = .basic(user: "reader", password: "s3cret-2")
        settings.headers = ["X-Key": "s3cret-3"]
        var configuration = Configuration()
        configuration.channels = [ChannelSettings(name: "blog", kind: .ocm(settings))]
        for text in ["\(configuration)", String(reflecting: configuration), "\(settings)"] {
            #expect(text.contains("ocm.example.com") && !text.contains("s3cret"), "\(text)")
        }
    }

    @Test func `a URL that cannot be used is refused without printing it`() {
        let fetcher = Fetcher(settings: FetchSettings(), metrics: Metrics(), log: .silent)
        for url in ["ocm.example.com", "https://user:s3cret@host"] {
            let error = #expect(throws: OriginError.self) {
                try OCMOrigin(channel: "c", settings: OCMSettings(url: url), allow: [], fetcher: fetcher, log: .silent)
            }
            #expect(error.map { "\($0)" }?.contains("s3cret") == false)
        }
    }
}
