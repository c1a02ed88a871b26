import Glibc

/// Walks a folder without following links and says what is in it; the order is by relative path, byte by byte.
struct FolderScan {
    /// A regular file below the root.
    struct Found: Hashable {
        /// Relative path with `/` between its parts.
        var path: String
        var byteCount: Int
        var modifiedSeconds: Double
        /// The format by content; nil if it is no picture.
        var format: ImageFormat?
        /// Why it could not be looked at; nil if it was.
        var obstacle: String?
    }

    /// Files that are looked at, at most; what lies beyond is reported, not read.
    ///
    /// Default 1,000,000.
    static let maxFiles = 1_000_000
    /// Folders within folders; default 32.
    static let maxDepth = 32

    /// Every file but hidden ones; links, and what cannot be read or named, come with what stands in their way.
    ///
    /// Throws `folderMissing` if the root cannot be opened.
    static func files(below root: String) throws(OriginError) -> [Found] {
        let descriptor = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .folderMissing(root, SystemError("open", code: errno)) }
        var found: [Found] = []
        walk(descriptor, prefix: "", depth: 0, into: &found)
        found.sort { Array($0.path.utf8).lexicographicallyPrecedes(Array($1.path.utf8)) }
        return found
    }

    /// Takes over `descriptor`.
    private static func walk(_ descriptor: Int32, prefix: String, depth: Int, into found: inout [Found]) {
        guard let directory = fdopendir(descriptor) else {
            close(descriptor)
            return
        }
        defer { closedir(directory) }
        while let entry = readdir(directory), found.count < maxFiles {
            let (name, shown) = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) {
                    (String(validatingCString: $0), String(cString: $0))
                }
            }
            guard !shown.hasPrefix(".") else { continue }
            if let name {
                visit(name, in: dirfd(directory), prefix: prefix, depth: depth, into: &found)
            } else {
                found.append(obstacle("a name that is not UTF-8", prefix + shown))
            }
        }
    }

    private static func visit(_ name: String, in parent: Int32, prefix: String, depth: Int, into found: inout [Found]) {
        var status = stat()
        guard fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return }
        switch status.st_mode & S_IFMT {
        case S_IFDIR where depth < maxDepth:
            let child = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard child >= 0 else { return found.append(unreadable(prefix + name + "/")) }
            walk(child, prefix: prefix + name + "/", depth: depth + 1, into: &found)
        case S_IFDIR: found.append(obstacle("more than \(maxDepth) folders deep", prefix + name + "/"))
        case S_IFLNK: found.append(obstacle("a symbolic link, which is not followed", prefix + name))
        case S_IFREG:
            let file = openat(parent, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
            guard file >= 0 else { return found.append(unreadable(prefix + name)) }
            defer { close(file) }
            found.append(
                Found(
                    path: prefix + name,
                    byteCount: Int(status.st_size),
                    modifiedSeconds: Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9,
                    format: ImageFormat(contentOf: file)
                )
            )
        default: break
        }
    }

    private static func unreadable(_ path: String) -> Found {
        obstacle("cannot be read (\(SystemError("open", code: errno)))", path)
    }

    private static func obstacle(_ reason: String, _ path: String) -> Found {
        Found(path: path, byteCount: 0, modifiedSeconds: 0, format: nil, obstacle: reason)
    }
}

extension ImageFormat {
    /// Recognises an open file by its first bytes.
    init?(contentOf descriptor: Int32) {
        var head = [UInt8](repeating: 0, count: ImageFormat.signatureBytes)
        let count = pread(descriptor, &head, head.count, 0)
        guard count > 0 else { return nil }
        let format = head.withUnsafeBytes { ImageFormat(signature: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        guard let format else { return nil }
        self = format
    }
}
