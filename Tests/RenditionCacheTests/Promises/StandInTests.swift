import Foundation
import TestSupport
import Testing

@testable import RenditionCache

/// Promise 4: a placeholder is never stored, validated or counted as the picture.
@Suite("Promise 4: a placeholder is never stored, validated or counted as the picture") struct StandInTests {
    static let picture = TestPicture.gradient(width: 400, height: 300)

    static let selections: [RenditionRequest.Selection] = [
        .native, .named("Medium", format: .jpeg), .named("Thumbnail", format: nil),
        .transform(Transform(resize: .inside(width: 64, height: nil), format: .fixed(.webp))),
    ]

    private func request(_ selection: RenditionRequest.Selection) -> RenditionRequest {
        RenditionRequest(channel: "blog", asset: .id("A"), selection: selection)
    }

    @Test(arguments: selections)
    func `a stand-in leaves nothing behind, on disk or in the index`(_ selection: RenditionRequest.Selection)
        async throws
    {
        let cms = try ScriptedCMS(["A": .init(native: Self.picture)])
        cms.goDown()
        let test = try await TestService([TestService.ocm(cms)])
        let request = request(selection)
        for _ in 0..<3 {
            let outcome = try await test.service.rendition(for: request)
            #expect(outcome.summary == "placeholder origin-down")
            #expect(outcome.rendition.provenance.fieldValue.hasPrefix("placeholder;cause=origin-down"))
            // Nothing to revalidate it by, and no time for which it is good.
            #expect(outcome.rendition.entityTag == nil)
            #expect(outcome.rendition.modifiedSeconds == nil)
            #expect(outcome.rendition.lifetimeSeconds == 0)
            #expect(test.service.cached(request) == nil)
        }
        await #expect(throws: RenditionError.notCached(channel: "blog", asset: "A")) {
            try await test.service.offlineRendition(for: request)
        }
        #expect(test.service.statistics().entries == 0)
        #expect(test.service.metrics[.placeholders] == 3)
        #expect(test.service.metrics[.hits] + test.service.metrics[.staleHits] + test.service.metrics[.misses] == 0)
        #expect(test.service.metrics[.stored] == 0 && test.service.metrics[.storedBytes] == 0)
        await test.service.shutDown()
        let blobs = FileManager.default.enumerator(atPath: test.cache.file("cache/blobs"))?.compactMap { $0 as? String }
        #expect(blobs?.contains { $0.utf8.count == 67 } == false)
    }

    @Test func `the picture takes the stand-in's place as soon as it can be had, also after a restart`() async throws {
        let cms = try ScriptedCMS(["A": .init(native: Self.picture)])
        cms.goDown()
        let first = try await TestService([TestService.ocm(cms)])
        for selection in Self.selections { _ = try await first.service.rendition(for: request(selection)) }
        await first.service.shutDown()
        cms.answer(with: nil)
        let second = try await TestService([TestService.ocm(cms)], cache: first.cache)
        for selection in Self.selections {
            #expect(try await second.service.rendition(for: request(selection)).summary == "rendition", "\(selection)")
        }
        #expect(try await second.service.rendition(for: request(.native)).rendition.body.bytes() == Self.picture)
        await second.service.shutDown()
    }

    @Test func `the last good picture is never replaced by a stand-in`() async throws {
        let cms = try ScriptedCMS(["A": .init(native: Self.picture)])
        let test = try await TestService([TestService.ocm(cms)])
        var good: [Digest] = []
        for selection in Self.selections {
            good.append(try await test.service.rendition(for: request(selection)).rendition.digest)
        }
        cms.goDown()
        test.advance(2 * 86_400)
        for (selection, digest) in zip(Self.selections, good) {
            let stale = try await test.service.rendition(for: request(selection))
            #expect(stale.summary == "stale origin-down")
            #expect(stale.rendition.digest == digest)
        }
        // A size that was never made is rendered from the native that is still here, which is better than a stand-in.
        let other = request(.transform(Transform(resize: .inside(width: 33, height: nil))))
        let made = try await test.service.rendition(for: other)
        #expect(made.summary == "stale origin-down")
        #expect(made.rendition.size?.width == 33)
        #expect(test.service.statistics().entries == Self.selections.count + 1)
        await test.service.shutDown()
    }

    @Test func `a warm counts what it could not have as failed`() async throws {
        let cms = try ScriptedCMS(["A": .init(native: Self.picture)])
        cms.answer { $0.path.contains("/assets/") ? .json("{}", status: 503) : nil }
        let test = try await TestService([TestService.ocm(cms)])
        var summary: WarmSummary?
        for try await event in test.service.warm(WarmPlan(channel: "blog", selections: Self.selections)) {
            if case .finished(let final) = event { summary = final }
        }
        #expect(summary?.done == 0)
        #expect(summary?.failed == ["origin-down": 1])
        #expect(summary?.fetched == 0 && summary?.rendered == 0 && summary?.present == 0)
        #expect(test.service.statistics().entries == 0)
        await test.service.shutDown()
    }
}
