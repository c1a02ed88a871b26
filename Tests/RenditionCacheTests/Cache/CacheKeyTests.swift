import Testing

@testable import RenditionCache

@Suite struct CacheKeyTests {
    @Test(arguments: [
        (["a", "bc"], ["ab", "c"]),
        (["blog", "a", "1"], ["blog", "a1", ""]),
        (["blog", "x"], ["blog\u{0}x"]),
        (["", "a"], ["a", ""]),
        (["a"], ["a", ""]),
        ([], [""]),
        (["é"], ["e\u{301}"]),
    ])
    func `parts that only join alike have different keys`(_ left: [String], _ right: [String]) {
        #expect(CacheKey(parts: left) != CacheKey(parts: right))
    }

    @Test func `no two of a hundred thousand random lists of parts share a key`() {
        var random = SeededGenerator(seed: 38)
        let alphabet = ["", "a", "b", "ab", "\u{0}", "\u{1}", "aa", "1", "\u{8}"]
        var keys: [CacheKey: [String]] = [:]
        for _ in 0..<100_000 {
            let parts = (0..<Int.random(in: 0...6, using: &random)).compactMap { _ in
                alphabet.randomElement(using: &random)
            }
            let key = CacheKey(parts: parts)
            #expect(keys.updateValue(parts, forKey: key) ?? parts == parts)
        }
        #expect(keys.count > 30_000)
    }

    @Test func `a key is the same in every run`() {
        let key = CacheKey(parts: ["blog", "CONT1"])
        #expect(key.description == "a6745a0726535109813104b952a14f01a2be6766e608da47a9ba8aa7a879f016")
    }
}
