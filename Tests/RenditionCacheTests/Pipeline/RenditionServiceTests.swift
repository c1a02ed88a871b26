import Foundation
import TestSupport
import Testing

@testable import RenditionCache

@Suite struct RenditionServiceTests {
    @Test func `a native is fetched once and is then a hit that asks nobody, also after a restart`() async throws {
        let cms = try ScriptedCMS.twoPictures()
        let first = try await TestService([TestService.ocm(cms)])
        let native = RenditionRequest.blog("A", .native)
        #expect(first.service.cached(native) == nil)
        let fetched = try await first.service.rendition(for: native)
        #expect(fetched.summary == "rendition")
        #expect(try fetched.rendition.body.bytes() == ScriptedCMS.picture)
        #expect(fetched.rendition.mediaType == "image/png")
        let asked = cms.server.requests.count
        #expect(try first.service.cached(native)?.body.bytes() == ScriptedCMS.picture)
        #expect(first.service.cached(native)?.entityTag == fetched.rendition.entityTag)
        await first.service.shutDown()

        let second = try await TestService([TestService.ocm(cms)], cache: first.cache)
        #expect(try second.service.cached(native)?.body.bytes() == ScriptedCMS.picture)
        #expect(cms.server.requests.count == asked)
        await second.service.shutDown()
    }

