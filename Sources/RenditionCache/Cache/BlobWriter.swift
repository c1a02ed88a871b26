import Glibc
import Synchronization

/// Writes one blob aside: reserves room before each byte, hashes while writing, vanishes unless it is committed.
///
/// `expect`, `append` and `restart` block on the disk; they may evict to make room.
final class BlobWriter: ByteSink {
    private struct State: ~Copyable {
        var hasher = DigestHasher()
        /// The body so far.
        var written = 0
        /// Room that is reserved for the file, all in all.
        var reserved = 0
        /// Open as long as the file is ours to write and to remove; -1 from then on, so that nothing keeps a file that
        /// has left from giving up its room.
        var descriptor: Int32

        var isPending: Bool { descriptor >= 0 }

        mutating func closeFile() {
            close(descriptor)
            descriptor = -1
        }
    }

    /// A body with its trailer, on disk for good, under its temporary name.
    struct Sealed: Sendable {
        var name: String
        var digest: Digest
        var byteCount: Int
        var reserved: Int
    }

    private let disk: DiskTier
    private let room: Room
    private let name: String
    private let state: Mutex<State>

    /// Room for the trailer's and the directories' growth, beyond the body.
    private static let overhead = 3 * 4096
    private static let steps = 64 * 1024...4 * 1024 * 1024

    /// Makes the file.
    init(disk: DiskTier, room: Room) throws(CacheError) {
        self.disk = disk
        self.room = room
        do throws(SystemError) {
            let file = try disk.temporaries.make()
            name = file.name
            state = Mutex(State(descriptor: file.descriptor))
        } catch {
            throw .system(error, path: "tmp")
        }
    }

    deinit { cancel() }

    /// How long the body is so far.
    var byteCount: Int { state.withLock { $0.written } }

    /// Reserves room for the whole body, or throws `noRoom`.
    func expect(byteCount: Int) throws(CacheError) {
        try state.withLock { (state) throws(CacheError) in
            guard state.isPending else { throw .closed }
            try hold(byteCount, in: &state)
        }
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws(CacheError) {
        try state.withLock { (state) throws(CacheError) in
            guard state.isPending else { throw .closed }
            let needed = state.written + bytes.count
            if Room.allocation(needed) + Self.overhead > state.reserved { try grow(to: needed, in: &state) }
            try write(bytes, at: state.written, to: state.descriptor)
            state.hasher.update(bytes)
            state.written = needed
        }
    }

    func restart() throws(CacheError) {
        try state.withLock { (state) throws(CacheError) in
            guard state.isPending else { throw .closed }
            let descriptor = state.descriptor
            do throws(SystemError) {
                try SystemError.check("ftruncate") { ftruncate(descriptor, 0) }
            } catch {
                throw .system(error, path: "tmp/\(name)")
            }
            state.written = 0
            _ = state.hasher.finalize()
        }
    }

    /// Reads `count` bytes of the body so far, fewer at its end.
    func read(from offset: Int, count: Int) throws(CacheError) -> [UInt8] {
        let file = try openFile()
        do throws(SystemError) {
            return try file.read(from: min(offset, file.byteCount), count: max(0, min(count, file.byteCount - offset)))
        } catch {
            throw .system(error, path: "tmp/\(name)")
        }
    }

    /// The body so far, open for reading only, for instance to hand to a render worker; not after a commit.
    ///
    /// The file grows when it is committed: its reader must heed `byteCount`.
    func openFile() throws(CacheError) -> OpenFile {
        let (isPending, written) = state.withLock { ($0.isPending, $0.written) }
        guard isPending else { throw .closed }
        do throws(SystemError) {
            let copy = try disk.directory.temporary.open(name, O_RDONLY)
            _ = FileLock.shareReading(copy)
            return OpenFile(owning: copy, byteCount: written)
        } catch {
            throw .system(error, path: "tmp/\(name)")
        }
    }

    /// Gives everything up now instead of with the last reference.
    func cancel() {
        state.withLock { state in
            guard state.isPending else { return }
            state.closeFile()
            disk.temporaries.discard(name, reserved: state.reserved)
        }
    }

    /// Appends the trailer, makes the file survive a power cut, and hands it over to the caller.
    func seal(as key: CacheKey, metadata: [UInt8]) throws(CacheError) -> Sealed {
        try state.withLock { (state) throws(CacheError) in
            guard state.isPending else { throw .closed }
            let trailer = BlobTrailer(key: key, byteCount: state.written, metadata: metadata).encoded
            guard trailer.count <= BlobTrailer.maxBytes else {
                throw .noRoom(bytes: trailer.count, limit: BlobTrailer.maxBytes)
            }
            try hold(state.written + trailer.count, in: &state)
            var failure: CacheError?
            trailer.withUnsafeBytes { bytes in
                do throws(CacheError) { try write(bytes, at: state.written, to: state.descriptor) } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
            let descriptor = state.descriptor
            do throws(SystemError) {
                try SystemError.check("fdatasync") { fdatasync(descriptor) }
            } catch {
                throw self.failure(error, state.written)
            }
            state.closeFile()
            return Sealed(
                name: name,
                digest: state.hasher.finalize(),
                byteCount: state.written,
                reserved: state.reserved
            )
        }
    }

    private func hold(_ byteCount: Int, in state: inout State) throws(CacheError) {
        let missing = Room.allocation(byteCount) + Self.overhead - state.reserved
        guard missing > 0 else { return }
        try room.reserve(missing)
        state.reserved += missing
    }

    /// Reserves ahead, so that not every piece asks the ledger; exactly what is needed where there is no more.
    private func grow(to byteCount: Int, in state: inout State) throws(CacheError) {
        let step = min(max(state.written, Self.steps.lowerBound), Self.steps.upperBound)
        let ahead = Room.allocation(byteCount + step) + Self.overhead - state.reserved
        if disk.ledger.total + ahead <= room.maxBytes {
            try room.reserve(ahead)
            state.reserved += ahead
        } else {
            try hold(byteCount, in: &state)
        }
    }

    private func write(
        _ bytes: UnsafeRawBufferPointer,
        at offset: Int,
        to descriptor: Int32
    ) throws(CacheError) {
        var done = 0
        do throws(SystemError) {
            while done < bytes.count {
                done += try SystemError.check("pwrite") {
                    pwrite(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset + done))
                }
            }
        } catch {
            throw failure(error, bytes.count)
        }
    }

    /// A file system or quota that is full although the ledger had room is no different to the caller.
    private func failure(_ error: SystemError, _ bytes: Int) -> CacheError {
        switch error.code {
        case ENOSPC, EDQUOT: .noRoom(bytes: bytes, limit: room.maxBytes)
        default: .system(error, path: "tmp/\(name)")
        }
    }
}
