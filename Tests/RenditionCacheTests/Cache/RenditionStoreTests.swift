import Foundation
import Synchronization
import TestSupport
import Testing

@testable import RenditionCache

@Suite struct RenditionStoreTests {
    private let cache: TemporaryCache

    init() throws { cache = try TemporaryCache() }

    @Test(arguments: [0, 1, 4095, 4096, 262_144, 262_145, 1_000_003])
    func `a body comes back byte for byte`(_ count: Int) async throws {
        let store = try await cache.open(memoryBytes: 0)
        let bytes = sampleBody("a", count: count)
        let entry = try await store.store(bytes, as: "a")
        #expect(entry.digest == Digest(of: bytes))
        #expect(entry.byteCount == count)
        #expect(store.entry(for: cacheKey("a")) == entry)
        #expect(try store.body(of: entry).bytes() == bytes)
        #expect(try store.bytes("b") == nil)
        await store.close()
    }

    @Test func `a memory file is stored whole`() async throws {
        let store = try await cache.open()
        let bytes = sampleBody("a", count: 700_001)
        let path = try cache.folder.write(bytes, to: "render")
        let file = OpenFile(owning: open(path, O_RDONLY), byteCount: bytes.count)
        let entry = try await store.store(file, as: cacheKey("a"), sampleMetadata("a"))
        #expect(try store.body(of: entry).bytes() == bytes)
        await store.close()
    }

    @Test func `identical bytes are stored once and stay until their last entry leaves`() async throws {
        let store = try await cache.open(memoryBytes: 0)
        let bytes = sampleBody("same", count: 100_000)
        for name in ["a", "b", "c"] { try await store.store(bytes, as: name) }
        #expect(try cache.blobs().count == 1)
        await store.remove(cacheKey("a"))
        await store.remove(cacheKey("b"))
        #expect(try store.bytes("c") == bytes)
        await store.remove(cacheKey("c"))
        #expect(try cache.blobs().isEmpty)
        #expect(store.disk.ledger.blobBytes == 0)
        await store.close()
    }

    @Test func `a new body for a key takes the place of the old one`() async throws {
        let store = try await cache.open()
        try await store.store(sampleBody("old", count: 100_000), as: "a")
        try await store.store(sampleBody("new", count: 50_000), as: "a")
        #expect(try store.bytes("a") == sampleBody("new", count: 50_000))
        #expect(try cache.blobs().count == 1)
        #expect(store.entryCount == 1)
        await store.close()
    }

    @Test func `records beyond their number are forgotten, those put longest ago first, on disk too`() async throws {
        let time = ManualTime(1_700_000_000)
        let store = try await cache.open(maxEntries: 1000, now: { time.seconds })
        for number in 0..<1500 {
            time.advance(by: 1)
            let asset = Asset(id: "A\(number)", name: "a.jpg")
            store.put(AssetRecord(asset: asset, version: "1", checkedSeconds: 0, lifetimeSeconds: 900), channel: "blog")
        }
        func kept(_ store: RenditionStore) -> [Int] {
            (0..<1500).filter { store.assetRecord(channel: "blog", id: "A\($0)") != nil }
        }
        let inMemory = kept(store)
        #expect(inMemory.count <= 1000 && inMemory.count >= 875)
        #expect(inMemory == Array((1500 - inMemory.count)..<1500))
        await store.close()
        let again = try await cache.open(maxEntries: 1000, now: { time.seconds })
        #expect(kept(again) == inMemory)
        await again.close()
    }

    @Test func `a restart keeps entries, records and the order of use`() async throws {
        let time = ManualTime(1_700_000_000)
        var record = AssetRecord(
            asset: Asset(id: "CONT1", name: "a.jpg"),
            version: "2",
            checkedSeconds: 1_700_000_000.5,
            lifetimeSeconds: 900
        )
        let first = try await cache.open(now: { time.seconds })
        for name in ["a", "b", "c"] {
            time.advance(by: 1)
            try await first.store(sampleBody(name, count: 10_000), as: name)
        }
        time.advance(by: 1)
        #expect(first.entry(for: cacheKey("a")) != nil)
        first.put(record, channel: "blog")
        record.lifetimeSeconds = 60
        first.put(record, channel: "blog")
        await first.close()

        let second = try await cache.open(now: { time.seconds })
        #expect(second.entryCount == 3)
        #expect(second.assetRecord(channel: "blog", id: "CONT1") == record)
        #expect(second.assetRecord(channel: "news", id: "CONT1") == nil)
        let entry = try #require(second.table.removeOldest()?.entry)
        #expect(entry.metadata == sampleMetadata("b"))
        #expect(second.table.removeOldest()?.key == cacheKey("c"))
        #expect(second.table.removeOldest()?.key == cacheKey("a"))
        await second.close()
    }

    @Test(arguments: [
        String(repeating: "ä", count: 4000), "../../etc/passwd", "a\u{0}b", "%2e%2e/100%.jpg", " ", "",
        "a.jpg/renditions/x",
    ])
    func `long and odd names are cached`(_ name: String) async throws {
        let store = try await cache.open()
        let bytes = sampleBody(name, count: 5000)
        try await store.store(bytes, as: name)
        await store.close()
        let again = try await cache.open()
        let entry = try #require(again.entry(for: cacheKey(name)))
        #expect(entry.metadata.asset == name)
        #expect(try again.body(of: entry).bytes() == bytes)
        await again.close()
    }

