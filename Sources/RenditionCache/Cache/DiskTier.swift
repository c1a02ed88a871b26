import Glibc
import Synchronization

/// The blobs on disk.
///
/// A digest's name appears and disappears only under the lock of its blob directory.
///
/// A blob that leaves is first moved to `tmp` and removed there once nobody reads it any more; readers hold a shared
/// lock on the file, in whichever process they are. So nothing is ever unlinked while it still takes room, and its
/// room stays accounted for.
final class DiskTier: Sendable {
    private struct Blob: Sendable {
        /// How many entries of this process's table have it.
        var references: UInt32 = 0
        /// The state of the file for which the body was found to be right; 0 if it has not been looked at.
        var verified: UInt64 = 0
        /// Stands in `verified` of a blob that a count did not find; no file has this stamp.
        static let missing: UInt64 = 1
    }

    private struct Shard: Sendable {
        var folder: Folder?
        var blobs = DigestTable<Blob>(vacant: Blob())
        /// Whether names have come since the directory was last made safe against a power cut.
        var isUnsynced = false

        /// Counts a reference, and sets what is known of the file if that has changed.
        mutating func retain(_ digest: Digest, verified: UInt64? = nil) {
            let slot = blobs.find(digest) ?? blobs.insert(digest, Blob())
            blobs[slot].references += 1
            if let verified { blobs[slot].verified = verified }
        }
    }

    private final class Shared: Sendable {
        let shard = Mutex(Shard())
    }

    /// What became of a file that was to be stored.
    enum Arrival: Sendable { case stored, alreadyThere }

    /// What a count of one blob directory found.
    struct Count: Sendable {
        /// Blobs that the table does not have.
        var unknown: [Digest] = []
        /// Names that we did not make.
        var foreign = 0
    }

    let directory: CacheDirectory
    let ledger: Ledger
    private let shards = (0..<256).map { _ in Shared() }
    let temporaries: TemporaryFiles
    private let maxQuarantineBytes: Int
    /// What a damaged index is called in quarantine.
    static let damagedIndex = "index-damaged.sqlite"

    /// Opens the blob directories that are there; a link in place of one is refused.
    ///
    /// - Parameter maxQuarantineBytes: the most that damaged files may take.
    init(directory: CacheDirectory, ledger: Ledger, maxQuarantineBytes: Int) throws(CacheError) {
        self.maxQuarantineBytes = maxQuarantineBytes
        self.directory = directory
        self.ledger = ledger
        temporaries = TemporaryFiles(folder: directory.temporary, ledger: ledger)
        do throws(SystemError) {
            for name in try directory.blobs.names() {
                guard name.utf8.count == 2, let index = Int(name, radix: 16), name == name.lowercased() else {
                    continue
                }
                let folder = try directory.blobs.folder(name)
                shards[index].shard.withLock { $0.folder = folder }
            }
        } catch {
            throw .system(error, path: directory.path + "/blobs")
        }
    }

    // MARK: Arriving and leaving

    /// Gives a finished file in `tmp` its digest's name and counts one reference to it.
    ///
    /// If the blob is there already and right, the new file is dropped; otherwise it takes its place.
    func arrive(
        _ name: String,
        as digest: Digest,
        byteCount: Int,
        reserved: Int
    ) throws(SystemError) -> Arrival {
        let sound = soundState(of: digest, byteCount: byteCount)
        var displaced: (name: String, bytes: Int)?
        defer { if let displaced { temporaries.discard(displaced.name, reserved: displaced.bytes) } }
        let arrival = try withShard(of: digest) { (shard, index) throws(SystemError) -> Arrival in
            let folder = try openFolder(&shard, index)
            let present = try folder.facts(digest.description)
            if let present, present.stamp == sound {
                shard.retain(digest)
                return .alreadyThere
            }
            if let present { displaced = try moveAway(digest, present, folder, index) }
            let allocated = try directory.temporary.facts(name)?.allocated ?? reserved
            try directory.temporary.move(name, to: folder, as: digest.description)
            ledger.arrive(allocated, reserved: reserved, in: index)
            // Without this, the directory is counted with the next file.
            if let own = try? folder.facts() { ledger.setFolder(own.allocated, of: index) }
            shard.retain(digest, verified: 0)
            shard.isUnsynced = true
            return .stored
        }
        if arrival == .alreadyThere { temporaries.discard(name, reserved: reserved) }
        return arrival
    }

    /// Counts a reference to a blob that is said to be on disk.
    func retain(_ digest: Digest) {
        withShard(of: digest) { shard, _ in shard.retain(digest) }
    }

