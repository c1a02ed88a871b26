import Glibc

/// The bytes of a rendition, in memory or in an open file that nobody changes any more; sharing it copies nothing.
public enum RenditionBody: Sendable {
    case memory([UInt8])
    case file(OpenFile)

    /// How many bytes there are.
    public var count: Int {
        switch self {
        case .memory(let bytes): bytes.count
        case .file(let file): file.byteCount
        }
    }

    /// All the bytes, read from the file if need be.
    ///
    /// Blocks on the disk.
    public func bytes() throws(SystemError) -> [UInt8] {
        switch self {
        case .memory(let bytes): bytes
        case .file(let file): try file.read(from: 0, count: file.byteCount)
        }
    }
}

/// Owns one descriptor of a file opened for reading; closes it with the last reference.
public final class OpenFile: Sendable {
    /// The descriptor; valid as long as this object lives.
    ///
    /// Do not move its offset: use positioned reads.
    public let descriptor: Int32
    /// The file's length when it was opened.
    public let byteCount: Int

    /// Takes over a descriptor.
    public init(owning descriptor: Int32, byteCount: Int) {
        self.descriptor = descriptor
        self.byteCount = byteCount
    }

    deinit { close(descriptor) }

    /// Reads exactly `count` bytes at `offset`; throws if the file has become shorter.
    public func read(from offset: Int, count: Int) throws(SystemError) -> [UInt8] {
        var failure: SystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let got = pread(
                    descriptor,
                    buffer.baseAddress.map { $0 + filled },
                    count - filled,
                    off_t(offset + filled)
                )
                if got < 0 && errno == EINTR { continue }
                guard got > 0 else {
                    failure = SystemError("pread", code: got < 0 ? errno : EIO)
                    return
                }
                filled += got
            }
        }
        if let failure { throw failure }
        return bytes
    }
}
