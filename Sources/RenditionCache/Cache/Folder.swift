import Glibc

/// One open directory of the cache.
///
/// Every name below it is a single path component, and no symbolic link is followed, so nothing that is planted in
/// the tree can lead out of it.
final class Folder: Sendable {
    /// The descriptor; valid as long as this object lives.
    let descriptor: Int32

    /// Takes over a descriptor.
    private init(owning descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Opens the directory at `path`, which the user chose: links on the way to it are followed.
    init(path: String) throws(SystemError) {
        descriptor = try SystemError.check("open") { Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    }

    /// Opens a directory in this one.
    func folder(_ name: String) throws(SystemError) -> Folder {
        Folder(owning: try open(name, O_RDONLY | O_DIRECTORY))
    }

    /// Makes a directory in this one unless it is there, and opens it.
    func makeFolder(_ name: String) throws(SystemError) -> Folder {
        do throws(SystemError) {
            try SystemError.check("mkdirat") { mkdirat(descriptor, name, 0o700) }
        } catch {
            guard error.code == EEXIST else { throw error }
        }
        return try folder(name)
    }

    /// Opens a name; with `O_NONBLOCK`, so that a planted pipe does not hang.
    func open(_ name: String, _ flags: Int32) throws(SystemError) -> Int32 {
        try SystemError.check("openat") {
            openat(descriptor, name, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
        }
    }

    /// What `stat` says about a name; nil if there is no such thing.
    func facts(_ name: String) throws(SystemError) -> FileFacts? {
        var status = stat()
        do throws(SystemError) {
            try SystemError.check("fstatat") { fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) }
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
        return FileFacts(status)
    }

    /// What `stat` says about the directory itself.
    func facts() throws(SystemError) -> FileFacts { try FileFacts(of: descriptor) }

    /// Moves a name into another directory, over what bears the new name there.
    func move(_ name: String, to folder: Folder, as newName: String) throws(SystemError) {
        try SystemError.check("renameat") { renameat(descriptor, name, folder.descriptor, newName) }
    }

    /// Removes a file; says whether there was one.
    @discardableResult
    func remove(_ name: String) throws(SystemError) -> Bool {
        do throws(SystemError) {
            try SystemError.check("unlinkat") { unlinkat(descriptor, name, 0) }
            return true
        } catch {
            if error.code == ENOENT { return false }
            throw error
        }
    }

    /// Makes names that were moved here survive a power cut.
    func sync() throws(SystemError) {
        try SystemError.check("fsync") { fsync(descriptor) }
    }

    /// All names but `.` and `..`, in no order.
    func names() throws(SystemError) -> [String] {
        // A description of its own, because reading moves the offset.
        let copy = try open(".", O_RDONLY | O_DIRECTORY)
        guard let stream = fdopendir(copy) else {
            let code = errno
            close(copy)
            throw SystemError("fdopendir", code: code)
        }
        defer { closedir(stream) }
        var names: [String] = []
        errno = 0
        while let item = readdir(stream) {
            let name = withUnsafePointer(to: &item.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw SystemError("readdir", code: errno) }
        return names
    }

    /// Writes a small file whole, if it is not there.
    func write(_ text: String, to name: String) throws(SystemError) {
        guard try facts(name) == nil else { return }
        let file = try open(name, O_WRONLY | O_CREAT | O_TRUNC)
        defer { close(file) }
        var text = text
        let count = text.utf8.count
        let written = text.withUTF8 { Glibc.write(file, $0.baseAddress, count) }
        guard written == count else { throw SystemError("write", code: written < 0 ? errno : ENOSPC) }
        try SystemError.check("fsync") { fsync(file) }
    }
}

/// What tells one state of a file from another.
struct FileFacts: Hashable, Sendable {
    var device: UInt64
    var inode: UInt64
    var byteCount: Int
    var modified: Int64
    /// When name, links, owner, size or content last changed, in nanoseconds since 1970.
    var changed: Int64
    /// Bytes of disk that it takes.
    var allocated: Int
    var isRegular: Bool

    init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        byteCount = Int(status.st_size)
        modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
        changed = Int64(status.st_ctim.tv_sec) * 1_000_000_000 + Int64(status.st_ctim.tv_nsec)
        allocated = Int(status.st_blocks) * 512
        isRegular = status.st_mode & S_IFMT == S_IFREG
    }

    init(of descriptor: Int32) throws(SystemError) {
        var status = stat()
        try SystemError.check("fstat") { fstat(descriptor, &status) }
        self.init(status)
    }

    /// A number that changes with device, inode, size, modification or change time; never below 2.
    var stamp: UInt64 {
        var hasher = Hasher()
        hasher.combine(device)
        hasher.combine(inode)
        hasher.combine(byteCount)
        hasher.combine(modified)
        hasher.combine(changed)
        return max(2, UInt64(bitPattern: Int64(hasher.finalize())))
    }
}