    @Test func `the most entries are held to`() async throws {
        let store = try await cache.open(maxEntries: 5)
        for number in 0..<12 { try await store.store(sampleBody("\(number)", count: 100), as: "\(number)") }
        #expect(store.entryCount == 5)
        #expect(try store.bytes("6") == nil)
        #expect(try store.bytes("7") != nil)
        await store.close()
    }

    @Test func `statistics say what is there by channel, form and type`() async throws {
        let store = try await cache.open()
        try await store.store(sampleBody("a", count: 100), as: "a")
        try await store.store(sampleBody("b", count: 200), as: "b")
        try await store.store(sampleBody("c", count: 400), as: "c", form: "native")
        let statistics = store.statistics()
        #expect(statistics.entries == 3)
        #expect(statistics.rows.map(\.form) == ["Medium", "native"])
        #expect(statistics.rows.map(\.bytes) == [300, 400])
        #expect(statistics.rows.map(\.entries) == [2, 1])
        await store.close()
    }

    @Test func `a placeholder is refused`() async throws {
        let store = try await cache.open()
        var metadata = sampleMetadata("a")
        metadata.maker = .placeholder
        let writer = try store.writer()
        try writer.append([1, 2, 3])
        await #expect(throws: CacheError.placeholder) { try await store.commit(writer, as: cacheKey("a"), metadata) }
        #expect(store.entryCount == 0)
        await store.close()
    }

    @Test func `a closed store refuses writers`() async throws {
        let store = try await cache.open()
        await store.close()
        #expect(throws: CacheError.closed) { try store.writer() }
    }
}

@Suite struct CacheDirectoryTests {
    private let cache: TemporaryCache

    init() throws { cache = try TemporaryCache() }

    @Test func `a directory with other files in it is refused and left as it is`() async throws {
        try cache.folder.write([1, 2, 3], to: "cache/holiday.jpg")
        await #expect(throws: CacheError.foreignDirectory(cache.directory)) { try await cache.open() }
        #expect(try FileManager.default.contentsOfDirectory(atPath: cache.directory) == ["holiday.jpg"])
    }

    @Test func `a directory with only a README becomes ours and keeps it`() async throws {
        try cache.folder.write(Array("read me".utf8), to: "cache/README.md")
        let store = try await cache.open()
        await store.close()
        let names = Set(try FileManager.default.contentsOfDirectory(atPath: cache.directory))
        #expect(names.isSuperset(of: ["README.md", ".rcache", "CACHEDIR.TAG", "blobs", "tmp", "quarantine"]))
        let tag = try String(contentsOfFile: cache.directory + "/CACHEDIR.TAG", encoding: .utf8)
        #expect(tag.hasPrefix("Signature: 8a477f597d28d172789f06886806bc55"))
    }

    @Test(arguments: [
        "blobs", "blobs/ab", "tmp", "quarantine", "index.sqlite", "index.sqlite-wal", "ledger", ".rcache",
    ])
    func `a link planted in the tree is refused and not followed`(_ name: String) async throws {
        let store = try await cache.open()
        await store.close()
        let outside = cache.folder.file("outside")
        try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
        try cache.folder.write([1], to: "outside/file")
        let path = cache.directory + "/" + name
        try? FileManager.default.removeItem(atPath: path)
        let isFolder = name.hasPrefix("blobs") || name == "tmp" || name == "quarantine"
        try FileManager.default.createSymbolicLink(
            atPath: path,
            withDestinationPath: isFolder ? outside : outside + "/file"
        )
        await #expect { try await cache.open() } throws: { error in
            guard case .system(let cause, _)? = error as? CacheError else { return false }
            return cause.code == ELOOP || cause.code == ENOTDIR
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == ["file"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: outside + "/file")) == Data([1]))
    }

    @Test func `an index of a newer version is refused and left as it is`() async throws {
        let store = try await cache.open()
        try await store.store(sampleBody("a", count: 100), as: "a")
        await store.close()
        let path = cache.directory + "/index.sqlite"
        try Database(path: path).execute("PRAGMA user_version = 7")
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        await #expect(throws: CacheError.newerIndex(found: 7, known: 2)) { try await cache.open() }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(try cache.blobs().count == 1)
    }

    @Test func `files that rcache did not make are reported, counted and kept`() async throws {
        let store = try await cache.open()
        try await store.store(sampleBody("a", count: 100), as: "a")
        await store.close()
        let folder = try #require(try cache.blobs().first.map { ($0 as NSString).deletingLastPathComponent })
        let foreign = folder + "/notes.txt"
        try Data(count: 100_000).write(to: URL(fileURLWithPath: foreign))
        try FileManager.default.removeItem(atPath: cache.directory + "/ledger")
        let again = try await cache.open()
        #expect(FileManager.default.fileExists(atPath: foreign))
        #expect(again.disk.ledger.blobBytes >= 100_000)
        #expect(cache.records.withLock { $0.contains("files in the cache that rcache did not make") })
        await again.close()
    }
}
