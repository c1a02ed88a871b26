import Foundation
import Testing

@testable import RenditionCache

/// Promise 2: the process may be killed at any instruction; the next start serves only complete entries.
///
/// The directory is copied while the store is open, which is what a kill at that moment leaves; torn files are laid out by
/// hand.
@Suite("Promise 2: the process may be killed at any instruction") struct RestartTests {
    /// Runs a store and returns its directory as a kill after `body` leaves it.
    private func killed(after body: (RenditionStore) async throws -> Void) async throws -> TemporaryCache {
        let cache = try TemporaryCache()
        let store = try await cache.open()
        await store.endBackground()
        try await body(store)
        let copy = try cache.afterKill()
        await store.close()
        return copy
    }

    @Test func `a blob whose row was not written is taken up from its trailer`() async throws {
        let bytes = sampleBody("a", count: 50_000)
        let cache = try await killed { try await $0.store(bytes, as: "a") }
        let store = try await cache.open()
        let entry = try #require(store.entry(for: cacheKey("a")))
        #expect(entry.metadata == sampleMetadata("a"))
        #expect(try store.body(of: entry).bytes() == bytes)
        await store.close()
    }

    @Test func `a row that the index refused until the end is made again from its blob`() async throws {
        let cache = try TemporaryCache()
        let first = try await cache.open()
        let other = try Database(path: cache.directory + "/" + CacheDirectory.index)
        try other.execute("CREATE TRIGGER refuse BEFORE INSERT ON entries BEGIN SELECT RAISE(FAIL, 'full'); END")
        let entry = try await first.store(sampleBody("a", count: 5000), as: "a")
        await first.close()
        try other.execute("DROP TRIGGER refuse")
        let second = try await cache.open()
        #expect(second.entry(for: entry.key) == entry)
        await second.close()
        let third = try await cache.open()
        #expect(third.disk.ledger.wasClean)
        #expect(third.entry(for: entry.key) == entry)
        await third.close()
    }

    @Test func `a file that was being written is removed, with its room`() async throws {
        var writer: BlobWriter?
        let cache = try await killed { store in
            writer = try store.writer()
            try writer?.append(sampleBody("a", count: 500_000))
        }
        writer?.cancel()
        #expect(try cache.files(in: "tmp").count == 1)
        let store = try await cache.open()
        #expect(try cache.files(in: "tmp").isEmpty)
        #expect(store.disk.ledger.allReserved == 0)
        #expect(store.entryCount == 0)
        #expect(store.allocatedBytes == cache.allocatedBytes())
        await store.close()
    }

    @Test(arguments: [0, 1, 20, 4000, 49_999, 50_000, 50_100])
    func `a torn blob is not taken up and is removed`(_ count: Int) async throws {
        let bytes = sampleBody("a", count: 50_000)
        let cache = try await killed { try await $0.store(bytes, as: "a") }
        let path = cache.path(of: Digest(of: bytes))
        truncate(path, off_t(count))
        let store = try await cache.open()
        #expect(store.entryCount == 0)
        #expect(try cache.blobs().isEmpty)
        #expect(store.disk.ledger.blobBytes == 0)
        await store.close()
    }

    @Test func `a row without a file is a miss`() async throws {
        let cache = try TemporaryCache()
        let first = try await cache.open()
        let entry = try await first.store(sampleBody("a", count: 5000), as: "a")
        await first.close()
        try FileManager.default.removeItem(atPath: cache.path(of: entry.digest))
        let second = try await cache.open()
        let found = try #require(second.entry(for: entry.key))
        #expect(throws: CacheError.missing(entry.digest)) { try second.body(of: found) }
        await second.close()
        let third = try await cache.open()
        #expect(third.entryCount == 0)
        await third.close()
    }

    @Test func `an entry that was removed does not come back`() async throws {
        let cache = try await killed { store in
            try await store.store(sampleBody("a", count: 5000), as: "a")
            await store.index.flush()
            await store.remove(cacheKey("a"))
        }
        let store = try await cache.open()
        #expect(store.entryCount == 0)
        await store.close()
    }

    enum Loss: String, CaseIterable, Sendable {
        case garbage, header, pages, deleted, emptied
    }

    @Test(arguments: Loss.allCases)
    func `a lost index is rebuilt from the blobs`(_ loss: Loss) async throws {
        let cache = try TemporaryCache()
        let first = try await cache.open()
        for number in 0..<60 {
            try await first.store(sampleBody("\(number)", count: 3000 + number), as: "\(number)")
        }
        // The blob tells its first key only: the second entry of the same bytes is made again.
        try await first.store(sampleBody("7", count: 3007), as: "twin")
        await first.close()
        let path = URL(fileURLWithPath: cache.directory + "/index.sqlite")
        var data = try Data(contentsOf: path)
        switch loss {
        case .garbage: data = Data(sampleBody("garbage", count: 50_000))
        case .header: data.replaceSubrange(0..<16, with: Data(count: 16))
        case .pages: data.replaceSubrange(4096..<data.count, with: Data(sampleBody("g", count: data.count - 4096)))
        case .deleted, .emptied: data = Data()
        }
        if loss == .deleted { try FileManager.default.removeItem(at: path) } else { try data.write(to: path) }

        let second = try await cache.open()
        #expect(second.entryCount == 60)
        for number in 0..<60 { #expect(try second.bytes("\(number)") == sampleBody("\(number)", count: 3000 + number)) }
        #expect(second.entry(for: cacheKey("twin")) == nil)
        await second.close()
        if loss != .deleted && loss != .emptied {
            #expect(try cache.files(in: "quarantine").contains("index-damaged.sqlite"))
        }
        let third = try await cache.open()
        #expect(third.entryCount == 60)
        await third.close()
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6])
    func `whatever is cut off at random, only whole bodies are served`(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let cache = try await killed { store in
            for number in 0..<40 {
                try await store.store(sampleBody("\(number)", count: 20_000 + number), as: "\(number)")
                if Bool.random(using: &random) { await store.index.flush() }
            }
        }
        for path in try cache.blobs() + [cache.directory + "/index.sqlite-wal", cache.directory + "/ledger"]
        where Int.random(in: 0..<3, using: &random) == 0 {
            let size = (try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
            truncate(path, off_t(Int.random(in: 0...size, using: &random)))
        }
        let store = try await cache.open(memoryBytes: 0)
        var served = 0
        for number in 0..<40 {
            do {
                guard let bytes = try store.bytes("\(number)") else { continue }
                #expect(bytes == sampleBody("\(number)", count: 20_000 + number))
                served += 1
            } catch CacheError.damaged, CacheError.missing {
                #expect(store.entry(for: cacheKey("\(number)")) == nil)
            }
        }
        #expect(served > 0)
        await store.close()
        #expect(store.allocatedBytes >= cache.allocatedBytes())
    }
}
