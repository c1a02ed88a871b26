import Glibc
import RenditionCache

/// Files and folders that commands make for themselves.
enum WorkFolder {
    /// A file's bytes.
    static func bytes(of path: String) throws(SystemError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError("open", code: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            close(descriptor)
            throw SystemError("fstat", code: errno)
        }
        return try OpenFile(owning: descriptor, byteCount: Int(status.st_size)).read(
            from: 0,
            count: Int(status.st_size)
        )
    }

    /// Writes a file, replacing what is there.
    static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw SystemError("open", code: errno) }
        defer { close(descriptor) }
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw SystemError("write", code: errno)
        }
    }

    /// Makes a folder and those it lies in.
    static func make(_ path: String) throws(SystemError) {
        for end in path.indices where path[end] == "/" && end != path.startIndex { mkdir(String(path[..<end]), 0o755) }
        guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw SystemError("mkdir", code: errno) }
    }

    /// What is in a folder; nothing if it cannot be read.
    static func names(in path: String) -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }

    /// Removes what is in a folder; links are removed, not followed.
    static func removeContents(of path: String) throws(SystemError) {
        for name in names(in: path) {
            let entry = "\(path)/\(name)"
            var status = stat()
            guard lstat(entry, &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR {
                try removeContents(of: entry)
                guard rmdir(entry) == 0 else { throw SystemError("rmdir", code: errno) }
            } else {
                guard unlink(entry) == 0 else { throw SystemError("unlink", code: errno) }
            }
        }
    }
}

/// A folder below the system's temporary one, removed with its last reference.
final class ScratchFolder {
    /// Where it is.
    let path: String

    /// Makes a new one whose name begins with `name`.
    init(_ name: String) throws(SystemError) {
        let parent = Configuration.processEnvironment("TMPDIR") ?? "/tmp"
        var template = Array("\(parent)/\(name)-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError("mkdtemp", code: errno) }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        // What cannot be removed is left to whoever cleans the temporary folder.
        try? WorkFolder.removeContents(of: path)
        rmdir(path)
    }

    /// A file in it.
    func file(_ name: String) -> String { "\(path)/\(name)" }
}
