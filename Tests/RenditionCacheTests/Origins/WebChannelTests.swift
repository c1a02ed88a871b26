import Synchronization
import TestSupport
import Testing

@testable import RenditionCache

/// Channels of microCMS and of web servers at work in the service.
@Suite(.timeLimit(.minutes(2))) struct WebChannelTests {
    private static let png = TestPicture.gradient(width: 60, height: 40)

    private func warm(_ service: RenditionService, _ plan: WarmPlan) async throws -> (
        summary: WarmSummary, skipped: [String]
    ) {
        var (summary, skipped): (WarmSummary?, [String]) = (nil, [])
        for try await event in service.warm(plan) {
            switch event {
            case .finished(let end): summary = end
            case .skipped(let asset, _): skipped.append(asset.id)
            case .failed(let asset, let form, let reason): Issue.record("\(asset.id) \(form): \(reason)")
            default: break
            }
        }
        return (try #require(summary), skipped)
    }

    private static func http(_ name: String, _ url: String, token: String? = nil, list: HTTPSettings.List? = nil)
        -> ChannelSettings
    {
        var settings = HTTPSettings(url: url, list: list)
        if let token { settings.authentication = .bearer(token: token) }
        return ChannelSettings(name: name, kind: .http(settings))
    }

    @Test func `a microCMS channel is warmed from its contents, and what is elsewhere is left out`() async throws {
        let images = try LoopbackOrigin { _ in .init(type: "image/png", body: Self.png) }
        let api = try LoopbackOrigin { request in
            // Six pages in a row have no new picture: they all show the same author.
            let offset = Int(request.query["offset"] ?? "") ?? 0
            let author = #"{"url":"\#(images.url)/assets/s/m/author.png","width":60,"height":40}"#
            let last = offset >= 600 ? #","body":"<img src='\#(images.url)/assets/s/m/last%20one.png?w=30'>""# : ""
            let contents = (offset..<min(offset + 100, 610)).map { #"{"id":"c\#($0)","author":\#(author)\#(last)}"# }
            let elsewhere = #"{"id":"x","s3":{"url":"https://bucket.example.com/a.jpg","width":1}}"#
            return .json(#"{"contents":[\#((contents + [elsewhere]).joined(separator: ","))],"totalCount":610}"#)
        }
        var settings = MicroCMSSettings(url: api.url, apiKey: "s3cret-api-key", endpoints: ["news"])
        settings.imageHosts = [images.url]
        let test = try await TestService([ChannelSettings(name: "news", kind: .microcms(settings))])
        let plan = WarmPlan(
            channel: "news",
            selections: [.native, .transform(Transform(resize: .inside(width: 30, height: nil)))]
        )
        let (summary, skipped) = try await warm(test.service, plan)
        #expect(summary.done == 2 && summary.failed.isEmpty && summary.fetched == 2 && summary.rendered == 2)
        #expect(Set(skipped) == ["https://bucket.example.com/a.jpg"])
        #expect(Set(images.requests.map(\.target)) == ["/assets/s/m/author.png", "/assets/s/m/last%20one.png"])
        #expect(images.requests.allSatisfy { $0["X-MICROCMS-API-KEY"] == nil })
        let request = RenditionRequest(channel: "news", asset: .id("s/m/last one.png"), selection: .native)
        let outcome = try await test.service.rendition(for: request)
        #expect(try outcome.rendition.body.bytes() == Self.png && outcome.rendition.fileName == "last one.png")
        await test.service.shutDown()
    }

    @Test func `names that look the same are two pictures if their bytes differ`() async throws {
        let bodies = [
            "/%C3%A9.png": TestPicture.gradient(width: 20, height: 10, seed: 1),
            "/e%CC%81.png": TestPicture.gradient(width: 20, height: 10, seed: 2),
        ]
        let server = try LoopbackOrigin { request in
            bodies[request.target].map { .init(type: "image/png", body: $0) } ?? .init(404)
        }
        let folder = try TemporaryFolder()
        let list = try folder.write(Array("/%C3%A9.png\n/e%CC%81.png\n".utf8), to: "urls.txt")
        let test = try await TestService([Self.http("site", server.url + "/", list: .file(list))])
        for (id, target) in [("\u{E9}.png", "/%C3%A9.png"), ("e\u{301}.png", "/e%CC%81.png")] {
            let request = RenditionRequest(channel: "site", asset: .id(id), selection: .native)
            #expect(try await test.service.rendition(for: request).rendition.body.bytes() == bodies[target])
        }
        #expect(try await warm(test.service, WarmPlan(channel: "site", selections: [.native])).summary.done == 2)
        #expect(try await test.service.difference(in: "site").unversionedCount == 2)
        await test.service.shutDown()
    }

    @Test func `names with percent signs and spaces are three pictures, by list, by id and by our own path`()
        async throws
    {
        let bodies = [
            "/a%2520b.png": TestPicture.gradient(width: 20, height: 10, seed: 1),
            "/100%25.png": TestPicture.gradient(width: 20, height: 10, seed: 2),
            "/a%20b.png": TestPicture.gradient(width: 20, height: 10, seed: 3),
        ]
        let server = try LoopbackOrigin { request in
            bodies[request.target].map { .init(type: "image/png", body: $0) } ?? .init(404)
        }
        let folder = try TemporaryFolder()
        let list = try folder.write(Array("a%2520b.png\n100%25.png\na b.png\n".utf8), to: "urls.txt")
        let test = try await TestService([Self.http("site", server.url + "/", list: .file(list))])
        let (summary, _) = try await warm(test.service, WarmPlan(channel: "site", selections: [.native]))
        #expect(summary.done == 3)
        for (id, path, target) in [
            ("a%20b.png", "/v1/site/a%2520b.png/native", "/a%2520b.png"),
            ("100%.png", "/v1/site/100%25.png/native", "/100%25.png"),
            ("a b.png", "/v1/site/a%20b.png/native", "/a%20b.png"),
        ] {
            let request = try #require(try OwnDialect.request(try RequestTarget(path.utf8), presets: [:]))
            #expect(request.asset == .id(id))
            #expect(try await test.service.rendition(for: request).rendition.body.bytes() == bodies[target])
        }
        await test.service.shutDown()
    }

    @Test func `a private picture is kept for those who may see it`() async throws {
        let mine = TestPicture.gradient(width: 20, height: 10, seed: 1)
        let yours = TestPicture.gradient(width: 20, height: 10, seed: 2)
        let server = try LoopbackOrigin { request in
            switch request["Authorization"] {
            case "Bearer mine-mine": .init(type: "image/png", body: mine)
            case "Bearer yours-yours": .init(type: "image/png", body: yours)
            default: .init(401)
            }
        }
        let cache = try TemporaryFolder()
        for (token, body) in [("mine-mine", mine), ("yours-yours", yours), ("mine-mine", mine)] {
            // The same channel on the same cache, with the credential of another.
            let test = try await TestService([Self.http("site", server.url + "/", token: token)], cache: cache)
            let request = RenditionRequest(channel: "site", asset: .id("a.png"), selection: .native)
            #expect(try await test.service.rendition(for: request).rendition.body.bytes() == body)
            await test.service.shutDown()
        }
        let nobody = try await TestService([Self.http("site", server.url + "/")], cache: cache)
        let request = RenditionRequest(channel: "site", asset: .id("a.png"), selection: .native)
        #expect(try await nobody.service.rendition(for: request).summary == "placeholder forbidden")
        await nobody.service.shutDown()
    }

    @Test(arguments: [
        LoopbackOrigin.Response(type: "image/png", body: "<!DOCTYPE html><p>down".utf8), .init(type: "image/png"),
        .init(503),
    ])
    func `a page or nothing in a picture's place is never stored`(_ answer: LoopbackOrigin.Response) async throws {
        let server = try LoopbackOrigin { _ in answer }
        let test = try await TestService([Self.http("site", server.url + "/")])
        let request = RenditionRequest(channel: "site", asset: .id("a.png"), selection: .native)
        #expect(try await test.service.rendition(for: request).summary == "placeholder origin-down")
        #expect(test.service.statistics().entries == 0)
        await test.service.shutDown()
    }

    @Test func `a channel without a list serves, and says why it cannot be warmed`() async throws {
        let server = try LoopbackOrigin { _ in .init(type: "image/png", body: Self.png) }
        let test = try await TestService([Self.http("site", server.url + "/pics/")])
        let request = RenditionRequest(channel: "site", asset: .id(server.url + "/pics/x/a.png"), selection: .native)
        #expect(try await test.service.rendition(for: request).rendition.body.bytes() == Self.png)
        let error = await #expect(throws: RenditionError.self) {
            try await test.service.assets(in: "site", limit: 10)
        }
        guard case .origin(.notEnumerable(let reason)) = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(reason.contains("list: \"urls.txt\"") && reason.contains("site"))
        await test.service.shutDown()
    }
}
