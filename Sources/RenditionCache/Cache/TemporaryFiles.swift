import Glibc
import Synchronization

/// The files in `tmp`: what is being written, and what is on its way out but still read by somebody.
///
/// A name is its owner's number, of the ledger, and a count; so what a dead process left is told from all else.
final class TemporaryFiles: Sendable {
    let folder: Folder
    private let ledger: Ledger
    /// Files that somebody still reads, with what they take.
    private let leaving = Mutex<[String: Int]>([:])
    private let counter = Atomic<Int>(0)

    init(folder: Folder, ledger: Ledger) {
        self.folder = folder
        self.ledger = ledger
    }

    /// A new file in `tmp`, open for reading and writing.
    func make() throws(SystemError) -> (name: String, descriptor: Int32) {
        let name = newName()
        return (name, try folder.open(name, O_RDWR | O_CREAT | O_EXCL))
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
    func remove(of owner: UInt64?) {
        let prefix = owner.map { Self.hex($0) + "-" } ?? ""
        // What cannot be removed now is tried again at the next start.
        for name in (try? folder.names()) ?? [] where name.hasPrefix(prefix) && Self.isOurs(name) {
            _ = try? folder.remove(name)
        }
    }

    private func removeUnread(_ name: String) -> Bool {
        let descriptor: Int32
        do throws(SystemError) {
            descriptor = try folder.open(name, O_RDONLY)
        } catch {
            return error.code == ENOENT || error.code == ELOOP && (try? folder.remove(name)) != nil
        }
        defer { close(descriptor) }
        guard FileLock.excludeReading(descriptor) else { return false }
        // A name that cannot be removed keeps its room until the next start.
        return (try? folder.remove(name)) != nil
    }

    func newName() -> String {
        "\(Self.hex(ledger.owner))-\(counter.add(1, ordering: .relaxed).newValue)"
    }

    private static func isOurs(_ name: String) -> Bool {
        let parts = name.split(separator: "-")
        return parts.count == 2 && parts[0].utf8.count == 16 && UInt64(parts[0], radix: 16) != nil
            && Int(parts[1]) != nil
    }

    private static func hex(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
