import Foundation
import Glibc
import Synchronization
import TestSupport

@testable import RenditionCache

/// A cache directory of one test's own, and what tests do with it.
final class TemporaryCache: Sendable {
    let folder: TemporaryFolder
    let metrics = Metrics()
    let records = Mutex<[String]>([])
    var directory: String { folder.file("cache") }

    init() throws { folder = try TemporaryFolder() }

    /// Opens the store; small limits on request, and the free space of the machine left out of it.
    func open(
        maxBytes: Int = 100_000_000,
        maxEntries: Int = 1_000_000,
        memoryBytes: Int = 64_000_000,
        now: @escaping RenditionStore.Now = SystemClock.seconds
    ) async throws(CacheError) -> RenditionStore {
        var settings = CacheSettings()
        settings.directory = directory
        settings.maxBytes = maxBytes
        settings.maxEntries = maxEntries
        settings.memoryBytes = memoryBytes
        settings.keepFreeBytes = 0
        let log = Log(minimum: .debug) { record in self.records.withLock { $0.append(record.message) } }
        return try await RenditionStore.open(settings, metrics: metrics, log: log, now: now)
    }

    /// A copy of the directory as it is now: what a process that is killed at this moment leaves.
    func afterKill() throws -> TemporaryCache {
        let copy = try TemporaryCache()
        try FileManager.default.copyItem(atPath: directory, toPath: copy.directory)
        return copy
    }

    /// Bytes of disk under the directory, directories included, each file once; exact while nobody writes.
    func allocatedBytes() -> Int {
        let held = hold()
        defer { held.values.forEach { close($0.descriptor) } }
        return held.values.reduce(0) { $0 + $1.bytes }
    }

    /// Bytes of disk that were certainly taken at one instant, while others write.
    ///
    /// A file that was there during the walk and is still there afterwards was there in between, with at least the
    /// smaller of its two sizes. Its inode is held meanwhile, so no other file can be taken for it.
    func bytesAtOneInstant() -> Int {
        let held = hold()
        defer { held.values.forEach { close($0.descriptor) } }
        return held.values.reduce(0) { sum, file in
            var status = stat()
            guard fstat(file.descriptor, &status) == 0, status.st_nlink > 0 else { return sum }
            return sum + min(file.bytes, Int(status.st_blocks) * 512)
        }
    }

    private func hold() -> [UInt: (descriptor: Int32, bytes: Int)] {
        var held: [UInt: (descriptor: Int32, bytes: Int)] = [:]
        walk(directory, &held)
        return held
    }

    private func walk(_ path: String, _ held: inout [UInt: (descriptor: Int32, bytes: Int)]) {
        let pathOnly: Int32 = 0o10_000_000
        let descriptor = Glibc.open(path, pathOnly | O_NOFOLLOW | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0, held[UInt(status.st_ino)] == nil else {
            close(descriptor)
            return
        }
        held[UInt(status.st_ino)] = (descriptor, Int(status.st_blocks) * 512)
        guard status.st_mode & S_IFMT == S_IFDIR, let stream = opendir(path) else { return }
        defer { closedir(stream) }
        while let item = readdir(stream) {
            let name = withUnsafePointer(to: &item.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { walk(path + "/" + name, &held) }
        }
    }

    /// Every blob's path.
    func blobs() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: directory + "/blobs")
            .filter { $0.utf8.count == 67 }.map { directory + "/blobs/" + $0 }
    }

    func path(of digest: Digest) -> String {
        let hex = digest.description
        return directory + "/blobs/" + hex.prefix(2) + "/" + hex
    }

    func files(in name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory + "/" + name)
    }
}

/// Measures the directory over and over on a thread of its own and keeps the highest.
final class DiskSampler: Sendable {
    private let state = Mutex((highest: 0, samples: 0, isDone: false))

    init(_ cache: TemporaryCache) {
        Thread.detachNewThread { [self] in
            while !state.withLock({ $0.isDone }) {
                let bytes = cache.bytesAtOneInstant()
                state.withLock { $0 = (max($0.highest, bytes), $0.samples + 1, $0.isDone) }
            }
        }
    }

    /// Ends sampling; the most bytes that were seen, and how often it looked.
    func finish() -> (highest: Int, samples: Int) {
        state.withLock { state in
            state.isDone = true
            return (state.highest, state.samples)
        }
    }
}

/// SplitMix64: random input that is the same in every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            for index in 0..<count { buffer[index] = UInt8(truncatingIfNeeded: next()) }
            filled = count
        }
    }
}

/// `count` bytes that no other `name` has.
func sampleBody(_ name: String, count: Int) -> [UInt8] {
    var generator = SeededGenerator(seed: Digest(of: Array(name.utf8)).words.0)
    return generator.bytes(count)
}

func cacheKey(_ name: String) -> CacheKey { CacheKey(parts: ["blog", name]) }

func sampleMetadata(_ asset: String, form: String = "Medium", version: String = "1") -> EntryMetadata {
    EntryMetadata(
        channel: "blog",
        asset: asset,
        form: form,
        version: version,
        isSource: false,
        maker: .local,
        format: .jpeg,
        mediaType: "image/jpeg",
        size: PixelSize(width: 1024, height: 768),
        fileName: "\(asset).jpg",
        storedSeconds: 1_700_000_000
    )
}

extension RenditionStore {
    /// Stores bytes as one entry, named after its asset.
    @discardableResult
    func store(_ bytes: [UInt8], as name: String, form: String = "Medium") async throws(CacheError) -> Entry {
        let writer = try writer()
        try writer.append(bytes)
        return try await commit(writer, as: cacheKey(name), sampleMetadata(name, form: form))
    }

    /// The bytes of an entry; nil for a miss.
    func bytes(_ name: String) throws -> [UInt8]? {
        guard let entry = entry(for: cacheKey(name)) else { return nil }
        return try body(of: entry).bytes()
    }
}
