/// Why the cache could not do what was asked.
public enum CacheError: Error, Equatable, Sendable {
    /// The directory is not empty and not marked as ours.
    case foreignDirectory(String)
    /// The index was written by a newer version.
    case newerIndex(found: Int, known: Int)
    /// There is no room for `bytes` below the limit.
    case noRoom(bytes: Int, limit: Int)
    /// A system call failed on a path inside the cache.
    case system(SystemError, path: String)
    /// The index refused a statement.
    case index(code: Int32, message: String, sql: String)
    /// The stored bytes are not what was stored; the blob has been put aside.
    case damaged(Digest)
    /// The stored bytes have gone, by eviction in another process or by hand; the entry has been dropped.
    case missing(Digest)
    /// A stand-in was offered for storing, which never happens to one.
    case placeholder
    /// The store has been closed.
    case closed
}

extension CacheError: CustomStringConvertible {
    /// One clause, with the numbers.
    public var description: String {
        switch self {
        case .foreignDirectory(let path):
            "\(path) is not empty and was not made by rcache; name an empty or new directory"
        case .newerIndex(let found, let known):
            "the index has layout \(found), this version knows up to \(known); use the newer rcache or another directory"
        case .noRoom(let bytes, let limit): "no room for \(bytes) bytes below the limit of \(limit)"
        case .system(let error, let path): "\(path): \(error)"
        case .index(let code, let message, let sql): "index: \(message) (code \(code)) in \(sql)"
        case .damaged(let digest): "blob \(digest) is damaged and has been put aside"
        case .missing(let digest): "blob \(digest) has gone"
        case .placeholder: "a placeholder is not stored"
        case .closed: "the cache is closed"
        }
    }
}
