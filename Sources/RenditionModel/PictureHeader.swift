/// What the first bytes of a file say about the cost of decoding it; only of the formats that most pictures have.
struct PictureHeader: Equatable {
    /// How many bytes of the beginning are worth reading; metadata may push a JPEG's frame header further back.
    static let byteCount = 65_536

    var format: ImageFormat
    /// As stored.
    var size: PixelSize
    /// Whether the decoder has to hold the whole picture: progressive, interlaced, or a format that is decoded at once.
    var isWhole: Bool
    var hasAlpha: Bool

    private init(_ format: ImageFormat, _ width: Int, _ height: Int, isWhole: Bool, hasAlpha: Bool) {
        self.format = format
        size = PixelSize(width: max(1, width), height: max(1, height))
        self.isWhole = isWhole
        self.hasAlpha = hasAlpha
    }

    /// Nil where the size is not among the bytes, or the file may have more than one frame.
    init?(_ bytes: UnsafeRawBufferPointer) {
        switch ImageFormat(signature: bytes) {
        case .jpeg?: self.init(jpeg: bytes)
        case .png?: self.init(png: bytes)
        case .webp?: self.init(webp: bytes)
        default: return nil
        }
    }

    /// PNG §11.2.1: width, height, depth, colour type, compression, filter, interlace.
    private init?(png bytes: UnsafeRawBufferPointer) {
        guard let width = bytes.bigEndian(at: 16, bytes: 4), let height = bytes.bigEndian(at: 20, bytes: 4),
            bytes.count > 28
        else { return nil }
        // Types 0 and 2 may have a transparent colour, 3 a transparent entry.
        self.init(.png, width, height, isWhole: bytes[28] != 0, hasAlpha: true)
    }

    /// T.81 §B.2.2: the frame header is one of the segments before the first scan.
    private init?(jpeg bytes: UnsafeRawBufferPointer) {
        var offset = 2
        while let length = bytes.bigEndian(at: offset + 2, bytes: 2), bytes[offset] == 0xFF {
            let marker = bytes[offset + 1]
            let isFrame = (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
            if isFrame, let height = bytes.bigEndian(at: offset + 5, bytes: 2),
                let width = bytes.bigEndian(at: offset + 7, bytes: 2)
            {
                self.init(.jpeg, width, height, isWhole: marker & 3 == 2, hasAlpha: false)
                return
            }
            guard marker != 0xDA, length >= 2 else { return nil }
            offset += 2 + length
        }
        return nil
    }

    /// RFC 9649 §2.5 to §2.7: the lossy and the lossless bitstream, and the extended header.
    private init?(webp bytes: UnsafeRawBufferPointer) {
        guard let low = bytes.littleEndian32(at: 24), let packed = bytes.littleEndian32(at: 21) else { return nil }
        if bytes.has("VP8X", at: 12) {
            guard bytes[20] & 0x02 == 0, let height = bytes.littleEndian32(at: 26) else { return nil }
            self.init(
                .webp,
                (low & 0xFF_FFFF) + 1,
                (height >> 8 & 0xFF_FFFF) + 1,
                isWhole: true,
                hasAlpha: bytes[20] & 0x10 != 0
            )
        } else if bytes.has("VP8L", at: 12) {
            self.init(.webp, (packed & 0x3FFF) + 1, (packed >> 14 & 0x3FFF) + 1, isWhole: true, hasAlpha: true)
        } else if bytes.has("VP8 ", at: 12), let size = bytes.littleEndian32(at: 26) {
            self.init(.webp, size & 0x3FFF, size >> 16 & 0x3FFF, isWhole: true, hasAlpha: false)
        } else {
            return nil
        }
    }
}
