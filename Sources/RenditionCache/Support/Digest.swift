import CCrypto

/// A SHA-256 digest.
public struct Digest: Hashable, Sendable, CustomStringConvertible {
    let words: (UInt64, UInt64, UInt64, UInt64)

    /// 32 zero bytes; the digest of nothing known.
    static let zero = Digest(words: (0, 0, 0, 0))

    private init(words: (UInt64, UInt64, UInt64, UInt64)) { self.words = words }

    /// The digest of `bytes`.
    public init(of bytes: some Sequence<UInt8>) {
        var hasher = DigestHasher()
        let array = Array(bytes)
        array.withUnsafeBytes { hasher.update($0) }
        self = hasher.finalize()
    }

    /// The digest whose 32 bytes are given; nil for any other number of bytes.
    public init?(bytes: some Collection<UInt8>) {
        let contiguous = bytes.withContiguousStorageIfAvailable { Digest(buffer: UnsafeRawBufferPointer($0)) }
        guard let digest = contiguous ?? Array(bytes).withUnsafeBytes({ Digest(buffer: $0) }) else { return nil }
        self = digest
    }

    private init?(buffer: UnsafeRawBufferPointer) {
        guard buffer.count == 32 else { return nil }
        func word(_ index: Int) -> UInt64 {
            UInt64(bigEndian: buffer.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))
        }
        words = (word(0), word(1), word(2), word(3))
    }

    /// The digest that 64 hexadecimal digits spell.
    public init?(hex: some StringProtocol) {
        guard hex.utf8.count == 64 else { return nil }
        var bytes: [UInt8] = []
        var rest = hex[...]
        while let next = rest.index(rest.startIndex, offsetBy: 2, limitedBy: rest.endIndex), !rest.isEmpty {
            guard let byte = UInt8(rest[..<next], radix: 16) else { return nil }
            bytes.append(byte)
            rest = rest[next...]
        }
        self.init(bytes: bytes)
    }

    /// The 32 bytes.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        for word in [words.0, words.1, words.2, words.3] {
            for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
        }
        return bytes
    }

    /// 64 lower-case hexadecimal digits.
    public var description: String {
        let digits: StaticString = "0123456789abcdef"
        return String(unsafeUninitializedCapacity: 64) { text in
            for (index, byte) in bytes.enumerated() {
                text[2 * index] = digits.utf8Start[Int(byte >> 4)]
                text[2 * index + 1] = digits.utf8Start[Int(byte & 15)]
            }
            return 64
        }
    }

    /// Compares all 32 bytes.
    public static func == (left: Digest, right: Digest) -> Bool {
        left.words.0 == right.words.0 && left.words.1 == right.words.1 && left.words.2 == right.words.2
            && left.words.3 == right.words.3
    }

    /// Eight of the bytes are as good as all.
    public func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}

/// Computes a digest piece by piece; owns one libcrypto context.
public struct DigestHasher: ~Copyable, @unchecked Sendable {
    // Safe to send: the context belongs to this value alone, which cannot be copied.
    private let context: OpaquePointer?

    /// Begins a SHA-256.
    public init() {
        context = EVP_MD_CTX_new()
        EVP_DigestInit_ex(context, EVP_sha256(), nil)
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Adds bytes.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
    }

    /// Ends it; the hasher begins anew.
    public mutating func finalize() -> Digest {
        var bytes = [UInt8](repeating: 0, count: 32)
        EVP_DigestFinal_ex(context, &bytes, nil)
        EVP_DigestInit_ex(context, EVP_sha256(), nil)
        guard let digest = Digest(bytes: bytes) else { preconditionFailure("SHA-256 has 32 bytes") }
        return digest
    }
}