    @Test func `the origin's own rendition comes first, what it lacks is rendered from the native`() async throws {
        let cms = try ScriptedCMS.twoPictures()
        let test = try await TestService([TestService.ocm(cms)])
        let own = try await test.service.rendition(for: RenditionRequest.blog("A", .named("Medium", format: .jpeg)))
            .rendition
        #expect(try own.body.bytes() == ScriptedCMS.medium)
        #expect(own.provenance.fieldValue == "origin")
        let made = try await test.service.rendition(for: RenditionRequest.blog("B", .named("Thumbnail", format: .webp)))
            .rendition
        #expect(made.provenance.fieldValue == "local")
        #expect(made.size == PixelSize(width: 150, height: 100))
        #expect(try made.body.bytes().withUnsafeBytes { ImageFormat(signature: $0) } == .webp)
        #expect(made.mediaType == "image/webp")
        #expect(made.fileName == "b-Thumbnail.webp")
        await #expect(throws: RenditionError.renditionNotFound(channel: "blog", asset: "B", rendition: "Square")) {
            try await test.service.rendition(for: RenditionRequest.blog("B", .named("Square", format: nil)))
        }
        await test.service.shutDown()
    }

    @Test func `fifty clients of one cold rendition cost one fetch and one render`() async throws {
        let cms = try ScriptedCMS.twoPictures()
        let gate = Gate()
        cms.answer {
            $0.path.hasSuffix("/native") ? .init(type: "image/png", body: ScriptedCMS.picture).held(by: gate) : nil
        }
        let test = try await TestService([TestService.ocm(cms)])
        let wanted = RenditionRequest.blog("A", .transform(Transform(resize: .inside(width: 64, height: nil))))
        try await withThrowingTaskGroup(of: RenditionOutcome.self) { group in
            for _ in 0..<50 { group.addTask { try await test.service.rendition(for: wanted) } }
            try await until { test.service.metrics[.flightsJoined] == 49 }
            gate.open()
            for try await outcome in group {
                #expect(outcome.rendition.size == PixelSize(width: 64, height: 48))
            }
        }
        #expect(cms.downloads == 1)
        #expect(test.service.metrics[.renders] == 1)
        await test.service.shutDown()
    }

    @Test func `when the origin is down what was once served is served stale, and a placeholder stands for the rest`()
        async throws
    {
        let cms = try ScriptedCMS.twoPictures()
        let test = try await TestService([TestService.ocm(cms)])
        let native = RenditionRequest.blog("A", .native)
        _ = try await test.service.rendition(for: native)
        cms.goDown()
        test.advance(2 * 86_400)
        let stale = try await test.service.rendition(for: native)
        #expect(stale.summary == "stale origin-down")
        #expect(try stale.rendition.body.bytes() == ScriptedCMS.picture)
        #expect(stale.rendition.provenance.fieldValue == "origin;stale=\(2 * 86_400 - 900);cause=origin-down")

        let unknown = try await test.service.rendition(
            for: RenditionRequest.blog("B", .named("Thumbnail", format: .png))
        )
        #expect(unknown.summary == "placeholder origin-down")
        #expect(unknown.rendition.size == PixelSize(width: 150, height: 112))
        #expect(unknown.rendition.entityTag == nil)
        #expect(try unknown.rendition.body.bytes().withUnsafeBytes { ImageFormat(signature: $0) } == .png)
        #expect(test.service.statistics().entries == 1)

        let held = try await test.service.rendition(for: RenditionRequest.blog("A", .named("Small", format: nil)))
        #expect(held.summary == "stale origin-down")
        #expect(held.rendition.size == PixelSize(width: 300, height: 225))
        #expect(held.rendition.provenance.fieldValue == "local;stale=\(2 * 86_400 - 900);cause=origin-down")

        cms.answer(with: nil)
        test.advance(3)
        #expect(
            try await test.service.rendition(for: RenditionRequest.blog("B", .named("Thumbnail", format: .png))).summary
                == "rendition"
        )
        test.advance(8 * 86_400)
        cms.goDown()
        #expect(try await test.service.rendition(for: native).summary == "placeholder origin-down")
        await test.service.shutDown()
    }

    @Test func `a storm on a picture that cannot be had draws one stand-in`() async throws {
        let cms = try ScriptedCMS.twoPictures()
        cms.goDown()
        let test = try await TestService([TestService.ocm(cms)])
        let outcomes = try await withThrowingTaskGroup(of: String.self) { group in
            for index in 0..<64 {
                let wanted = RenditionRequest.blog("A\(index)", .named("Thumbnail", format: .png))
                group.addTask { try await test.service.rendition(for: wanted).summary }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(outcomes == ["placeholder origin-down"])
        #expect(test.service.metrics[.renders] == 1)
        await test.service.shutDown()
    }

    @Test func `what was warmed without naming a format answers an app that names the one the CMS chose`() async throws
    {
        let cms = try ScriptedCMS.twoPictures()
        let test = try await TestService([TestService.ocm(cms)])
        let warmed = try await test.service.rendition(for: RenditionRequest.blog("A", .named("Medium", format: nil)))
        #expect(warmed.rendition.format == .png)
        let asked = cms.server.requests.count
        let same = RenditionRequest.blog("A", .named("Medium", format: .png))
        #expect(try test.service.cached(same)?.body.bytes() == ScriptedCMS.medium)
        #expect(try test.service.explain(same).verdict == .hit)
        #expect(cms.server.requests.count == asked)
        #expect(test.service.cached(RenditionRequest.blog("A", .named("Medium", format: .webp))) == nil)
        cms.goDown()
        test.advance(2 * 86_400)
        let stale = try await test.service.rendition(for: same)
        #expect(stale.summary == "stale origin-down")
        #expect(try stale.rendition.body.bytes() == ScriptedCMS.medium)
        await test.service.shutDown()
    }

    @Test func `what the origin no longer has is gone, and asked for once a minute`() async throws {
        let cms = try ScriptedCMS.twoPictures()
        let test = try await TestService([TestService.ocm(cms)])
        let native = RenditionRequest.blog("A", .native)
        _ = try await test.service.rendition(for: native)
        cms.remove("A")
        test.advance(100_000)
        let gone = RenditionError.assetNotFound(channel: "blog", asset: "A")
        await #expect(throws: gone) { try await test.service.rendition(for: native) }
        let asked = cms.server.requests.count
        await #expect(throws: gone) { try await test.service.rendition(for: native) }
        #expect(cms.server.requests.count == asked)
        await #expect(throws: RenditionError.notCached(channel: "blog", asset: "A")) {
            try await test.service.offlineRendition(for: native)
        }
        await test.service.shutDown()
    }

    static let lies: [(String, LoopbackOrigin.Response)] = [
        ("an error page", .init(type: "text/html", body: "<html>busy</html>".utf8)),
        ("an error page that says it is a picture", .init(type: "image/png", body: "<html>busy</html>".utf8)),
        ("nothing", .init(type: "image/png")),
        ("half a picture", .init(type: "image/png", body: ScriptedCMS.picture.prefix(ScriptedCMS.picture.count / 2))),
        (
            "a picture cut on the way",
            LoopbackOrigin.Response(type: "image/png", body: ScriptedCMS.picture).cut(after: 5000)
        ),
        ("a refusal", .json(#"{"title":"Forbidden"}"#, status: 403)),
    ]

    @Test(arguments: lies)
    func `what is not the picture is never stored`(_ name: String, _ lie: LoopbackOrigin.Response) async throws {
        let cms = try ScriptedCMS.twoPictures()
        let test = try await TestService([TestService.ocm(cms)])
        cms.answer { $0.path.hasSuffix("/native") ? lie : nil }
        let outcome = try await test.service.rendition(for: RenditionRequest.blog("A", .native))
        #expect(outcome.summary.hasPrefix("placeholder"), "\(name): \(outcome.summary)")
        #expect(test.service.statistics().entries == 0)
        cms.answer(with: nil)
        test.advance(61)
        #expect(
            try await test.service.rendition(for: RenditionRequest.blog("A", .native)).rendition.body.bytes()
                == ScriptedCMS.picture
        )
        await test.service.shutDown()
    }

    @Test func `what does not fit the cache streams through and says so`() async throws {
        let cms = try ScriptedCMS.twoPictures()
        let test = try await TestService([TestService.ocm(cms)]) { $0.cache.maxBytes = 300_000 }
        let passed = try await test.service.rendition(for: RenditionRequest.blog("A", .native)).rendition
        #expect(try passed.body.bytes() == ScriptedCMS.picture)
        #expect(passed.provenance.fieldValue == "origin;stored=?0")
        #expect(test.service.metrics[.notStored] == 1)
        #expect(test.service.statistics().entries == 0)
        await test.service.shutDown()
    }

    @Test(arguments: [("cause=undecodable", "undecodable"), ("cause=timeout", "timeout"), ("", "origin-down")])
    func `a stand-in that another rcache sends is not taken for the picture, and its cause is ours`(
        _ parameter: String,
        _ cause: String
    ) async throws {
        let cms = try ScriptedCMS.twoPictures()
        let test = try await TestService([TestService.ocm(cms)])
        cms.answer { request in
            guard request.path.contains("/assets/") else { return nil }
            var stand = LoopbackOrigin.Response(type: "image/png", body: ScriptedCMS.medium)
            stand.headers.append(("RCache-Provenance", "placeholder;\(parameter)"))
            return stand
        }
        for selection in [RenditionRequest.Selection.native, .named("Medium", format: .jpeg)] {
            #expect(
                try await test.service.rendition(for: RenditionRequest.blog("A", selection)).summary
                    == "placeholder \(cause)"
            )
        }
        #expect(test.service.statistics().entries == 0)
        await test.service.shutDown()
    }

    @Test func `a native too large for memory is rendered without what is stored behind it`() async throws {
        let padding = String(repeating: "<!-- as large as a blob file that is not read into memory -->\n", count: 6000)
        let svg =
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"20\"><rect width=\"40\" height=\"20\"/>"
        let cms = try ScriptedCMS([
            "S": .init(name: "s.svg", native: Array((svg + padding + "</svg>").utf8), mediaType: "image/svg+xml")
        ])
        let test = try await TestService([TestService.ocm(cms)])
        let small = RenditionRequest.blog("S", .transform(Transform(resize: .inside(width: 20, height: nil))))
        let outcome = try await test.service.rendition(for: small)
        #expect(outcome.summary == "rendition")
        #expect(outcome.rendition.size == PixelSize(width: 20, height: 10))
        guard case .file = try await test.service.rendition(for: RenditionRequest.blog("S", .native)).rendition.body
        else {
            Issue.record("the native is in memory, so this test shows nothing")
            return
        }
        await test.service.shutDown()
    }

    @Test func `a JPEG cut within its last scan is found out by decoding and not stored`() async throws {
        let whole = TestJPEG(40, 30) { x, y in [(x &* 7919 ^ y &* 104_729) % 256, 128, 128] }.bytes
        let cms = try ScriptedCMS([
            "cut": .init(name: "cut.jpg", native: Array(whole.prefix(whole.count * 6 / 10)), mediaType: "image/jpeg"),
            "short": .init(name: "short.jpg", native: Array(whole.dropLast(2)), mediaType: "image/jpeg"),
        ])
        let test = try await TestService([TestService.ocm(cms)])
        let cut = try await test.service.rendition(for: RenditionRequest.blog("cut", .native))
        #expect(cut.summary == "placeholder undecodable")
        let short = try await test.service.rendition(for: RenditionRequest.blog("short", .native))
        #expect(short.summary == "rendition")
        #expect(test.service.statistics().entries == 1)
        await test.service.shutDown()
    }

    @Test func `a download tells how far it has come`() async throws {
        let cms = try ScriptedCMS.twoPictures()
        let test = try await TestService([TestService.ocm(cms)])
        let heard = Heard()
        _ = try await test.service.rendition(for: RenditionRequest.blog("A", .native)) { heard.note($0, $1) }
        let last = try #require(heard.last)
        #expect(last.received == ScriptedCMS.picture.count && last.expected == ScriptedCMS.picture.count)
        await test.service.shutDown()
    }

    @Test func `an unknown channel names the ones there are`() async throws {
        let test = try await TestService([TestService.ocm(try ScriptedCMS.twoPictures())])
        await #expect(throws: RenditionError.unknownChannel("blgo", known: ["blog"])) {
            try await test.service.rendition(for: RenditionRequest(channel: "blgo", asset: .id("A")))
        }
        await test.service.shutDown()
    }
}