    /// Drops a reference and leaves the file alone.
    func forget(_ digest: Digest) {
        withShard(of: digest) { shard, _ in
            guard let slot = shard.blobs.find(digest) else { return }
            shard.blobs[slot].references -= 1
            if shard.blobs[slot].references == 0 { shard.blobs.remove(slot) }
        }
    }

    /// Removes a blob that the table does not have.
    func removeUnknown(_ digest: Digest) {
        retain(digest)
        release(digest)
    }

    /// Whether there is a blob of that digest.
    func exists(_ digest: Digest) -> Bool {
        guard let folder = withShard(of: digest, { knownFolder(&$0, $1) }) else { return false }
        // One that cannot be looked at cannot be served.
        return (try? folder.facts(digest.description)).flatMap { $0 } != nil
    }

    /// Drops a reference; the last one takes the file along.
    ///
    /// Says whether a file left.
    @discardableResult
    func release(_ digest: Digest) -> Bool {
        var isMissing = false
        let left: (name: String, bytes: Int)? = withShard(of: digest) { shard, index in
            guard let slot = shard.blobs.find(digest) else { return nil }
            shard.blobs[slot].references -= 1
            guard shard.blobs[slot].references == 0 else { return nil }
            let wasMissed = shard.blobs.remove(slot).verified == Blob.missing
            // What cannot be looked at cannot be moved; the recount below finds out how things stand.
            guard let folder = knownFolder(&shard, index), let facts = try? folder.facts(digest.description) else {
                isMissing = !wasMissed
                return nil
            }
            // What cannot be moved away keeps its room; the count at the next start sees it.
            return try? moveAway(digest, facts, folder, index)
        }
        if let left { temporaries.discard(left.name, reserved: left.bytes) }
        if isMissing { recount(Self.index(of: digest)) }
        return left != nil
    }

    private func moveAway(
        _ digest: Digest,
        _ facts: FileFacts,
        _ folder: Folder,
        _ index: Int
    ) throws(SystemError) -> (name: String, bytes: Int) {
        let name = temporaries.newName()
        try folder.move(digest.description, to: directory.temporary, as: name)
        ledger.leave(facts.allocated, from: index)
        return (name, facts.allocated)
    }

    // MARK: Reading

