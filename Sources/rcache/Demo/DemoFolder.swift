import Glibc
import RenditionCache

/// The folder that a demo works in: pictures, configuration, cache and results; what an earlier demo left is removed first.
struct DemoFolder {
    /// The name of the channel that the demo warms.
    static let channel = "demo"
    /// How long that channel believes what it knows of a picture.
    static let maxAge: Duration = .seconds(3)
    private static let marker = ".rcache-demo"

    /// The folder; absolute.
    let root: String
    /// The pictures; absolute.
    let photos: String

    /// Makes an empty folder at `root`.
    ///
    /// - Parameter photos: the user's own pictures; without them the demo draws some.
    /// - Throws: `DemoError.folder` if something that is not a demo's lies there.
    init(at root: String, photos own: String?) throws {
        if access(root, F_OK) == 0 {
            guard access("\(root)/\(Self.marker)", F_OK) == 0 || Self.isEmpty(root) else {
                throw DemoError.folder(
                    "\(root) holds something else than an earlier demo; name another with --directory"
                )
            }
            try Self.removeContents(of: root)
        }
        try Self.makeFolder(root)
        guard let real = realpath(root, nil) else { throw SystemError("realpath", code: errno) }
        defer { free(real) }
        self.root = String(cString: real)
        try Self.write([], to: "\(self.root)/\(Self.marker)")
        guard let own else {
            photos = "\(self.root)/photos"
            try Self.makeFolder(photos)
            _ = try DemoPictures.write(to: photos)
            return
        }
        guard let path = realpath(own, nil) else { throw DemoError.folder("\(own): no such folder") }
        defer { free(path) }
        photos = String(cString: path)
    }

    /// The configuration file.
    var configuration: String { file("rcache.json") }

    /// A file of the folder.
    func file(_ name: String) -> String { "\(root)/\(name)" }

    /// Writes the configuration of the rcache that has the CMS at `url` as its origin.
    func writeConfiguration(url: String, forms: [String]) throws {
        let list = forms.map { "\"\($0)\"" }.joined(separator: ", ")
        let text = """
            // Written by rcache demo: an rcache whose CMS is another rcache on loopback.
            {
              cache: { directory: "cache", maxBytes: "2 GB", keepFree: "100 MB" },
              channels: {
                \(Self.channel): { kind: "ocm", url: "\(url)", maxAge: "\(Self.maxAge.components.seconds) s", staleWhileRevalidate: "0 s", warm: [\(list)] },
              },
            }

            """
        try Self.write(Array(text.utf8), to: configuration)
    }

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

    private static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw SystemError("open", code: errno) }
        defer { close(descriptor) }
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw SystemError("write", code: errno)
        }
    }

    private static func makeFolder(_ path: String) throws(SystemError) {
        for end in path.indices where path[end] == "/" && end != path.startIndex { mkdir(String(path[..<end]), 0o755) }
        guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw SystemError("mkdir", code: errno) }
    }

    private static func isEmpty(_ path: String) -> Bool { names(in: path).isEmpty }

    private static func names(in path: String) -> [String] {
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

    /// Removes what is in a marked folder; links are removed, not followed.
    private static func removeContents(of path: String) throws(SystemError) {
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
