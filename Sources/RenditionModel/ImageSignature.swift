extension ImageFormat {
    /// How many leading bytes `init(signature:)` wants to see; SVG may hide behind a prologue.
    public static let signatureBytes = 1024

    /// Recognises a format by its first bytes; names and declared types are never asked.
    ///
    /// - Parameter bytes: the beginning of the file, `signatureBytes` of it or all there is.
    public init?(signature bytes: UnsafeRawBufferPointer) {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) {
            self = .gif
        } else if bytes.starts(with: "RIFF".utf8), bytes.has("WEBP", at: 8) {
            self = .webp
        } else if bytes.starts(with: [0x49, 0x49, 0x2A, 0x00]) || bytes.starts(with: [0x4D, 0x4D, 0x00, 0x2A]) {
            self = .tiff
        } else if bytes.starts(with: [0xFF, 0x0A]) || bytes.starts(with: Self.jxlContainer) {
            self = .jxl
        } else if let brand = Self.brandedFormat(bytes) {
            self = brand
        } else if Self.looksLikeSVG(bytes) {
            self = .svg
        } else {
            return nil
        }
    }

    private static let jxlContainer: [UInt8] = [
        0x00, 0x00, 0x00, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A,
    ]

    /// ISO base media files say in `ftyp` what they are: the major brand first, then the compatible ones.
    private static func brandedFormat(_ bytes: UnsafeRawBufferPointer) -> ImageFormat? {
        guard bytes.has("ftyp", at: 4) else { return nil }
        let boxBytes = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        for offset in [8] + Array(stride(from: 16, to: min(boxBytes, bytes.count, 256) - 3, by: 4)) {
            if bytes.has("avif", at: offset) || bytes.has("avis", at: offset) { return .avif }
            for brand in ["heic", "heix", "heim", "heis", "hevc"] where bytes.has(brand, at: offset) { return .heic }
        }
        return nil
    }

    /// An `<svg` element after nothing but a byte order mark, white space, a prologue, comments and a document type.
    private static func looksLikeSVG(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes.prefix(signatureBytes)[...]
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        while true {
            rest = rest.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
            if rest.starts(with: "<svg".utf8) { return true }
            let end: [UInt8]
            if rest.starts(with: "<!--".utf8) {
                end = Array("-->".utf8)
            } else if rest.starts(with: "<?".utf8) {
                end = Array("?>".utf8)
            } else if rest.starts(with: "<!DOCTYPE".utf8) {
                let declaration = rest.prefix { $0 != UInt8(ascii: ">") }
                end = declaration.contains(UInt8(ascii: "[")) ? Array("]>".utf8) : Array(">".utf8)
            } else {
                return false
            }
            guard let next = rest.firstRange(of: end) else { return false }
            rest = rest[next.upperBound...]
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the ASCII text stands at `offset`.
    func has(_ text: String, at offset: Int) -> Bool {
        offset >= 0 && offset + text.utf8.count <= count && self[offset...].starts(with: text.utf8)
    }
}
