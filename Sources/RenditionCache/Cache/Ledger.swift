import Glibc
import Synchronization

/// How much room is taken, in a file that every process on the directory maps: the limit is held together.
///
/// All numbers are bytes of allocated disk. `total` is the sum of everything below it: what each blob directory holds,
/// what the directories, the index and the quarantine take themselves, and what each process has reserved for files it
/// is writing or removing. A reservation is one compare-and-swap on `total`, so nobody waits for a process that has
/// been stopped. Growth is added to `total` first and loss is taken off last: a process killed in between leaves too
/// high a number, never too low, and the next start that finds itself alone counts again.
///
/// Each process owns a slot, and proves to be alive by an open-file-description lock on the slot's byte, which the
/// kernel drops with the process. Truncating the file under a running process ends that process (SIGBUS).
final class Ledger: Sendable {
    private enum Word {
        static let magic = 0
        static let total = 1
        static let index = 2
        static let quarantine = 3
        static let fixed = 4
        static let dirty = 5
        static let slots = 16
        static let holdings = 128
        static let folders = 384
    }

    /// What `Word.dirty` says.
    private enum Order {
        /// All is closed, and the index knows every blob.
        static let closed = 0
        /// Somebody is at work.
        static let inUse = 1
        /// A blob may be there that the index will never be told of, until the directories have been counted.
        static let lost = 2
    }

    private static let magic = 0x7263_6163_6865_0001
    private static let slotCount = 32
    private static let byteCount = 8192
    private static let openingByte = 0
    private static let firstSlotByte = 1

    private let file: OpenFile
    // Safe to share: every access is an atomic operation, and the mapping lives as long as this object.
    private nonisolated(unsafe) let words: UnsafeMutablePointer<Atomic<Int>>
    private let slot: Int
    /// Whether this store is still being opened, and so has the opening lock.
    ///
    /// The mutex serialises the use of that lock, which the kernel grants per description.
    private let isOpening = Mutex(true)
    /// Whether no other process was there when it was opened.
    let wasAlone: Bool
    /// Whether the numbers can be believed: the file was whole and the last process closed it in good order.
    let wasClean: Bool
    /// Whether the file held no numbers at all.
    let isNew: Bool
    /// Names this process's temporary files.
    let owner: UInt64

