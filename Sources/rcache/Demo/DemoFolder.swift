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
            guard access("\(root)/\(Self.marker)", F_OK) == 0 || WorkFolder.names(in: root).isEmpty else {
                throw DemoError.folder(
                    "\(root) holds something else than an earlier demo; name another with --directory"
                )
            }
            try WorkFolder.removeContents(of: root)
        }
        try WorkFolder.make(root)
        guard let real = realpath(root, nil) else { throw SystemError("realpath", code: errno) }
        defer { free(real) }
        self.root = String(cString: real)
        try WorkFolder.write([], to: "\(self.root)/\(Self.marker)")
        guard let own else {
            photos = "\(self.root)/photos"
            try WorkFolder.make(photos)
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

    /// The configuration file of the rcache that is the CMS.
    var cmsConfiguration: String { file("cms.json") }

    /// Writes the configuration of the rcache that publishes the pictures on any free port.
    func writeCMSConfiguration() throws {
        let text = """
            // Written by rcache demo: an rcache that publishes a folder of pictures as a CMS.
            {
              cache: { directory: "cms-cache", maxBytes: "1 GB", keepFree: "100 MB" },
              server: { listen: "127.0.0.1:0" },
              channels: { photos: { kind: "folder", path: \(JSONText.string(photos).line) } },
            }

            """
        try WorkFolder.write(Array(text.utf8), to: cmsConfiguration)
    }

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
        try WorkFolder.write(Array(text.utf8), to: configuration)
    }
}
