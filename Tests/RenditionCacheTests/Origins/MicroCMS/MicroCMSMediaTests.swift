import TestSupport
import Testing

@testable import RenditionCache

/// Pictures of microCMS: from which host, by which bytes of a path, and with what told to whom.
@Suite(.timeLimit(.minutes(1))) struct MicroCMSMediaTests {
    private static let jpeg = [0xFF, 0xD8, 0xFF, 0xE0] + noise(3000)

    private func origin(_ images: [String], api: String = "http://127.0.0.1:9", allow: [String] = []) throws
        -> MicroCMSOrigin
    {
        var settings = MicroCMSSettings(url: api, apiKey: "s3cret-api-key")
        settings.headers = ["X-Own": "own"]
        settings.imageHosts = images
        let fetcher = Fetcher(settings: FetchSettings(), metrics: Metrics(), log: .silent)
        return try MicroCMSOrigin(channel: "news", settings: settings, allow: allow, fetcher: fetcher, log: .silent)
    }

    private func fetch(
        _ origin: MicroCMSOrigin,
        _ name: String,
        options: FetchOptions = FetchOptions()
    ) async throws -> (body: FetchedBody, bytes: [UInt8]) {
        let sink = RecordingSink()
        let asset = try await origin.asset(.id(name))
        return (try await origin.fetchNative(asset, into: sink, options: options), sink.bytes)
    }

    @Test(arguments: [
        "s/m/a b.jpg", "s/m/a%20b.jpg", "s/m/100%.jpg", "/assets/s/m/x@2%e6%b8%af.png?w=5", "s/m/港の橋@2x.webp",
    ])
    func `a picture is asked for without listing, by name or path, and without a key`(_ name: String) async throws {
        let server = try LoopbackOrigin { _ in
            .init(
                type: "image/jpeg",
                headers: [("ETag", "\"1\""), ("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")],
                body: Self.jpeg
            )
        }
        let (body, bytes) = try await fetch(try origin([server.url]), name)
        #expect(bytes == Self.jpeg && body.entityTag == "\"1\"" && body.modifiedSeconds == 784_111_777)
        let request = try #require(server.requests.first)
        let expected = [
            "s/m/a b.jpg": "/assets/s/m/a%20b.jpg", "s/m/a%20b.jpg": "/assets/s/m/a%2520b.jpg",
            "s/m/100%.jpg": "/assets/s/m/100%25.jpg",
            "/assets/s/m/x@2%e6%b8%af.png?w=5": "/assets/s/m/x@2%e6%b8%af.png",
            "s/m/港の橋@2x.webp": "/assets/s/m/%E6%B8%AF%E3%81%AE%E6%A9%8B%402x.webp",
        ]
        #expect(request.target == expected[name])
        #expect(request["X-MICROCMS-API-KEY"] == nil && request["X-Own"] == nil)
    }

    @Test func `a path that content spells is asked for byte by byte`() async throws {
        let server = try LoopbackOrigin { _ in .init(body: Self.jpeg) }
        let origin = try origin([server.url])
        let json = #"{"a":{"url":"\#(server.url)/assets/s/m/x@2%e6%b8%af(%28).jpg?w=5","width":4,"height":3}}"#
        let walk = try MicroCMSPictureWalk(try #require(JSONValue(Array(json.utf8))), naming: origin.naming)
        let asset = try #require(MicroCMSCatalogue(walk, naming: origin.naming).assets.first)
        #expect(asset.id == "s/m/x@2港(().jpg")
        _ = try await origin.fetchNative(asset, into: RecordingSink(), options: FetchOptions())
        #expect(server.requests.map(\.target) == ["/assets/s/m/x@2%e6%b8%af(%28).jpg"])
    }

    @Test func `what still holds is not sent again`() async throws {
        let server = try LoopbackOrigin { request in
            request["If-None-Match"] == "\"1\"" ? .init(304, headers: [("ETag", "\"1\"")]) : .init(body: Self.jpeg)
        }
        let (body, bytes) = try await fetch(
            try origin([server.url]),
            "s/m/a.jpg",
            options: FetchOptions(entityTag: "\"1\"")
        )
        #expect(body.isNotModified && bytes.isEmpty)
    }

    @Test(arguments: [
        LoopbackOrigin.Response(type: "text/html", body: "<!DOCTYPE html><p>Sign in".utf8),
        .init(type: "image/jpeg", body: "<html>Sign in".utf8), .init(type: "image/jpeg"), .json(#"{"message":"x"}"#),
        .init(type: "image/jpeg", body: Self.jpeg).cut(after: 1000),
    ])
    func `no page, empty or cut body is taken for a picture`(_ answer: LoopbackOrigin.Response) async throws {
        let server = try LoopbackOrigin { _ in answer }
        let origin = try origin([server.url])
        let error = await #expect(throws: OriginError.self) { try await fetch(origin, "s/m/a.jpg") }
        switch error {
        case .unusable("127.0.0.1", 200, _?), .unreachable(.cut): break
        default: Issue.record("\(error as Any)")
        }
    }

    @Test func `a picture that is gone is told from a host that is down`() async throws {
        let server = try LoopbackOrigin { request in .init(request.path.contains("gone") ? 404 : 503) }
        let origin = try origin([server.url])
        await #expect(throws: OriginError.notFound("picture s/m/gone.jpg")) { try await fetch(origin, "s/m/gone.jpg") }
        await #expect(throws: OriginError.unusable(host: "127.0.0.1", status: 503, detail: nil)) {
            try await fetch(origin, "s/m/down.jpg")
        }
        await #expect(throws: OriginError.self) { try await origin.asset(.id("no/picture")) }
        await #expect(throws: OriginError.self) { try await origin.asset(.slug("s/m/a.jpg")) }
    }

    // MARK: Hosts

    @Test func `the shared host's redirect to the media domain is followed, with nothing of ours`() async throws {
        let domain = try LoopbackOrigin { _ in .init(body: Self.jpeg) }
        let shared = try LoopbackOrigin { request in .redirect(to: domain.url + request.target) }
        let (_, bytes) = try await fetch(try origin([shared.url, domain.url]), "s/m/a.jpg")
        #expect(bytes == Self.jpeg)
        #expect(
            domain.requests.map(\.target) == ["/assets/s/m/a.jpg"] && domain.requests[0]["X-MICROCMS-API-KEY"] == nil
        )
    }

    @Test func `a redirect to an internal address, or to any host that is not configured, is refused`() async throws {
        let inside = try LoopbackOrigin { _ in .init(body: Self.jpeg) }
        let shared = try LoopbackOrigin { _ in .redirect(to: inside.url + "/latest/meta-data") }
        let origin = try origin([shared.url])
        let error = await #expect(throws: OriginError.self) { try await fetch(origin, "s/m/a.jpg") }
        #expect(error == .unreachable(.addressRefused(host: "127.0.0.1", address: "127.0.0.1")))
        #expect(inside.requests.isEmpty)

        let policy = OriginPolicy(
            origin: try #require(WebURL("https://example.microcms.io")),
            pictureHosts: [try #require(WebURL("https://images.microcms-assets.io"))],
            onlyConfiguredHosts: true,
            allow: ["photos.example.org", "10.1.0.0/16"]
        )
        for (url, address, isPermitted) in [
            ("https://images.microcms-assets.io/x", "93.184.216.34", true),
            ("https://example.microcms.io/", "10.0.0.1", true),
            ("https://photos.example.org/x", "93.184.216.34", true), ("https://else.example/", "93.184.216.34", false),
            ("https://else.example/", "10.1.2.3", true), ("http://images.microcms-assets.io/x", "93.184.216.34", false),
        ] {
            let (url, address) = (try #require(WebURL(url)), try #require(IPAddress(address)))
            #expect(policy.permits(address, for: url) == isPermitted, "\(url)")
        }
    }

    @Test func `a picture on an allowed host is fetched there, with nothing of ours`() async throws {
        let elsewhere = try LoopbackOrigin { _ in .init(body: Self.jpeg) }
        let origin = try origin(["images.microcms-assets.io"], allow: ["127.0.0.1"])
        let id = "http:127.0.0.1:\(elsewhere.port)/media/a b.jpg"
        let (_, bytes) = try await fetch(origin, id)
        #expect(bytes == Self.jpeg)
        #expect(
            elsewhere.requests.map(\.target) == ["/media/a%20b.jpg"]
                && elsewhere.requests[0]["X-MICROCMS-API-KEY"] == nil
        )
        #expect(try await origin.asset(.id("\(elsewhere.url)/media/a%20b.jpg")).id == id)
    }

    @Test func `another rcache's pictures beside its contents are found without an image host`() async throws {
        let server = try LoopbackOrigin { _ in .init(body: Self.jpeg) }
        let origin = try origin(["images.microcms-assets.io"], api: server.url)
        #expect(try await fetch(origin, "\(server.url)/assets/s/m/a.jpg?w=5").bytes == Self.jpeg)
        #expect(server.requests.map(\.target) == ["/assets/s/m/a.jpg"])
    }
}
