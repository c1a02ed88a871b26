import Glibc

/// The directory on disk: ours by its marker, or refused.
///
/// ```
/// .rcache          the marker; says which layout
/// CACHEDIR.TAG     so that backups pass it over
/// blobs/ab/<64 hex digits>    body and trailer, named by the digest of the body
/// tmp/             what is being written or is on its way out; emptied at start
/// quarantine/      damaged blobs, the last few
/// index.sqlite     which entry is which blob; ledger: how much room is taken
/// ```
final class CacheDirectory: Sendable {
    /// The resolved path.
    let path: String
    let root: Folder
    let blobs: Folder
    let temporary: Folder
    let quarantine: Folder

    static let marker = ".rcache"
    static let tag = "CACHEDIR.TAG"
    static let index = "index.sqlite"
    static let ledger = "ledger"

    /// What may lie in a directory that becomes ours: what a repository or a new file system has in it.
    private static let harmless: Set<String> = ["README.md", ".gitignore", ".gitkeep", "lost+found"]
    private static let markerText = "rcache cache directory, layout 1. Everything beside this file belongs to rcache.\n"
    private static let tagText = """
        Signature: 8a477f597d28d172789f06886806bc55
        # This directory is a cache made by rcache; see https://bford.info/cachedir/
        """

    /// Opens it, making what is missing; refuses a directory with anything else in it, and a link in place of ours.
    init(path: String) throws(CacheError) {
        do throws(SystemError) {
            try Self.makeDirectories(path)
            root = try Folder(path: path)
        } catch {
            throw .system(error, path: path)
        }
        guard let resolved = realpath(path, nil) else {
            throw .system(SystemError("realpath", code: errno), path: path)
        }
        self.path = String(cString: resolved)
        free(resolved)
        do throws(SystemError) {
            if try root.facts(Self.marker) == nil {
                let found = try root.names()
                guard found.allSatisfy(Self.harmless.contains) else { throw SystemError("", code: ENOTEMPTY) }
                try root.write(Self.markerText, to: Self.marker)
            }
            try root.write(Self.tagText, to: Self.tag)
            blobs = try root.makeFolder("blobs")
            temporary = try root.makeFolder("tmp")
            quarantine = try root.makeFolder("quarantine")
            for name in [Self.marker, Self.tag, Self.index, Self.index + "-wal", Self.index + "-shm", Self.ledger] {
                guard try root.facts(name)?.isRegular != false else { throw SystemError("open \(name)", code: ELOOP) }
            }
        } catch {
            throw error.code == ENOTEMPTY ? .foreignDirectory(path) : .system(error, path: path)
        }
    }

    /// Bytes of disk of what neither grows nor leaves: marker, tag, ledger and the directories themselves.
    func fixedBytes() throws(SystemError) -> Int {
        var bytes = 0
        for name in [Self.marker, Self.tag, Self.ledger] { bytes += try root.facts(name)?.allocated ?? 0 }
        for folder in [root, blobs, temporary, quarantine] { bytes += try folder.facts().allocated }
        return bytes
    }

    /// Bytes of disk of the index, its journal and its shared memory.
    func indexBytes() throws(SystemError) -> Int {
        var bytes = 0
        for suffix in ["", "-wal", "-shm"] { bytes += try root.facts(Self.index + suffix)?.allocated ?? 0 }
        return bytes
    }

    /// Bytes that an ordinary user may still allocate on the file system.
    func freeBytes() throws(SystemError) -> Int {
        var status = statvfs()
        try SystemError.check("fstatvfs") { fstatvfs(root.descriptor, &status) }
        return Int(status.f_bavail) * Int(status.f_frsize)
    }

    private static func makeDirectories(_ path: String) throws(SystemError) {
        var prefix = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            prefix += part
            do throws(SystemError) {
                try SystemError.check("mkdir") { mkdir(prefix, 0o700) }
            } catch {
                // Also when it may not be made because it is there, on a read-only parent.
                guard error.code == EEXIST || access(prefix, F_OK) == 0 else { throw error }
            }
            prefix += "/"
        }
    }
}
