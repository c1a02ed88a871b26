import Glibc

/// A file's bytes, up to one more than `maxBytes`, by which too long a one is told; a pipe will do.
func wholeFile(_ path: String, maxBytes: Int) throws(SystemError) -> [UInt8] {
    let descriptor = try SystemError.check("open") { open(path, O_RDONLY | O_CLOEXEC) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= maxBytes {
        let room = min(piece.count, maxBytes + 1 - bytes.count)
        let got = try SystemError.check("read") { read(descriptor, &piece, room) }
        guard got > 0 else { break }
        bytes += piece[..<got]
    }
    return bytes
}
