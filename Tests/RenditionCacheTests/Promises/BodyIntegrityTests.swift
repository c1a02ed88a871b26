import Foundation
import Testing

@testable import RenditionCache

/// Promise 1: a reader never receives a body that differs from its stored digest.
@Suite("Promise 1: a reader never receives a body that differs from its stored digest") struct BodyIntegrityTests {
    enum Damage: String, CaseIterable, Sendable {
        case emptied, truncated, zeroed, oneByte, grown, replacedByLink, replacedByDirectory, replacedByPipe

        /// Damages the file, as a failing disk or somebody's hand would.
        func apply(to path: String, count: Int) throws {
            let manager = FileManager.default
            switch self {
            case .emptied: truncate(path, 0)
            case .truncated: truncate(path, off_t(count / 2))
            case .zeroed: try Data(count: count + 200).write(to: URL(fileURLWithPath: path))
            case .oneByte:
                let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
                try file.seek(toOffset: UInt64(count / 3))
                let byte = try file.read(upToCount: 1)?.first ?? 0
                try file.seek(toOffset: UInt64(count / 3))
                try file.write(contentsOf: Data([byte ^ 1]))
                try file.close()
            case .grown:
                var data = try Data(contentsOf: URL(fileURLWithPath: path))
                data.insert(0, at: 0)
                try data.write(to: URL(fileURLWithPath: path))
            case .replacedByLink:
                try manager.moveItem(atPath: path, toPath: path + ".copy")
                try manager.createSymbolicLink(atPath: path, withDestinationPath: path + ".copy")
            case .replacedByDirectory:
                try manager.removeItem(atPath: path)
                try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
            case .replacedByPipe:
                try manager.removeItem(atPath: path)
                mkfifo(path, 0o600)
            }
        }
    }

    @Test(arguments: Damage.allCases, [10_000, 600_000])
    func `a damaged blob under a running store is put aside and made again`(_ damage: Damage, _ count: Int) async throws
    {
        let cache = try TemporaryCache()
        let store = try await cache.open(memoryBytes: 0)
        let bytes = sampleBody("a", count: count)
        let entry = try await store.store(bytes, as: "a")
        // Known to be right, so only the change of the file can give it away.
        #expect(try store.body(of: entry).bytes() == bytes)
        try damage.apply(to: cache.path(of: entry.digest), count: count)

        #expect(throws: CacheError.damaged(entry.digest)) { try store.body(of: entry) }
        #expect(store.entry(for: entry.key) == nil)
        #expect(cache.metrics[.quarantined] == 1)
        #expect(try cache.files(in: "quarantine") == [entry.digest.description])

        let again = try await store.store(bytes, as: "a")
        #expect(try store.body(of: again).bytes() == bytes)
        await store.close()
    }

    @Test(arguments: [Damage.emptied, .truncated, .zeroed, .oneByte])
    func `a blob that was damaged between two runs is found on first use`(_ damage: Damage) async throws {
        let cache = try TemporaryCache()
        let bytes = sampleBody("a", count: 600_000)
        let first = try await cache.open()
        let entry = try await first.store(bytes, as: "a")
        await first.close()
        try damage.apply(to: cache.path(of: entry.digest), count: bytes.count)
        let second = try await cache.open()
        let found = try #require(second.entry(for: entry.key))
        #expect(throws: CacheError.damaged(entry.digest)) { try second.body(of: found) }
        #expect(second.entry(for: entry.key) == nil)
        await second.close()
        let third = try await cache.open()
        #expect(third.entryCount == 0)
        await third.close()
    }

    @Test func `a deleted blob is a miss and its entry is dropped`() async throws {
        let cache = try TemporaryCache()
        let store = try await cache.open(memoryBytes: 0)
        let entry = try await store.store(sampleBody("a", count: 10_000), as: "a")
        try FileManager.default.removeItem(atPath: cache.path(of: entry.digest))
        #expect(throws: CacheError.missing(entry.digest)) { try store.body(of: entry) }
        #expect(store.entry(for: entry.key) == nil)
        #expect(store.disk.ledger.blobBytes == 0)
        let again = try await store.store(sampleBody("a", count: 10_000), as: "a")
        #expect(try store.body(of: again).count == 10_000)
        await store.close()
    }

    @Test func `every one of three hundred changed bytes is noticed`() async throws {
        let cache = try TemporaryCache()
        let store = try await cache.open(memoryBytes: 0)
        var random = SeededGenerator(seed: 1)
        let bytes = sampleBody("a", count: 3000)
        for _ in 0..<300 {
            let entry = try await store.store(bytes, as: "a")
            var data = try Data(contentsOf: URL(fileURLWithPath: cache.path(of: entry.digest)))
            data[Int.random(in: 0..<3000, using: &random)] ^= .random(in: 1...255, using: &random)
            try data.write(to: URL(fileURLWithPath: cache.path(of: entry.digest)))
            #expect(throws: CacheError.damaged(entry.digest)) { try store.body(of: entry) }
        }
        #expect(try cache.files(in: "quarantine").count <= 16)
        await store.close()
    }

    @Test func `a body in memory is served though its file was damaged`() async throws {
        let cache = try TemporaryCache()
        let store = try await cache.open()
        let bytes = sampleBody("a", count: 10_000)
        let entry = try await store.store(bytes, as: "a")
        #expect(try store.body(of: entry).bytes() == bytes)
        try Damage.zeroed.apply(to: cache.path(of: entry.digest), count: 10_000)
        #expect(try store.body(of: entry).bytes() == bytes)
        await store.close()
    }
}
