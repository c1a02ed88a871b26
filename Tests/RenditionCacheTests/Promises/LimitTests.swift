import Foundation
import Testing

@testable import RenditionCache

/// Promise 3: disk use never exceeds `maxBytes`, temporary files included; what cannot be reserved streams through.
@Suite("Promise 3: disk use never exceeds the limit") struct LimitTests {
    private let cache: TemporaryCache

    init() throws { cache = try TemporaryCache() }

    @Test func `thirty-two writers of unique megabytes stay below twenty megabytes`() async throws {
        let limit = 20_000_000
        let store = try await cache.open(maxBytes: limit)
        let sampler = DiskSampler(cache)
        let pool = BlockingPool(threads: 32)
        let refused = try await withThrowingTaskGroup(of: Int.self) { group in
            for writer in 0..<32 {
                group.addTask {
                    var refused = 0
                    for round in 0..<8 {
                        let name = "\(writer)-\(round)"
                        let bytes = sampleBody(name, count: 1_000_000)
                        do {
                            let blob = try await pool.run { () throws(CacheError) in
                                let blob = try store.writer()
                                // Half of the bodies say how long they will be.
                                if writer % 2 == 0 { try blob.expect(byteCount: bytes.count) }
                                for start in stride(from: 0, to: bytes.count, by: 50_000) {
                                    try blob.append(Array(bytes[start..<start + 50_000]))
                                }
                                return blob
                            }
                            _ = try await store.commit(blob, as: cacheKey(name), sampleMetadata(name))
                        } catch CacheError.noRoom {
                            refused += 1
                        }
                    }
                    return refused
                }
            }
            return try await group.reduce(0, +)
        }
        let (highest, samples) = sampler.finish()
        #expect(highest <= limit)
        #expect(highest > limit / 2)
        #expect(samples > 10)
        #expect(cache.metrics[.stored] == 256 - refused)
        #expect(cache.metrics[.stored] > 32)
        #expect(store.entryCount >= 10)
        await store.close()
        #expect(store.allocatedBytes >= cache.allocatedBytes())
        #expect(store.allocatedBytes - cache.allocatedBytes() < 100_000)
        #expect(store.disk.ledger.allReserved == 0)
    }

    @Test func `a body larger than the limit is refused and nothing is left over or evicted`() async throws {
        let store = try await cache.open(maxBytes: 1_000_000)
        try await store.store(sampleBody("small", count: 50_000), as: "small")
        let before = store.allocatedBytes
        let writer = try store.writer()
        #expect(throws: CacheError.noRoom(bytes: 3_014_656, limit: 1_000_000)) {
            try writer.expect(byteCount: 3_000_000)
        }
        #expect(store.allocatedBytes == before)
        #expect(throws: CacheError.self) {
            for number in 0..<30 { try writer.append(sampleBody("\(number)", count: 100_000)) }
        }
        writer.cancel()
        #expect(try cache.files(in: "tmp").isEmpty)
        #expect(store.disk.ledger.allReserved == 0)
        await store.close()
    }

    @Test func `eviction follows use, as a small model says`() async throws {
        var random = SeededGenerator(seed: 5)
        let store = try await cache.open(maxBytes: 3_000_000, memoryBytes: 0)
        // Nothing else makes room meanwhile.
        await store.endBackground()
        // Names by last use, the oldest first. What is there is always the newer end of it.
        var model: [String] = []
        for step in 0..<600 {
            let name = "\(Int.random(in: 0..<120, using: &random))"
            let position = model.firstIndex(of: name)
            if let entry = store.entry(for: cacheKey(name)) {
                model.remove(at: try #require(position, "\(name) is there, but not what was used after it"))
                if step % 5 == 0 {
                    #expect(try store.body(of: entry).bytes() == sampleBody(name, count: entry.byteCount))
                }
            } else {
                if let position { model.removeFirst(position + 1) }
                try await store.store(sampleBody(name, count: .random(in: 1...80_000, using: &random)), as: name)
            }
            model.append(name)
            #expect(store.allocatedBytes <= 3_000_000)
        }
        #expect(cache.metrics[.evictions] > 100)
        let left = store.entryCount
        #expect(left > 20)
        for name in model.suffix(left) { #expect(store.table.removeOldest()?.key == cacheKey(name)) }
        await store.close()
    }

    @Test func `an evicted blob that is being read keeps its bytes and its room until the reader closes`() async throws
    {
        let store = try await cache.open(maxBytes: 3_000_000)
        let bytes = sampleBody("a", count: 1_000_000)
        var reader: RenditionBody? = try store.body(of: try await store.store(bytes, as: "a"))
        for number in 0..<6 { try await store.store(sampleBody("\(number)", count: 500_000), as: "\(number)") }
        #expect(store.entry(for: cacheKey("a")) == nil)
        #expect(try reader?.bytes() == bytes)
        #expect(cache.allocatedBytes() <= store.allocatedBytes)
        #expect(store.allocatedBytes <= 3_000_000)
        let held = store.allocatedBytes
        reader = nil
        store.disk.temporaries.reap()
        #expect(store.allocatedBytes <= held - 1_000_000)
        #expect(try cache.files(in: "tmp").isEmpty)
        await store.close()
    }

    @Test func `a limit that was lowered holds before anyone is served`() async throws {
        let first = try await cache.open(maxBytes: 20_000_000)
        for number in 0..<30 { try await first.store(sampleBody("\(number)", count: 200_000), as: "\(number)") }
        await first.close()
        let second = try await cache.open(maxBytes: 3_000_000)
        #expect(cache.allocatedBytes() <= 3_000_000)
        #expect(second.entryCount > 5)
        #expect(second.entry(for: cacheKey("29")) != nil)
        #expect(second.entry(for: cacheKey("0")) == nil)
        await second.close()
    }

    @Test func `files that were deleted by hand give their room back without evicting the rest`() async throws {
        let store = try await cache.open(maxBytes: 10_000_000, memoryBytes: 0)
        for number in 0..<80 { try await store.store(sampleBody("\(number)", count: 100_000), as: "\(number)") }
        for path in try cache.blobs() { try FileManager.default.removeItem(atPath: path) }
        for number in 100..<140 { try await store.store(sampleBody("\(number)", count: 100_000), as: "\(number)") }
        for number in 100..<140 { #expect(try store.bytes("\(number)") != nil) }
        #expect(cache.allocatedBytes() <= store.allocatedBytes)
        await store.close()
    }

    @Test func `bytes of the file system that are to stay free are not taken`() async throws {
        var settings = CacheSettings()
        settings.directory = cache.directory
        settings.keepFreeBytes = Int.max / 2
        let store = try await RenditionStore.open(settings, metrics: cache.metrics, log: .silent)
        let writer = try store.writer()
        #expect(throws: CacheError.self) { try writer.append([1]) }
        await store.close()
    }
}
