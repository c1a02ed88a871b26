import Glibc
import Synchronization

/// A folder of pictures as a CMS channel; natives are read in place, never copied.
final class FolderOrigin: Origin {
    /// How long one scan answers, in seconds.
    ///
    /// The first page looks anew when the scan is older than a second; later pages keep to the scan that the first one
    /// saw, so that nothing shifts between them, for half a minute.
    private static let firstPageSeconds = 1.0, laterPageSeconds = 30.0

    private struct Scan {
        var catalogue: FolderCatalogue
        var seconds: Double
    }

    private let channel: String
    private let root: String
    private let pool: BlockingPool
    private let now: @Sendable () -> Double
    private let scan = Mutex<Scan?>(nil)
    /// Held by whoever scans, so that a storm of unknown names costs one scan.
    private let scanning = Mutex(())

    /// A file may come back at any moment, and looking is cheap.
    var refusalSeconds: Double { Self.firstPageSeconds }

    init(channel: String, root: String, pool: BlockingPool, now: @escaping @Sendable () -> Double) {
        self.channel = channel
        self.root = root
        self.pool = pool
        self.now = now
    }

    func page(at cursor: CatalogueCursor, limit: Int) async throws(OriginError) -> AssetPage {
        let catalogue = try await catalogue(maxAge: cursor == .start ? Self.firstPageSeconds : Self.laterPageSeconds)
        return AssetPage(of: catalogue.assets, skipped: catalogue.skipped, at: cursor, limit: limit)
    }

    func asset(_ reference: AssetReference, priority: Urgency) async throws(OriginError) -> Asset {
        if let known = known(reference) { return known }
        guard let asset = try await catalogue(maxAge: Self.firstPageSeconds)[reference] else {
            throw .notFound(reference.description)
        }
        return asset
    }

    /// What the last scan, however old, says; the file itself is asked when it is opened.
    func known(_ reference: AssetReference) -> Asset? { scan.withLock { $0?.catalogue[reference] } }

    func openNative(_ asset: Asset) throws(OriginError) -> NativeFile? {
        let file = try FolderFile.open(asset.path ?? asset.id, below: root)
        guard file.format != nil else { throw .notFound(asset.id) }
        return file
    }

    func fetchNative(
        _ asset: Asset,
        into sink: any ByteSink,
        options: FetchOptions
    ) async throws(OriginError) -> FetchedBody {
        throw .notFound(asset.id)
    }

    private func catalogue(maxAge: Double) async throws(OriginError) -> FolderCatalogue {
        if let recent = recent(maxAge) { return recent }
        return try await pool.run { () throws(OriginError) in
            try self.scanning.withLock { _ throws(OriginError) in
                if let recent = self.recent(maxAge) { return recent }
                let catalogue = FolderCatalogue(try FolderScan.files(below: self.root), channel: self.channel)
                self.scan.withLock { $0 = Scan(catalogue: catalogue, seconds: self.now()) }
                return catalogue
            }
        }
    }

    /// The last scan's result, if it is younger than `maxAge` seconds; one from the future, by a clock that was set back,
    /// is not.
    private func recent(_ maxAge: Double) -> FolderCatalogue? {
        let now = now()
        return scan.withLock { $0.flatMap { (0..<maxAge).contains(now - $0.seconds) ? $0.catalogue : nil } }
    }
}

/// Opens files below a root that nothing leads out of.
enum FolderFile {
    /// Opens `path` part by part, following no link.
    ///
    /// Throws `notFound` for what is missing, a link, or no regular file, and `folderMissing` if the root is gone.
    static func open(_ path: String, below root: String) throws(OriginError) -> NativeFile {
        var directory = Glibc.open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw .folderMissing(root, SystemError("open", code: errno)) }
        defer { close(directory) }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard let name = parts.last, !parts.contains(where: { $0.isEmpty || $0.hasPrefix(".") || $0.utf8.contains(0) })
        else {
            throw .notFound(path)
        }
        for part in parts.dropLast() {
            let next = openat(directory, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard next >= 0 else { throw .notFound(path) }
            close(directory)
            directory = next
        }
        let descriptor = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .notFound(path) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .notFound(path)
        }
        return NativeFile(
            file: OpenFile(owning: descriptor, byteCount: Int(status.st_size)),
            identity:
                "\(status.st_dev)-\(status.st_ino)-\(status.st_size)-\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
                + "-\(status.st_ctim.tv_sec).\(status.st_ctim.tv_nsec)",
            modifiedSeconds: Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9,
            format: ImageFormat(contentOf: descriptor)
        )
    }
}