    /// Maps the ledger in `root` and claims a slot; the opening lock stays held until `endOpening()`.
    init(in root: Folder, openingTimeoutSeconds: Double = 30) throws(SystemError) {
        let descriptor = try root.open(CacheDirectory.ledger, O_RDWR | O_CREAT)
        file = OpenFile(owning: descriptor, byteCount: Self.byteCount)
        try Self.lockOpening(descriptor, timeoutSeconds: openingTimeoutSeconds)
        let isWhole = try FileFacts(of: descriptor).byteCount == Self.byteCount
        wasAlone = try FileLock.isFree(descriptor, from: Self.firstSlotByte, count: Self.slotCount)
        if !isWhole {
            guard wasAlone else { throw SystemError("map ledger", code: EINVAL) }
            try SystemError.check("ftruncate") { ftruncate(descriptor, 0) }
            let code = posix_fallocate(descriptor, 0, off_t(Self.byteCount))
            guard code == 0 else { throw SystemError("posix_fallocate", code: code) }
        }
        let mapping = mmap(nil, Self.byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        guard let mapping, mapping != MAP_FAILED else { throw SystemError("mmap", code: errno) }
        words = mapping.bindMemory(to: Atomic<Int>.self, capacity: Self.byteCount / 8)
        isNew = words[Word.magic].load(ordering: .acquiring) != Self.magic
        if isNew {
            for word in 0..<Self.byteCount / 8 { words[word].store(0, ordering: .relaxed) }
            words[Word.magic].store(Self.magic, ordering: .releasing)
        }
        wasClean = !isNew && words[Word.dirty].load(ordering: .relaxed) == Order.closed
        owner = UInt64.random(in: 1...UInt64.max)
        guard let free = (0..<Self.slotCount).first(where: { FileLock.tryLock(descriptor, Self.firstSlotByte + $0) })
        else { throw SystemError("claim ledger slot", code: EUSERS) }
        slot = free
    }

    deinit { munmap(words, Self.byteCount) }

    // MARK: Opening and closing

    /// Frees what dead processes had reserved, and begins to count.
    ///
    /// - Parameter remove: deletes the temporary files of an owner; called before its reservation is given back.
    func begin(fixedBytes: Int, removeFilesOf remove: (UInt64) -> Void) {
        for other in 0..<Self.slotCount where other != slot { reclaim(other, remove) }
        settle(slot, remove)
        words[ownerWord(slot)].store(Int(bitPattern: UInt(owner)), ordering: .relaxed)
        if wasAlone { words[Word.dirty].store(wasClean ? Order.inUse : Order.lost, ordering: .relaxed) }
        words[Word.fixed].store(fixedBytes, ordering: .relaxed)
        guard wasAlone else { return }
        let parts = [Word.index, Word.quarantine, Word.fixed] + Array(Word.holdings..<Word.folders + 256)
        words[Word.total].store(parts.reduce(0) { $0 + words[$1].load(ordering: .relaxed) }, ordering: .relaxed)
    }

    /// Lets the next process open.
    func endOpening() {
        isOpening.withLock { isOpening in
            isOpening = false
            FileLock.unlock(file.descriptor, Self.openingByte)
        }
    }

    /// Says that every blob directory has been counted, and the index told of what was not known.
    func noteCounted() {
        _ = words[Word.dirty].compareExchange(expected: Order.lost, desired: Order.inUse, ordering: .relaxed)
    }

    /// Gives the slot back; in good order if nothing is reserved any more and nobody has died or left something untold.
    ///
    /// - Parameter isIndexed: whether the index knows all that this process has stored.
    func close(isIndexed: Bool) {
        if !isIndexed { words[Word.dirty].store(Order.lost, ordering: .relaxed) }
        if reserved == 0 {
            _ = whileAlone {
                let others = (0..<Self.slotCount).filter { $0 != slot }
                guard others.allSatisfy({ words[ownerWord($0)].load(ordering: .relaxed) == 0 }) else { return }
                _ = words[Word.dirty].compareExchange(
                    expected: Order.inUse,
                    desired: Order.closed,
                    ordering: .relaxed
                )
            }
            words[ownerWord(slot)].store(0, ordering: .relaxed)
        }
        letGo()
    }

    /// Drops the proof of being alive, as the kernel does when a process dies.
    func letGo() { FileLock.unlock(file.descriptor, Self.firstSlotByte + slot) }

    /// Frees what processes that have died since had reserved.
    func reclaimDead(removeFilesOf remove: (UInt64) -> Void) {
        for other in 0..<Self.slotCount where other != slot { reclaim(other, remove) }
    }

    private func reclaim(_ other: Int, _ remove: (UInt64) -> Void) {
        guard words[ownerWord(other)].load(ordering: .relaxed) != 0,
            FileLock.tryLock(file.descriptor, Self.firstSlotByte + other)
        else { return }
        settle(other, remove)
        FileLock.unlock(file.descriptor, Self.firstSlotByte + other)
    }

    private func settle(_ slot: Int, _ remove: (UInt64) -> Void) {
        let owner = words[ownerWord(slot)].exchange(0, ordering: .relaxed)
        if owner != 0 {
            // Rows that it had not written yet are known to nobody.
            words[Word.dirty].store(Order.lost, ordering: .relaxed)
            remove(UInt64(UInt(bitPattern: owner)))
        }
        let rest = words[reservedWord(slot)].exchange(0, ordering: .relaxed)
        words[Word.total].subtract(rest, ordering: .relaxed)
    }

    // MARK: Alone or not

    /// Whether no other process has the directory open now.
    func isAlone() -> Bool {
        // A failing lock call must not make two processes believe to be alone.
        (try? FileLock.isFree(file.descriptor, from: Self.firstSlotByte, count: Self.slotCount)) ?? false
    }

    /// Runs `body` if no other process is there, and keeps others from opening meanwhile; nil otherwise.
    func whileAlone<T>(_ body: () -> T) -> T? {
        isOpening.withLock { isOpening in
            if isOpening { return isAlone() ? body() : nil }
            guard FileLock.tryLock(file.descriptor, Self.openingByte) else { return nil }
            defer { FileLock.unlock(file.descriptor, Self.openingByte) }
            return isAlone() ? body() : nil
        }
    }

    private static func lockOpening(_ descriptor: Int32, timeoutSeconds: Double) throws(SystemError) {
        var waited = 0.0
        while !FileLock.tryLock(descriptor, openingByte) {
            guard waited < timeoutSeconds else { throw SystemError("lock ledger", code: ETIMEDOUT) }
            usleep(10_000)
            waited += 0.01
        }
    }

    // MARK: Numbers

    /// Everything that is allocated or reserved.
    var total: Int { words[Word.total].load(ordering: .relaxed) }

    /// What the blobs take: what eviction can free.
    var blobBytes: Int {
        (0..<256).reduce(0) { $0 + words[Word.holdings + $1].load(ordering: .relaxed) }
    }

    /// What all processes have reserved.
    var allReserved: Int {
        (0..<Self.slotCount).reduce(0) { $0 + words[reservedWord($1)].load(ordering: .relaxed) }
    }

    /// What this process has reserved.
    var reserved: Int { words[reservedWord(slot)].load(ordering: .relaxed) }

    /// Reserves if the total stays within `limit`.
    func reserve(_ bytes: Int, limit: Int) -> Bool {
        var seen = total
        while seen + bytes <= limit {
            let (exchanged, original) = words[Word.total].compareExchange(
                expected: seen,
                desired: seen + bytes,
                ordering: .relaxed
            )
            if exchanged {
                words[reservedWord(slot)].add(bytes, ordering: .relaxed)
                return true
            }
            seen = original
        }
        return false
    }

    /// Gives a reservation back.
    func release(_ bytes: Int) {
        words[reservedWord(slot)].subtract(bytes, ordering: .relaxed)
        words[Word.total].subtract(bytes, ordering: .relaxed)
    }

    /// Turns a reservation into a blob of blob directory `folder`.
    func arrive(_ allocated: Int, reserved: Int, in folder: Int) {
        words[Word.total].add(max(0, allocated - reserved), ordering: .relaxed)
        words[Word.holdings + folder].add(allocated, ordering: .relaxed)
        words[reservedWord(slot)].subtract(reserved, ordering: .relaxed)
        words[Word.total].subtract(max(0, reserved - allocated), ordering: .relaxed)
    }

    /// Turns a blob into something that this process is about to remove.
    func leave(_ allocated: Int, from folder: Int) {
        words[reservedWord(slot)].add(allocated, ordering: .relaxed)
        words[Word.holdings + folder].subtract(allocated, ordering: .relaxed)
    }

    /// Sets what the blobs of a directory take, as counted.
    func setHoldings(_ bytes: Int, of folder: Int) { set(Word.holdings + folder, bytes) }
    /// Sets what a blob directory takes itself.
    func setFolder(_ bytes: Int, of folder: Int) { set(Word.folders + folder, bytes) }
    /// Sets what the index takes.
    func setIndex(_ bytes: Int) { set(Word.index, bytes) }
    /// Sets what the quarantine holds.
    func setQuarantine(_ bytes: Int) { set(Word.quarantine, bytes) }

    private func set(_ word: Int, _ bytes: Int) {
        let old = words[word].exchange(bytes, ordering: .relaxed)
        if old != bytes { words[Word.total].add(bytes - old, ordering: .relaxed) }
    }

    private func ownerWord(_ slot: Int) -> Int { Word.slots + 2 * slot }
    private func reservedWord(_ slot: Int) -> Int { Word.slots + 2 * slot + 1 }
}
