import Glibc
import RenditionCache

/// Files that are there whole or not at all.
enum OutputFile {
    /// Writes a body to `path` by way of a file beside it.
    ///
    /// - Parameter overwriting: whether a file that is there is replaced; a symbolic link's target is, not the link.
    static func write(_ body: RenditionBody, to path: String, overwriting: Bool) throws(Failure) {
        switch kind(of: path) {
        case .special:
            try withDescriptor(path, O_WRONLY | O_CLOEXEC) { (file) throws(Failure) in try copy(body, to: file, path) }
        case .file where !overwriting: throw .usage("\(path) is there already; --force replaces it")
        case .file: try replace(realPath(path), with: body, overwriting: true)
        case .none: try replace(path, with: body, overwriting: overwriting)
        case .directory: throw Failure(.usage, "\(path) is a folder")
        }
    }

    /// Writes a body to standard output.
    static func writeToStandardOutput(_ body: RenditionBody) throws(Failure) {
        try copy(body, to: STDOUT_FILENO, "standard output")
    }

    /// A name from outside as the name of a file here: its last part, nothing hidden, no control character.
    static func safeName(_ name: String) -> String {
        let last = name.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
        let plain = last.unicodeScalars.filter { $0.properties.generalCategory != .control }
        let visible = String(String.UnicodeScalarView(plain)).drop { $0 == "." || $0 == "-" || $0 == " " }
        return visible.isEmpty ? "picture" : String(visible)
    }

    // MARK: - Steps

    private enum Kind {
        case none, file, directory, special
    }

    private static func kind(of path: String) -> Kind {
        var status = stat()
        guard stat(path, &status) == 0 else { return .none }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .directory
        default: return .special
        }
    }

    private static func replace(_ path: String, with body: RenditionBody, overwriting: Bool) throws(Failure) {
        let cut = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        // The name is cut so that the longer one is still one that a file system takes.
        let name = "\(path[..<cut]).\(path[cut...].prefix(50)).\(getpid())-\(UInt32.random(in: 0 ... .max)).part"
        do throws(Failure) {
            try withDescriptor(name, for: path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC) { (file) throws(Failure) in
                try copy(body, to: file, path)
            }
            if overwriting {
                guard rename(name, path) == 0 else { throw failure("rename", path) }
            } else {
                // A rename would replace what another process has put there meanwhile.
                guard link(name, path) == 0 else {
                    if errno == EEXIST { throw .usage("\(path) is there already; --force replaces it") }
                    throw failure("link", path)
                }
                unlink(name)
            }
        } catch {
            unlink(name)
            throw error
        }
    }

    private static func copy(_ body: RenditionBody, to descriptor: Int32, _ name: String) throws(Failure) {
        switch body {
        case .memory(let bytes): try Console.writeAll(bytes, to: descriptor, named: name)
        case .file(let file):
            for offset in stride(from: 0, to: file.byteCount, by: 262_144) {
                let piece: [UInt8]
                do throws(SystemError) {
                    piece = try file.read(from: offset, count: min(262_144, file.byteCount - offset))
                } catch {
                    throw Failure(.failures, "the cached picture cannot be read (\(error))")
                }
                try Console.writeAll(piece, to: descriptor, named: name)
            }
        }
    }

    private static func withDescriptor(
        _ path: String,
        for target: String? = nil,
        _ flags: Int32,
        _ body: (Int32) throws(Failure) -> Void
    ) throws(Failure) {
        let descriptor = open(path, flags, 0o666)
        guard descriptor >= 0 else { throw failure("open", target ?? path) }
        defer { close(descriptor) }
        try body(descriptor)
    }

    private static func failure(_ call: String, _ path: String) -> Failure {
        Failure(.failures, "\(path) cannot be written (\(SystemError(call, code: errno)))")
    }

    private static func realPath(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}
