/// What stands behind the body in a blob, so that a lost index can be rebuilt: the first key and its metadata.
///
/// Key (32 bytes), body length (8), metadata, then SHA-256 of these (first 8 bytes), their length (4) and a magic (8);
/// integers big-endian. Whatever does not check is no trailer.
struct BlobTrailer: Equatable, Sendable {
    /// The key that the body was first stored as.
    var key: CacheKey
    /// The length of the body.
    var byteCount: Int
    /// By `MetadataCoding`.
    var metadata: [UInt8]

    /// The most that a trailer takes; longer metadata is not stored.
    static let maxBytes = 64 * 1024
    private static let magic = Array("rcblob01".utf8)
    private static let footBytes = 20

    /// The bytes to append.
    var encoded: [UInt8] {
        let payload = key.digest.bytes + Self.bytes(UInt64(byteCount)) + metadata
        return payload + Digest(of: payload).bytes.prefix(8) + Self.bytes(UInt32(payload.count)) + Self.magic
    }

    /// A trailer.
    init(key: CacheKey, byteCount: Int, metadata: [UInt8]) {
        self.key = key
        self.byteCount = byteCount
        self.metadata = metadata
    }

    /// Reads the trailer at the end of a file of `fileBytes` bytes; nil if there is none that fits.
    init?(of file: OpenFile, fileBytes: Int) throws(SystemError) {
        guard fileBytes >= Self.footBytes + 40 else { return nil }
        let foot = try file.read(from: fileBytes - Self.footBytes, count: Self.footBytes)
        guard Array(foot.suffix(8)) == Self.magic else { return nil }
        let count = Int(Self.number(foot[8..<12]))
        guard count >= 40, count <= Self.maxBytes, count + Self.footBytes <= fileBytes else { return nil }
        let payload = try file.read(from: fileBytes - Self.footBytes - count, count: count)
        guard Digest(of: payload).bytes.prefix(8) == foot.prefix(8), let key = Digest(bytes: payload.prefix(32)) else {
            return nil
        }
        self.init(
            key: CacheKey(digest: key),
            byteCount: Int(truncatingIfNeeded: Self.number(payload[32..<40])),
            metadata: Array(payload[40...])
        )
        guard byteCount == fileBytes - Self.footBytes - count else { return nil }
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    private static func number(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
