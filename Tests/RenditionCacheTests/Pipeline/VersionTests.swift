import Foundation
import TestSupport
import Testing

@testable import RenditionCache

/// What becomes of a picture when its CMS publishes another version, or none that can be had.
@Suite struct VersionTests {
    @Test func `an old version is answered at once and checked behind, then the new one is served`() async throws {
        let cms = try ScriptedCMS.twoPictures()
        let test = try await TestService([TestService.ocm(cms)])
        let native = RenditionRequest.blog("A", .native)
        _ = try await test.service.rendition(for: native)
        cms.edit("A") { item in
            item.updated = "2026-02-02T00:00:00.000Z"
            item.native = ScriptedCMS.medium
        }
        test.advance(1000)
        let gate = Gate()
        cms.answer { request in
            gate.hold()
            return nil
        }
        #expect(test.service.cached(native) == nil)
        let hits = test.service.metrics[.hits]
        let old = try await test.service.rendition(for: native).rendition
        #expect(try old.body.bytes() == ScriptedCMS.picture)
        #expect(old.provenance.fieldValue == "origin;stale=100")
        #expect(test.service.metrics[.staleHits] == 1 && test.service.metrics[.hits] == hits)
        try await gate.waitUntilArrived(1)
        gate.open()
        while test.service.cached(native) == nil {
            _ = try await test.service.rendition(for: native)
        }
        #expect(try test.service.cached(native)?.body.bytes() == ScriptedCMS.medium)
        await test.service.shutDown()
    }

    @Test func `a check behind an answer is brought to its end when the service closes`() async throws {
        let cms = try ScriptedCMS.twoPictures()
        let clock = ManualTime(1_800_000_000)
        let first = try await TestService([TestService.ocm(cms)], clock: clock)
        let native = RenditionRequest.blog("A", .native)
        _ = try await first.service.rendition(for: native)
        cms.edit("A") { item in
            item.updated = "2026-02-02T00:00:00.000Z"
            item.native = ScriptedCMS.medium
        }
        clock.advance(by: 1000)
        let gate = Gate()
        cms.answer { _ in
            gate.hold()
            return nil
        }
        #expect(try await first.service.rendition(for: native).rendition.provenance.staleSeconds == 100)
        try await gate.waitUntilArrived(1)
        async let closing: Void = first.service.shutDown(within: .seconds(60))
        for _ in 0..<100 { await Task.yield() }
        gate.open()
        await closing
        let second = try await TestService([TestService.ocm(cms)], cache: first.cache, clock: clock)
        let fresh = try await second.service.rendition(for: native).rendition
        #expect(try fresh.body.bytes() == ScriptedCMS.medium)
        #expect(fresh.provenance.staleSeconds == nil)
        await second.service.shutDown()
    }

    @Test func `while a new version cannot be fetched the version before it is served`() async throws {
        let cms = try ScriptedCMS.twoPictures()
        let test = try await TestService([TestService.ocm(cms) { $0.staleWhileRevalidate = .zero }])
        let native = RenditionRequest.blog("A", .native)
        _ = try await test.service.rendition(for: native)
        cms.edit("A") { $0.updated = "2026-02-02T00:00:00.000Z" }
        cms.answer { $0.path.hasSuffix("/native") ? .json("{}", status: 503) : nil }
        test.advance(1000)
        let stale = try await test.service.rendition(for: native)
        #expect(stale.summary == "stale origin-down")
        #expect(try stale.rendition.body.bytes() == ScriptedCMS.picture)
        await test.service.shutDown()
    }

    @Test func `a new version of the same bytes transfers none, and one of other bytes all`() async throws {
        let cms = try ScriptedCMS.twoPictures()
        cms.edit("A") { $0.entityTag = "\"one\"" }
        let test = try await TestService([TestService.ocm(cms) { $0.staleWhileRevalidate = .zero }])
        let native = RenditionRequest.blog("A", .native)
        _ = try await test.service.rendition(for: native)
        cms.edit("A") { $0.updated = "2026-02-02T00:00:00.000Z" }
        test.advance(1000)
        let before = test.service.metrics[.originBytes]
        let same = try await test.service.rendition(for: native)
        #expect(same.summary == "rendition")
        #expect(try same.rendition.body.bytes() == ScriptedCMS.picture)
        #expect(cms.server.requests.last?["If-None-Match"] == "\"one\"")
        #expect(test.service.metrics[.originBytes] - before < 2000)
        #expect(try test.service.cached(native)?.body.bytes() == ScriptedCMS.picture)
        cms.edit("A") { item in
            item.updated = "2026-03-03T00:00:00.000Z"
            item.entityTag = "\"two\""
            item.native = ScriptedCMS.medium
        }
        test.advance(1000)
        #expect(try await test.service.rendition(for: native).rendition.body.bytes() == ScriptedCMS.medium)
        await test.service.shutDown()
    }

    @Test func `the last good version outlives any number of versions that nobody could fetch`() async throws {
        let cms = try ScriptedCMS.twoPictures()
        let test = try await TestService([TestService.ocm(cms) { $0.staleWhileRevalidate = .zero }])
        let native = RenditionRequest.blog("A", .native)
        _ = try await test.service.rendition(for: native)
        cms.answer { $0.path.hasSuffix("/native") ? .json("{}", status: 503) : nil }
        for day in 2...4 {
            cms.edit("A") { $0.updated = "2026-02-0\(day)T00:00:00.000Z" }
            test.advance(1000)
            let stale = try await test.service.rendition(for: native)
            #expect(stale.summary == "stale origin-down")
            #expect(try stale.rendition.body.bytes() == ScriptedCMS.picture)
        }
        await test.service.shutDown()
    }

    @Test func `a rendition that the CMS calls like a transform is another one`() async throws {
        let cms = try ScriptedCMS([
            "A": .init(native: ScriptedCMS.picture, renditions: ["width=64?format=jpg": ScriptedCMS.medium])
        ])
        let test = try await TestService([TestService.ocm(cms)])
        let own = try await test.service.rendition(for: RenditionRequest.blog("A", .named("width=64", format: nil)))
            .rendition
        #expect(own.provenance.fieldValue == "origin")
        let transform = Transform(resize: .inside(width: 64, height: nil))
        let made = try await test.service.rendition(for: RenditionRequest.blog("A", .transform(transform))).rendition
        #expect(made.provenance.fieldValue == "local" && made.size == PixelSize(width: 64, height: 48))
        await test.service.shutDown()
    }
}
