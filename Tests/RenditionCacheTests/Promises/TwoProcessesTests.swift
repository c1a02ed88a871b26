import Foundation
import Testing

@testable import RenditionCache

/// Promise 10: two processes on one cache directory damage nothing.
///
/// Two stores in one test process stand for them: they share nothing but files, and their locks exclude one another.
@Suite("Promise 10: two processes on one cache directory damage nothing") struct TwoProcessesTests {
    private let cache: TemporaryCache

    init() throws { cache = try TemporaryCache() }

    @Test func `one finds what the other has stored, changed, and put on record`() async throws {
        let warm = try await cache.open()
        let serve = try await cache.open()
        let bytes = sampleBody("a", count: 400_000)
        try await warm.store(bytes, as: "a")
        let record = AssetRecord(
            asset: Asset(id: "1", name: "a"),
            version: "1",
            checkedSeconds: 1,
            lifetimeSeconds: 2
        )
        warm.put(record, channel: "blog")
        await warm.index.flush()
        #expect(serve.entry(for: cacheKey("a")) == nil)
        let entry = try #require(await serve.findEntry(for: cacheKey("a")))
        #expect(try serve.body(of: entry).bytes() == bytes)
        #expect(await serve.findAssetRecord(channel: "blog", id: "1") == record)
        await serve.close()
        await warm.close()
    }

    @Test func `what a killed one had not written down is found at the next start, however the other ends`()
        async throws
    {
        let killed = try await cache.open()
        let serve = try await cache.open()
        await killed.endBackground()
        let entry = try await killed.store(sampleBody("a", count: 5000), as: "a")
        killed.disk.ledger.letGo()
        await serve.close()
        let next = try await cache.open()
        #expect(next.entry(for: entry.key) == entry)
        await next.close()
        await killed.close()
    }

    @Test func `what the other stored comes in by itself, and so do its uses`() async throws {
        let warm = try await cache.open()
        for name in ["a", "b"] { try await warm.store(sampleBody(name, count: 1000), as: name) }
        await warm.index.flush()
        let serve = try await cache.open()
        try await warm.store(sampleBody("c", count: 1000), as: "c")
        #expect(warm.entry(for: cacheKey("a")) != nil)
        await warm.tidy()
        await serve.tidy()
        #expect(serve.entryCount == 3)
        #expect(["b", "c", "a"].map(cacheKey) == (0..<3).compactMap { _ in serve.table.removeOldest()?.key })
        await serve.close()
        await warm.close()
    }

    @Test func `what one has evicted is a miss in the other`() async throws {
        let warm = try await cache.open()
        let entry = try await warm.store(sampleBody("a", count: 400_000), as: "a")
        await warm.index.flush()
        let serve = try await cache.open(memoryBytes: 0)
        let held = try #require(serve.entry(for: cacheKey("a")))
        let body = try serve.body(of: held)
        await warm.remove(cacheKey("a"))
        #expect(try body.bytes() == sampleBody("a", count: 400_000))
        #expect(throws: CacheError.missing(entry.digest)) { try serve.body(of: held) }
        #expect(serve.entry(for: cacheKey("a")) == nil)
        #expect(await serve.findEntry(for: cacheKey("a")) == nil)
        await serve.close()
        await warm.close()
    }

    @Test func `a removal does not take away what the other has stored since`() async throws {
        let warm = try await cache.open()
        let serve = try await cache.open()
        try await warm.store(sampleBody("old", count: 1000), as: "a")
        await warm.index.flush()
        // Evicted here, stored again there; then both write down what they did, in the wrong order.
        warm.room.evictOldest()
        try await serve.store(sampleBody("new", count: 1000), as: "a")
        await serve.index.flush()
        await warm.index.flush()
        await serve.close()
        await warm.close()
        let next = try await cache.open()
        #expect(try next.bytes("a") == sampleBody("new", count: 1000))
        await next.close()
    }

    @Test func `both hold one limit together and every body is whole`() async throws {
        let limit = 12_000_000
        let stores = [try await cache.open(maxBytes: limit), try await cache.open(maxBytes: limit)]
        let sampler = DiskSampler(cache)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    var random = SeededGenerator(seed: UInt64(task))
                    let store = stores[task % 2]
                    for step in 0..<120 {
                        let name = "\(Int.random(in: 0..<60, using: &random))"
                        let bytes = sampleBody(name, count: 300_000)
                        do {
                            if let entry = await store.findEntry(for: cacheKey(name)) {
                                #expect(try store.body(of: entry).bytes() == bytes)
                            } else {
                                try await store.store(bytes, as: name)
                            }
                        } catch CacheError.missing, CacheError.noRoom {}
                        if step % 30 == 29 { await store.tidy() }
                    }
                }
            }
            try await group.waitForAll()
        }
        let (highest, samples) = sampler.finish()
        #expect(highest <= limit)
        #expect(samples > 10)
        #expect(cache.metrics[.quarantined] == 0)
        #expect(cache.metrics[.evictions] > 20)
        for store in stores { await store.close() }
        let next = try await cache.open(maxBytes: limit)
        #expect(next.entryCount > 10)
        #expect(abs(next.allocatedBytes - cache.allocatedBytes()) < 400_000)
        await next.close()
    }

    @Test func `what a dead process had reserved is given back`() async throws {
        let serve = try await cache.open()
        var writer: BlobWriter?
        do {
            let warm = try await cache.open()
            writer = try warm.writer()
            try writer?.expect(byteCount: 5_000_000)
            #expect(serve.allocatedBytes > 5_000_000)
            // The kernel would drop the lock with the process; here the slot is given back while room is reserved.
            warm.disk.ledger.close(isIndexed: true)
            await serve.tidy()
            #expect(serve.allocatedBytes < 1_000_000)
            #expect(try cache.files(in: "tmp").isEmpty)
        }
        withExtendedLifetime(writer) {}
        await serve.close()
    }
}