    /// Opens a blob for reading; nil if there is none.
    ///
    /// Throws `EINVAL` for what is not a regular file.
    func open(_ digest: Digest) throws(SystemError) -> (descriptor: Int32, facts: FileFacts)? {
        guard let folder = withShard(of: digest, { knownFolder(&$0, $1) }) else { return nil }
        let descriptor: Int32
        do throws(SystemError) {
            descriptor = try folder.open(digest.description, O_RDONLY)
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
        do throws(SystemError) {
            guard FileLock.shareReading(descriptor) else {
                close(descriptor)
                return nil
            }
            let facts = try FileFacts(of: descriptor)
            guard facts.isRegular else { throw SystemError("open blob", code: EINVAL) }
            return (descriptor, facts)
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Whether the body was found right in this process, and the file has not changed since.
    func isVerified(_ digest: Digest, _ facts: FileFacts) -> Bool {
        withShard(of: digest) { shard, _ in
            shard.blobs.find(digest).map { shard.blobs[$0].verified == facts.stamp } ?? false
        }
    }

    /// The state of a blob whose body is right; nil if there is none, or not with these bytes.
    private func soundState(of digest: Digest, byteCount: Int) -> UInt64? {
        // What cannot be read is replaced by what has just been written.
        guard let (descriptor, facts) = (try? open(digest)).flatMap({ $0 }) else { return nil }
        let file = OpenFile(owning: descriptor, byteCount: byteCount)
        guard facts.byteCount > byteCount else { return nil }
        guard isVerified(digest, facts) || (try? Digest(of: file)) == digest else { return nil }
        return facts.stamp
    }

    /// Notes that the body was right at `seconds` since 1970, when the file was as `facts` say.
    ///
    /// Not if it changed within a few ticks of the kernel's clock: a second change could have the same time.
    func noteVerified(_ digest: Digest, _ facts: FileFacts, at seconds: Double = SystemClock.seconds()) {
        guard abs(seconds - Double(facts.changed) / 1e9) > 0.02 else { return }
        withShard(of: digest) { shard, _ in
            if let slot = shard.blobs.find(digest) { shard.blobs[slot].verified = facts.stamp }
        }
    }

    // MARK: Damage and counting

    /// Puts a damaged blob aside; the last few are kept.
    func quarantine(_ digest: Digest) {
        let bytes = withShard(of: digest) { (shard, index) -> Int in
            // One that cannot be looked at is as good as gone: it is not served either.
            guard let folder = shard.folder, let facts = try? folder.facts(digest.description) else { return 0 }
            if let slot = shard.blobs.find(digest) { shard.blobs[slot].verified = 0 }
            let name = digest.description
            // Gone is as good as put aside.
            guard (try? folder.move(name, to: directory.quarantine, as: name)) != nil else { return 0 }
            ledger.leave(facts.allocated, from: index)
            return facts.allocated
        }
        trimQuarantine()
        ledger.release(bytes)
        // It may take less now than when it was stored.
        recount(Self.index(of: digest))
    }

    /// Removes all but the latest files in quarantine and counts it anew.
    func trimQuarantine(keeping kept: Int = 16) {
        let folder = directory.quarantine
        // A directory that cannot be read keeps its last count.
        guard let names = try? folder.names() else { return }
        let files = names.compactMap { name in (try? folder.facts(name)).flatMap { $0 }.map { (name, $0) } }
            .sorted { $0.1.changed > $1.1.changed }
        var bytes = 0
        for (position, (name, facts)) in files.enumerated() {
            let isOurs = Digest(hex: name) != nil || name == Self.damagedIndex
            let isKept = position < kept && bytes + facts.allocated <= maxQuarantineBytes
            if isKept || !isOurs || (try? folder.remove(name)) == nil { bytes += facts.allocated }
        }
        ledger.setQuarantine(bytes)
    }

    /// Counts one blob directory anew, if no other process is there; nil otherwise.
    @discardableResult
    func recount(_ index: Int) -> Count? {
        ledger.whileAlone {
            shards[index].shard.withLock { shard in
                guard let folder = knownFolder(&shard, index) else { return Count() }
                // A directory that cannot be read keeps its last count.
                guard let names = try? folder.names() else { return nil }
                var bytes = 0
                var count = Count()
                var missing: Set<Digest> = []
                shard.blobs.forEach { digest, _ in missing.insert(digest) }
                for name in names {
                    guard let facts = (try? folder.facts(name)).flatMap({ $0 }) else { continue }
                    bytes += facts.allocated
                    guard let digest = Digest(hex: name) else {
                        count.foreign += 1
                        continue
                    }
                    if missing.remove(digest) == nil { count.unknown.append(digest) }
                }
                for digest in missing {
                    if let slot = shard.blobs.find(digest) { shard.blobs[slot].verified = Blob.missing }
                }
                ledger.setHoldings(bytes, of: index)
                // Open, so it fails only with the disk itself; the directory's own block is then left out of the count.
                ledger.setFolder((try? folder.facts().allocated) ?? 0, of: index)
                return count
            }
        } ?? nil
    }

    /// Makes the names of all blobs that have arrived survive a power cut.
    func sync() throws(SystemError) {
        for shared in shards {
            let folder: Folder? = shared.shard.withLock { shard in
                guard shard.isUnsynced else { return nil }
                shard.isUnsynced = false
                return shard.folder
            }
            do throws(SystemError) {
                try folder?.sync()
            } catch {
                // Its rows wait for the next try.
                shared.shard.withLock { $0.isUnsynced = true }
                throw error
            }
        }
    }

    private func openFolder(_ shard: inout Shard, _ index: Int) throws(SystemError) -> Folder {
        if let folder = shard.folder { return folder }
        let folder = try directory.blobs.makeFolder(Self.folderName(index))
        // Its own name has to survive as well, or its blobs are lost with it.
        try directory.blobs.sync()
        shard.folder = folder
        return folder
    }

    /// The blob directory if it is there; another process may have made it.
    private func knownFolder(_ shard: inout Shard, _ index: Int) -> Folder? {
        // Whatever keeps it from opening, there is no blob to be had in it.
        if shard.folder == nil { shard.folder = try? directory.blobs.folder(Self.folderName(index)) }
        return shard.folder
    }

    private static func folderName(_ index: Int) -> String {
        let digits = String(index, radix: 16)
        return digits.utf8.count == 2 ? digits : "0" + digits
    }

    private static func index(of digest: Digest) -> Int { Int(truncatingIfNeeded: digest.words.0 >> 56) }

    private func withShard<T: Sendable, E: Error>(
        of digest: Digest,
        _ body: (inout Shard, Int) throws(E) -> T
    ) throws(E) -> T {
        let index = Self.index(of: digest)
        return try shards[index].shard.withLock { (shard) throws(E) -> T in try body(&shard, index) }
    }
}
