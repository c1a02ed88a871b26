/// What names an entry: the SHA-256 of everything that tells it from others.
struct CacheKey: Hashable, Sendable, CustomStringConvertible {
    /// The digest of the encoded parts.
    let digest: Digest

    /// The key with that digest, as the index or a trailer has it.
    init(digest: Digest) { self.digest = digest }

    /// The key of `parts`: channel, scope, asset id, version, canonical transform, format, encoder revision.
    ///
    /// Each part is preceded by its length in bytes, so that no two lists of parts encode alike.
    init(parts: [String]) {
        var hasher = DigestHasher()
        for part in parts {
            withUnsafeBytes(of: UInt64(part.utf8.count).bigEndian) { hasher.update($0) }
            var part = part
            part.withUTF8 { hasher.update(UnsafeRawBufferPointer($0)) }
        }
        digest = hasher.finalize()
    }

    /// The digest in hexadecimal.
    var description: String { digest.description }
}
