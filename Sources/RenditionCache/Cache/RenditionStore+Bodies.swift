import Glibc

extension RenditionStore {
    /// The body of an entry, which is what its digest says: hashed on first use and whenever its file has changed.
    ///
    /// From memory if it is there; else blocks on the disk, a large one for as long as it takes to hash it once. Throws
    /// `missing` where the blob has gone and `damaged` where it is not what was stored; either way the entry is
    /// dropped, and the caller treats it as a miss.
    func body(of entry: Entry) throws(CacheError) -> RenditionBody {
        if let bytes = memory.body(entry.digest) { return .memory(bytes) }
        do throws(SystemError) {
            guard let (descriptor, facts) = try disk.open(entry.digest) else {
                drop(entry)
                throw SystemError("open", code: ENOENT)
            }
            let file = OpenFile(owning: descriptor, byteCount: entry.byteCount)
            guard facts.byteCount > entry.byteCount else { throw SystemError("size", code: EBADMSG) }
            return try entry.byteCount <= MemoryTier.largestBody
                ? .memory(smallBody(file, facts, entry.digest)) : .file(largeBody(file, facts, entry.digest))
        } catch {
            switch error.code {
            case ENOENT: throw .missing(entry.digest)
            // Not our bytes, a link, a directory or a pipe in its place: whatever it is, it is not the blob.
            case EBADMSG, ELOOP, EINVAL, EISDIR, ENXIO, ENOTDIR:
                putAside(entry)
                throw .damaged(entry.digest)
            default: throw .system(error, path: "blobs/\(entry.digest)")
            }
        }
    }

    private func smallBody(_ file: OpenFile, _ facts: FileFacts, _ digest: Digest) throws(SystemError) -> [UInt8] {
        let bytes = try file.read(from: 0, count: file.byteCount)
        guard Digest(of: bytes) == digest else { throw SystemError("digest", code: EBADMSG) }
        disk.noteVerified(digest, facts)
        memory.keep(bytes, as: digest)
        return bytes
    }

    private func largeBody(_ file: OpenFile, _ facts: FileFacts, _ digest: Digest) throws(SystemError) -> OpenFile {
        if disk.isVerified(digest, facts) { return file }
        guard try Digest(of: file) == digest else { throw SystemError("digest", code: EBADMSG) }
        // The state before hashing: a change meanwhile makes it differ, and it is hashed again.
        disk.noteVerified(digest, facts)
        return file
    }

    private func drop(_ entry: Entry) {
        guard let row = table.remove(entry.key, digest: entry.digest) else { return }
        disk.release(row.digest)
        queue.append(.remove(entry.key, before: clock.tick()))
        log(.info, "a blob has gone", ["digest": entry.digest, "asset": entry.metadata.asset])
    }

    private func putAside(_ entry: Entry) {
        memory.forget(entry.digest)
        disk.quarantine(entry.digest)
        metrics.add(.quarantined)
        log(.warning, "a damaged blob was put aside", ["digest": entry.digest, "asset": entry.metadata.asset])
        guard let row = table.remove(entry.key, digest: entry.digest) else { return }
        disk.release(row.digest)
        queue.append(.remove(entry.key, before: clock.tick()))
    }
}

extension Digest {
    /// The digest of a file's first `byteCount` bytes, read in pieces; blocks on the disk.
    init(of file: OpenFile) throws(SystemError) {
        var hasher = DigestHasher()
        let piece = 256 * 1024
        for offset in stride(from: 0, to: file.byteCount, by: piece) {
            let bytes = try file.read(from: offset, count: min(piece, file.byteCount - offset))
            bytes.withUnsafeBytes { hasher.update($0) }
        }
        self = hasher.finalize()
    }
}

extension BlobWriter {
    /// Takes the next bytes.
    func append(_ bytes: [UInt8]) throws(CacheError) {
        var failure: CacheError?
        bytes.withUnsafeBytes { buffer in
            do throws(CacheError) { try append(buffer) } catch { failure = error }
        }
        if let failure { throw failure }
    }
}
