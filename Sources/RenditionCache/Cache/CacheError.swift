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
    /// The store has been closed.
    case closed
}
