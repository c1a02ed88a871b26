import Glibc
import RenditionModel

/// Owns the descriptor of a source and its mapping for the length of one job.
final class SourceFile {
    private let descriptor: Int32
    private var mapping = UnsafeRawBufferPointer(start: nil, count: 0)

    init(owning descriptor: Int32) { self.descriptor = descriptor }

    deinit {
        if let start = mapping.baseAddress { munmap(UnsafeMutableRawPointer(mutating: start), mapping.count) }
        close(descriptor)
    }

    /// Maps the first `length` bytes, or the whole file, valid as long as this object; refuses them by their number before.
    func map(_ length: Int?, limit: Int) throws(RenderRefusal) -> UnsafeRawBufferPointer {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .badJob("the source is not a file")
        }
        let count = length ?? Int(status.st_size)
        guard count <= Int(status.st_size) else { throw .badJob("the source is shorter than \(count) bytes") }
        guard count <= limit else { throw .tooLarge(what: "source bytes", value: count, limit: limit) }
        guard count > 0 else { throw .notAnImage }
        let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0)
        guard let start, start != MAP_FAILED else { throw .badJob("the source cannot be mapped: error \(errno)") }
        mapping = UnsafeRawBufferPointer(start: start, count: count)
        return mapping
    }
}
