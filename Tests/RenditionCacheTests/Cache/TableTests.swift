import Testing

@testable import RenditionCache

@Suite struct TableTests {
    /// Digests with few different hashes, so that probing and its gaps are exercised.
    private static func crowded(_ number: Int) -> Digest {
        var bytes = [UInt8](repeating: 0, count: 32)
        bytes[15] = UInt8(number % 5)
        bytes[31] = UInt8(number & 0xFF)
        bytes[30] = UInt8(number >> 8)
        return Digest(bytes: bytes) ?? .zero
    }

    @Test(arguments: [1, 2, 3]) func `a digest table does what a dictionary does`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var table = DigestTable<Int>(vacant: 0)
        var model: [Digest: Int] = [:]
        for step in 0..<20_000 {
            let digest = Self.crowded(.random(in: 0..<300, using: &random))
            switch (table.find(digest), Bool.random(using: &random)) {
            case (let slot?, true):
                #expect(table.remove(slot) == model.removeValue(forKey: digest))
            case (let slot?, false):
                #expect(table[slot] == model[digest])
                table[slot] = step
                model[digest] = step
            case (nil, _):
                #expect(model.updateValue(step, forKey: digest) == nil)
                _ = table.insert(digest, step)
            }
        }
        var found: [Digest: Int] = [:]
        table.forEach { found[$0] = $1 }
        #expect(found == model)
        #expect(table.count == model.count)
    }

    @Test(arguments: [11, 12, 13]) func `the least recently used entry leaves first`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let time = ManualTime(1_000)
        let table = EntryTable(clock: UseClock(now: { time.seconds }))
        let encoded = MetadataCoding.encode(sampleMetadata("a"))
        var model: [CacheKey] = []  // the oldest first
        for step in 0..<20_000 {
            let key = cacheKey("\(Int.random(in: 0..<500, using: &random))")
            // The clock stands still, runs, and is set back.
            if step % 7 == 0 { time.advance(by: .random(in: -5...10, using: &random)) }
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4:
                #expect((table.use(key) != nil) == model.contains(key))
                if let index = model.firstIndex(of: key) { model.append(model.remove(at: index)) }
            case 4..<8:
                let tick = table.clock.tick()
                let row = EntryTable.Row(key: key, digest: .zero, byteCount: step, tick: tick, metadata: encoded)
                #expect((table.insert(row) != nil) == model.contains(key))
                model.removeAll { $0 == key }
                model.append(key)
            case 8:
                #expect((table.remove(key) != nil) == (model.firstIndex(of: key).map { model.remove(at: $0) } != nil))
            default: #expect(table.removeOldest()?.key == (model.isEmpty ? nil : model.removeFirst()))
            }
        }
        while let row = table.removeOldest() { #expect(row.key == model.removeFirst()) }
        #expect(model.isEmpty)
    }

    @Test func `an asset's entries are found, and no others`() {
        let table = EntryTable(clock: UseClock(now: { 1 }))
        for asset in 0..<50 {
            for form in ["native", "Small", "Medium"] {
                let metadata = MetadataCoding.encode(sampleMetadata("\(asset)", form: form))
                let key = CacheKey(parts: ["\(asset)", form])
                table.insert(.init(key: key, digest: .zero, byteCount: 1, tick: 1, metadata: metadata))
            }
        }
        _ = table.remove(CacheKey(parts: ["7", "Small"]))
        let forms = table.entries(channel: "blog", asset: "7").map(\.metadata.form).sorted()
        #expect(forms == ["Medium", "native"])
        #expect(table.entries(channel: "news", asset: "7").isEmpty)
        #expect(table.entries(channel: "blog", asset: "50").isEmpty)
    }

    @Test func `uses are handed out once, with their last time`() {
        let time = ManualTime(5)
        let table = EntryTable(clock: UseClock(now: { time.seconds }))
        for name in ["a", "b"] {
            table.insert(
                .init(
                    key: cacheKey(name),
                    digest: .zero,
                    byteCount: 1,
                    tick: 1,
                    metadata: MetadataCoding.encode(sampleMetadata(name))
                )
            )
        }
        _ = table.use(cacheKey("a"))
        time.advance(by: 1)
        _ = table.use(cacheKey("a"))
        let uses = table.takeTouched(limit: 10)
        #expect(uses.map(\.key) == [cacheKey("a")])
        #expect(uses.first?.tick == 6_000_000)
        #expect(table.takeTouched(limit: 10).isEmpty)
        _ = table.use(cacheKey("b"))
        _ = table.remove(cacheKey("b"))
        #expect(table.takeTouched(limit: 10).isEmpty)
    }
}
