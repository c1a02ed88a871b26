import Synchronization
import TestSupport
import Testing

@testable import RenditionCache

/// What a service does with a CMS that fails or asks for quiet, request after request.
@Suite(.timeLimit(.minutes(3))) struct BadNightTests {
    private static let native = RenditionRequest.blog("A", .named("Medium", format: .jpeg))

    /// A service that has `A`, whose version it has to ask for anew at every request.
    private func service(
        _ cms: ScriptedCMS,
        change: @escaping (inout FetchSettings) -> Void = { _ in }
    ) async throws -> TestService {
        let channel = TestService.ocm(cms) { $0.staleWhileRevalidate = .zero }
        let test = try await TestService([channel]) {
            $0.fetch.breakerFailures = FetchSettings().breakerFailures
            ($0.fetch.breakerRest, $0.fetch.breakerLongestRest) = (.seconds(600), .seconds(600))
            change(&$0.fetch)
        }
        #expect(try await test.service.rendition(for: Self.native).summary == "rendition")
        return test
    }

    @Test func `while the CMS is down old pictures are served without asking it again and again`() async throws {
        let cms = try ScriptedCMS.twoPictures()
        let test = try await service(cms)
        cms.goDown()
        let before = cms.server.requests.count
        for _ in 0..<20 {
            test.advance(1000)
            #expect(try await test.service.rendition(for: Self.native).summary == "stale origin-down")
        }
        let other = RenditionRequest.blog("B", .native)
        #expect(try await test.service.rendition(for: other).summary == "placeholder origin-down")
        #expect(cms.server.requests.count - before == 5)
        #expect(test.service.metrics[.breakerOpenings] == 1)
        await test.service.shutDown()
    }

    @Test func `a CMS that asks for quiet gets it, and old pictures are served`() async throws {
        let cms = try ScriptedCMS.twoPictures()
        let test = try await service(cms)
        cms.answer { _ in .init(429, headers: [("Retry-After", "900")]) }
        let before = cms.server.requests.count
        for _ in 0..<20 {
            test.advance(1000)
            #expect(try await test.service.rendition(for: Self.native).summary == "stale origin-down")
        }
        #expect(cms.server.requests.count - before == 1)
        #expect(test.service.metrics[.originBusy] == 1)
        #expect(test.service.metrics[.originRefusals] == 19)
        await test.service.shutDown()
    }

    @Test(arguments: [LoopbackOrigin.Response(503), .init(429, headers: [("Retry-After", "2")])])
    func `a failure that passes is forgotten in seconds, and is never a missing picture`(
        _ failure: LoopbackOrigin.Response
    ) async throws {
        let cms = try ScriptedCMS.twoPictures()
        let test = try await service(cms)
        let isOver = Mutex(false)
        cms.answer { request in request.path.hasSuffix("B/native") && !isOver.withLock { $0 } ? failure : nil }
        let other = RenditionRequest.blog("B", .native)
        #expect(try await test.service.rendition(for: other).summary == "placeholder origin-down")
        isOver.withLock { $0 = true }
        let refused = try #require(cms.server.requests.last)
        try await until {
            // Well within the minute for which a missing picture is believed to be missing.
            test.advance(2.5)
            return try await test.service.rendition(for: other).summary == "rendition"
        }
        let sent = try #require(cms.server.requests.last { $0.path.hasSuffix("B/native") })
        if failure.status == 429 { #expect(sent.arrived - refused.arrived >= .seconds(2)) }
        cms.remove("B")
        test.advance(100_000)
        await #expect(throws: RenditionError.assetNotFound(channel: "blog", asset: "B")) {
            try await test.service.rendition(for: other)
        }
        await test.service.shutDown()
    }

    @Test func `a loop of redirects is one failure, and is not run through again at once`() async throws {
        let cms = try ScriptedCMS.twoPictures()
        let test = try await service(cms)
        let before = cms.downloads
        cms.answer { request in
            request.path.hasSuffix("B/native") ? .redirect(to: request.target) : nil
        }
        for _ in 0..<3 {
            let outcome = try await test.service.rendition(for: .blog("B", .native))
            #expect(outcome.summary == "placeholder origin-down")
        }
        #expect(cms.downloads - before == FetchSettings().maxRedirects + 1)
        await test.service.shutDown()
    }

    @Test func `a picture whose download is cut arrives whole, and is transferred once`() async throws {
        let picture = TestPicture.gradient(width: 900, height: 700, seed: 8)
        let cms = try ScriptedCMS(["A": .init(native: picture, entityTag: "\"v1\"")])
        let tag = [("ETag", "\"v1\"")]
        cms.answer { request in
            guard request.path.hasSuffix("/native") else { return nil }
            let whole = LoopbackOrigin.Response(type: "image/png", headers: tag, body: picture)
            return request["Range"] == nil ? whole.cut(after: picture.count / 2) : whole.ranged(for: request)
        }
        let test = try await TestService([TestService.ocm(cms)])
        let outcome = try await test.service.rendition(for: .blog("A", .native))
        #expect(outcome.summary == "rendition")
        #expect(try outcome.rendition.body.bytes() == picture)
        #expect(test.service.metrics[.originResumes] == 1)
        #expect(cms.server.hits(try #require(cms.server.requests.last).path) == 2)
        await test.service.shutDown()
    }
}
