import TestSupport
import Testing

@testable import RenditionCache

/// Where a catalogue names no version, the digest of the native's bytes is it, and the origin confirms it by its validators.
@Suite struct ByteVersionTests {
    private static let native = RenditionRequest.blog("A", .native)
    private static let small = RenditionRequest.blog(
        "A",
        .transform(Transform(resize: .inside(width: 20, height: nil)))
    )

    /// A CMS that never says when a picture was published.
    private func cms(tag: String? = "\"1\"") throws -> ScriptedCMS {
        try ScriptedCMS(["A": .init(updated: nil, native: ScriptedCMS.picture, entityTag: tag)])
    }

    private func channel(_ cms: ScriptedCMS) -> ChannelSettings {
        TestService.ocm(cms) { $0.staleWhileRevalidate = .zero }
    }

    @Test func `the version is the digest of the bytes, which come once for all forms`() async throws {
        let cms = try cms()
        let test = try await TestService([channel(cms)])
        _ = try await test.service.rendition(for: Self.small)
        let rendition = try await test.service.rendition(for: Self.native).rendition
        #expect(try rendition.body.bytes() == ScriptedCMS.picture)
        #expect(rendition.digest == Digest(of: ScriptedCMS.picture))
        #expect(try test.service.explain(Self.native).version == Digest(of: ScriptedCMS.picture).description)
        #expect(cms.nativesSent == 1)
        await test.service.shutDown()
    }

    @Test func `a check that the origin answers with 304 keeps every form and moves no body`() async throws {
        let cms = try cms()
        let test = try await TestService([channel(cms)])
        _ = try await test.service.rendition(for: Self.small)
        test.advance(1000)
        #expect(test.service.cached(Self.small) == nil)
        let renders = test.service.metrics[.misses]
        #expect(try await test.service.rendition(for: Self.small).summary == "rendition")
        #expect(cms.nativesSent == 1 && test.service.metrics[.misses] == renders)
        #expect(test.service.cached(Self.small) != nil)
        await test.service.shutDown()
    }

    @Test func `without validators the same bytes are the same version, though they come again`() async throws {
        let cms = try cms(tag: nil)
        let test = try await TestService([channel(cms)])
        _ = try await test.service.rendition(for: Self.small)
        test.advance(1000)
        _ = try await test.service.rendition(for: Self.small)
        #expect(cms.nativesSent == 2 && test.service.metrics[.misses] == 1)
        await test.service.shutDown()
    }

    @Test func `new bytes are a new version of every form, and the old one stands in while the origin is down`()
        async throws
    {
        let cms = try cms()
        let test = try await TestService([channel(cms)])
        let old = try await test.service.rendition(for: Self.small).rendition
        cms.edit("A") { item in
            item.native = TestPicture.gradient(width: 400, height: 300, seed: 9)
            item.entityTag = "\"2\""
        }
        test.advance(1000)
        cms.goDown()
        let stale = try await test.service.rendition(for: Self.small)
        #expect(stale.summary == "stale origin-down" && stale.rendition.digest == old.digest)
        cms.answer(with: nil)
        test.advance(100)
        let new = try await test.service.rendition(for: Self.small)
        #expect(new.summary == "rendition" && new.rendition.digest != old.digest)
        #expect(cms.nativesSent == 2)
        await test.service.shutDown()
    }

    @Test func `what the cache has no room for is handed on after one download`() async throws {
        let cms = try cms()
        let test = try await TestService([channel(cms)]) { $0.cache.maxBytes = 200_000 }
        let rendition = try await test.service.rendition(for: Self.native).rendition
        #expect(try rendition.body.bytes() == ScriptedCMS.picture)
        #expect(!rendition.provenance.isStored && cms.nativesSent == 1)
        await test.service.shutDown()
    }

    @Test func `a second warm of an unchanged channel moves no body, one with refresh neither`() async throws {
        var items: [String: ScriptedCMS.Item] = [:]
        for index in 0..<20 {
            let picture = TestPicture.gradient(width: 60, height: 40, seed: index)
            items["P\(index)"] = .init(updated: nil, native: picture, entityTag: "\"\(index)\"")
        }
        let cms = try ScriptedCMS(items)
        let test = try await TestService([channel(cms)])
        var plan = WarmPlan(channel: "blog", selections: [.native, .named("Thumbnail", format: .jpeg)])
        plan.dryRun = true
        #expect(try await WarmRunner.run(test.service, plan).done == 20)
        #expect(cms.nativesSent == 0)
        plan.dryRun = false
        let first = try await WarmRunner.run(test.service, plan)
        #expect(first.done == 20 && first.fetched == 20 && first.rendered == 20)
        test.advance(100_000)
        let second = try await WarmRunner.run(test.service, plan)
        #expect(second.done == 20 && second.fetched == 0 && second.present == 40)
        plan.refresh = true
        plan.selections.append(.transform(Transform(resize: .inside(width: 20, height: nil))))
        #expect(try await WarmRunner.run(test.service, plan).rendered == 20)
        let refreshed = try await WarmRunner.run(test.service, plan)
        // What is made of bytes that were confirmed is not made again.
        #expect(refreshed.done == 20 && refreshed.rendered == 0 && refreshed.present == 60)
        #expect(cms.nativesSent == 20)
        await test.service.shutDown()
    }
}
