import Foundation
import TestSupport
import Testing

@testable import RenditionCache

@Suite struct BlobWriterTests {
    private let cache: TemporaryCache

    init() throws { cache = try TemporaryCache() }

    @Test func `what was written can be read back before it is committed`() async throws {
        let store = try await cache.open()
        let bytes = sampleBody("a", count: 300_000)
        let writer = try store.writer()
        try writer.append(Array(bytes[..<100_000]))
        try writer.append(Array(bytes[100_000...]))
        #expect(try writer.read(from: 0, count: 12) == Array(bytes[..<12]))
        #expect(try writer.read(from: 299_990, count: 100) == Array(bytes[299_990...]))
        #expect(try writer.read(from: 400_000, count: 1) == [])
        let file = try writer.openFile()
        _ = try await store.commit(writer, as: cacheKey("a"), sampleMetadata("a"))
        #expect(try file.read(from: 0, count: file.byteCount) == bytes)
        #expect(throws: CacheError.closed) { try writer.openFile() }
        #expect(throws: CacheError.closed) { try writer.append([1]) }
        await store.close()
    }

    @Test func `a transfer that begins anew leaves nothing of the first`() async throws {
        let store = try await cache.open()
        let writer = try store.writer()
        try writer.append(sampleBody("first", count: 50_000))
        try writer.restart()
        let bytes = sampleBody("second", count: 20_000)
        try writer.append(bytes)
        let entry = try await store.commit(writer, as: cacheKey("a"), sampleMetadata("a"))
        #expect(entry.digest == Digest(of: bytes))
        #expect(try store.body(of: entry).bytes() == bytes)
        await store.close()
    }

    @Test func `a writer that is let go leaves no file and no reservation`() async throws {
        let store = try await cache.open()
        let before = store.allocatedBytes
        do {
            let writer = try store.writer()
            try writer.expect(byteCount: 5_000_000)
            try writer.append(sampleBody("a", count: 100_000))
            #expect(store.allocatedBytes >= before + 5_000_000)
        }
        #expect(store.allocatedBytes == before)
        #expect(try cache.files(in: "tmp").isEmpty)
        await store.close()
    }

    @Test func `a cancelled writer that is still read frees its room when the reader has closed`() async throws {
        let store = try await cache.open()
        let before = store.allocatedBytes
        let writer = try store.writer()
        try writer.append(sampleBody("a", count: 100_000))
        var file: OpenFile? = try writer.openFile()
        writer.cancel()
        #expect(throws: CacheError.closed) { try writer.expect(byteCount: 1) }
        #expect(throws: CacheError.closed) { try writer.restart() }
        #expect(store.allocatedBytes > before)
        #expect(try file?.read(from: 0, count: 100_000) == sampleBody("a", count: 100_000))
        file = nil
        store.disk.temporaries.reap()
        #expect(store.allocatedBytes == before)
        #expect(try cache.files(in: "tmp").isEmpty)
        await store.close()
    }

    @Test func `a trailer tells key and metadata, and no other bytes pass for one`() throws {
        let metadata = MetadataCoding.encode(sampleMetadata("a"))
        let trailer = BlobTrailer(key: cacheKey("a"), byteCount: 1000, metadata: metadata)
        let blob = sampleBody("a", count: 1000) + trailer.encoded
        #expect(try read(blob) == trailer)
        for count in blob.indices { #expect(try read(Array(blob.prefix(count))) == nil) }
        for index in 1000..<blob.count {
            var damaged = blob
            damaged[index] ^= 0x10
            #expect(try read(damaged) == nil)
        }
        #expect(try read([0] + blob) == nil)
        #expect(try read(Array(blob.dropFirst())) == nil)
    }

    private func read(_ bytes: [UInt8]) throws -> BlobTrailer? {
        let path = try cache.folder.write(bytes, to: "blob")
        let file = OpenFile(owning: open(path, O_RDONLY), byteCount: bytes.count)
        return try BlobTrailer(of: file, fileBytes: bytes.count)
    }
}
