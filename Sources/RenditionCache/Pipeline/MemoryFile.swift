import CSystem
import Glibc

/// An anonymous file in memory, for bytes that go to a worker or that the disk has no room for.
final class MemoryFile: Sendable {
    private let descriptor: Int32

    /// An empty one; `name` only shows in the process's descriptor list.
    init(_ name: StaticString) throws(SystemError) {
        let descriptor = name.withUTF8Buffer { _ in csystem_memory_file("\(name)") }
        guard descriptor >= 0 else { throw SystemError("memfd_create", code: -descriptor) }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Writes all the bytes at the end.
    func append(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            let count = write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw SystemError("write", code: errno) }
            written += count
        }
    }

    /// Begins anew.
    func truncate() throws(SystemError) {
        guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw SystemError("ftruncate", code: errno)
        }
    }

    /// Freezes it and opens what it holds.
    func sealed() throws(SystemError) -> OpenFile {
        let outcome = csystem_seal(descriptor)
        guard outcome == 0 else { throw SystemError("fcntl", code: -outcome) }
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw SystemError("fcntl", code: errno) }
        return OpenFile(owning: copy, byteCount: Int(lseek(descriptor, 0, SEEK_END)))
    }

    /// A sealed file of these bytes.
    static func holding(_ bytes: [UInt8], _ name: StaticString) throws(SystemError) -> OpenFile {
        let file = try MemoryFile(name)
        var failure: SystemError?
        bytes.withUnsafeBytes { all in
            do throws(SystemError) { try file.append(all) } catch { failure = error }
        }
        if let failure { throw failure }
        return try file.sealed()
    }
}

extension RenditionBody {
    /// The bytes as a file that can be handed to a worker.
    func file() throws(SystemError) -> OpenFile {
        switch self {
        case .file(let file): file
        case .memory(let bytes): try MemoryFile.holding(bytes, "rcache-source")
        }
    }
}
