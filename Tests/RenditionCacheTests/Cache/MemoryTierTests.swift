import Testing

@testable import RenditionCache

@Suite struct MemoryTierTests {
    private func digest(_ name: String) -> Digest { Digest(of: Array(name.utf8)) }

    @Test func `the least recently used body leaves when the limit is reached`() {
        let tier = MemoryTier(maxBytes: 300)
        for name in ["a", "b", "c"] { tier.keep([UInt8](repeating: 1, count: 100), as: digest(name)) }
        #expect(tier.body(digest("a")) != nil)
        tier.keep([UInt8](repeating: 2, count: 150), as: digest("d"))
        #expect(tier.body(digest("b")) == nil)
        #expect(tier.body(digest("c")) == nil)
        #expect(tier.body(digest("a")) != nil)
        #expect(tier.body(digest("d"))?.count == 150)
        #expect(tier.byteCount == 250)
    }

    @Test func `a body larger than the tier, or than a small body, is not kept`() {
        let tier = MemoryTier(maxBytes: 10)
        tier.keep([UInt8](repeating: 1, count: 11), as: digest("a"))
        #expect(tier.body(digest("a")) == nil)
        let large = MemoryTier(maxBytes: 10_000_000)
        large.keep([UInt8](repeating: 1, count: MemoryTier.largestBody + 1), as: digest("a"))
        #expect(large.byteCount == 0)
    }

    @Test func `a forgotten body gives its room back`() {
        let tier = MemoryTier(maxBytes: 100)
        tier.keep([1, 2, 3], as: digest("a"))
        tier.forget(digest("a"))
        tier.forget(digest("a"))
        #expect(tier.byteCount == 0)
        #expect(tier.body(digest("a")) == nil)
    }
}
