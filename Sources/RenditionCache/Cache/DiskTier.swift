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
    /// Files in `tmp` that somebody still reads, with what they take.
    private let leaving = Mutex<[String: Int]>([:])
    private let counter = Atomic<Int>(0)
    static let keptInQuarantine = 16

    /// Opens the blob directories that are there; a link in place of one is refused.
    init(directory: CacheDirectory, ledger: Ledger) throws(CacheError) {
        self.directory = directory
        self.ledger = ledger
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

    // MARK: Temporary files

    /// A new file in `tmp`, open for reading and writing.
    func makeTemporary() throws(SystemError) -> (name: String, descriptor: Int32) {
        let name = temporaryName()
        return (name, try directory.temporary.open(name, O_RDWR | O_CREAT | O_EXCL))
    }

    /// Removes a file in `tmp` for which this process has `reserved` bytes; later, if somebody still reads it.
    func discard(_ name: String, reserved: Int) {
        if removeUnread(name) {
            ledger.release(reserved)
        } else {
            leaving.withLock { $0[name] = reserved }
        }
    }

    /// Removes what nobody reads any more; says how many bytes that freed.
    @discardableResult
    func reap() -> Int {
        let waiting = leaving.withLock { $0 }
        var freed = 0
        for (name, bytes) in waiting where removeUnread(name) {
            guard leaving.withLock({ $0.removeValue(forKey: name) }) != nil else { continue }
            ledger.release(bytes)
            freed += bytes
        }
        return freed
    }

    /// Removes the temporary files of a process that has died; all of ours, with `owner` nil.
    func removeTemporaries(of owner: UInt64?) {
        let prefix = owner.map { Self.hex($0) + "-" } ?? ""
        // What cannot be removed now is tried again at the next start.
        for name in (try? directory.temporary.names()) ?? [] where name.hasPrefix(prefix) && Self.isTemporary(name) {
            _ = try? directory.temporary.remove(name)
        }
    }

    private func removeUnread(_ name: String) -> Bool {
        guard let descriptor = try? directory.temporary.open(name, O_RDONLY) else { return true }
        defer { close(descriptor) }
        guard FileLock.excludeReading(descriptor) else { return false }
        // A name that cannot be removed keeps its room until the next start.
        return (try? directory.temporary.remove(name)) != nil
    }

    private func temporaryName() -> String {
        "\(Self.hex(ledger.owner))-\(counter.add(1, ordering: .relaxed).newValue)"
    }

    private static func isTemporary(_ name: String) -> Bool {
        let parts = name.split(separator: "-")
        return parts.count == 2 && parts[0].utf8.count == 16 && UInt64(parts[0], radix: 16) != nil
            && Int(parts[1]) != nil
    }

    private static func hex(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    // MARK: Arriving and leaving

    /// Gives a finished file in `tmp` its digest's name and counts one reference to it.
    ///
    /// If the blob is there already and known to be right, the new file is dropped; otherwise it takes its place.
    func arrive(_ name: String, as digest: Digest, reserved: Int) throws(SystemError) -> Arrival {
        var displaced: (name: String, bytes: Int)?
        defer { if let displaced { discard(displaced.name, reserved: displaced.bytes) } }
        let arrival = try withShard(of: digest) { (shard, index) throws(SystemError) -> Arrival in
            let folder = try openFolder(&shard, index)
            let present = try folder.facts(digest.description)
            let slot = shard.blobs.find(digest)
            if let present, let slot, shard.blobs[slot].verified == present.stamp {
                shard.blobs[slot].references += 1
                return .alreadyThere
            }
            if let present { displaced = try moveAway(digest, present, folder, index) }
            let allocated = try directory.temporary.facts(name)?.allocated ?? reserved
            try directory.temporary.move(name, to: folder, as: digest.description)
            ledger.arrive(allocated, reserved: reserved, in: index)
            // Without these facts, the body is hashed again on first use, and the directory counted with the next file.
            if let own = try? folder.facts() { ledger.setFolder(own.allocated, of: index) }
            let facts = (try? folder.facts(digest.description)).flatMap { $0 }
            let place = slot ?? shard.blobs.insert(digest, Blob())
            shard.blobs[place].references += 1
            shard.blobs[place].verified = facts?.stamp ?? 0
            shard.isUnsynced = true
            return .stored
        }
        if arrival == .alreadyThere { discard(name, reserved: reserved) }
        return arrival
    }

    /// Counts a reference to a blob that is said to be on disk.
    func retain(_ digest: Digest) {
        withShard(of: digest) { shard, _ in
            let slot = shard.blobs.find(digest) ?? shard.blobs.insert(digest, Blob())
            shard.blobs[slot].references += 1
        }
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
            guard let folder = knownFolder(&shard, index), let facts = try? folder.facts(digest.description) else {
                isMissing = !wasMissed
                return nil
            }
            // What cannot be moved away keeps its room; the count at the next start sees it.
            return try? moveAway(digest, facts, folder, index)
        }
        if let left { discard(left.name, reserved: left.bytes) }
        if isMissing { recount(Self.index(of: digest)) }
        return left != nil
    }

    private func moveAway(
        _ digest: Digest,
        _ facts: FileFacts,
        _ folder: Folder,
        _ index: Int
    ) throws(SystemError) -> (name: String, bytes: Int) {
        let name = temporaryName()
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

    func noteVerified(_ digest: Digest, _ facts: FileFacts) {
        withShard(of: digest) { shard, _ in
            if let slot = shard.blobs.find(digest) { shard.blobs[slot].verified = facts.stamp }
        }
    }

    // MARK: Damage and counting

    /// Puts a damaged blob aside; the last few are kept.
    func quarantine(_ digest: Digest) {
        withShard(of: digest) { shard, index in
            guard let folder = shard.folder else { return }
            if let slot = shard.blobs.find(digest) { shard.blobs[slot].verified = 0 }
            // Gone is as good as put aside.
            try? folder.move(digest.description, to: directory.quarantine, as: digest.description)
        }
        trimQuarantine(keeping: Self.keptInQuarantine)
        recount(Self.index(of: digest))
    }

    /// Removes all but the latest files in quarantine and counts it anew.
    func trimQuarantine(keeping kept: Int) {
        let folder = directory.quarantine
        // A directory that cannot be read keeps its last count.
        guard let names = try? folder.names() else { return }
        let files = names.compactMap { name in (try? folder.facts(name)).flatMap { $0 }.map { (name, $0) } }
            .sorted { $0.1.changed > $1.1.changed }
        for (name, _) in files.dropFirst(kept) where Digest(hex: name) != nil { _ = try? folder.remove(name) }
        ledger.setQuarantine(files.prefix(kept).reduce(0) { $0 + $1.1.allocated })
    }

    /// Counts one blob directory anew, if no other process is there; nil otherwise.
    @discardableResult
    func recount(_ index: Int) -> Count? {
        ledger.whileAlone {
            shards[index].shard.withLock { shard in
                // A directory that cannot be read keeps its last count.
                guard let folder = knownFolder(&shard, index), let names = try? folder.names() else { return nil }
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
            try folder?.sync()
        }
    }

    private func openFolder(_ shard: inout Shard, _ index: Int) throws(SystemError) -> Folder {
        if let folder = shard.folder { return folder }
        let folder = try directory.blobs.makeFolder(Self.folderName(index))
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
