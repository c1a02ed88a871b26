/// Whether a source's bytes reach to the end of its picture, found by walking its blocks; nothing is decoded.
///
/// The verdict is a property of the bytes alone, so it is the same whatever size is rendered from them.
public struct SourceStructure: Equatable, Sendable {
    /// How a file ends.
    public enum End: Equatable, Sendable {
        /// The last block is there and whole.
        case complete
        /// Everything the format announces has begun, but the file ends without its end marker.
        ///
        /// A JPEG's last scan may still be short, a PNG may lack pixels: only decoding can tell, and a render or probe does.
        case missingEndMarker
        /// The bytes end inside a block, or before something announced.
        case truncated
        /// The format has no such structure, or the blocks make no sense; the decoder decides.
        case unknown
    }

    /// How the file ends.
    public var end: End
    /// The number of leading bytes that are whole blocks; an end marker would belong right behind them.
    public var wholeBytes: Int
    /// The number of frames in the blocks, where they show it (GIF, WebP); nil elsewhere.
    public var frames: Int?
    /// The number of scans in a JPEG, each of which costs a pass over all its pixels; nil elsewhere.
    public var scans: Int?
    /// Whether the header says that every pixel was kept (WebP), or that none need be; nil where it says neither.
    public var isLossless: Bool?
    /// Whether a PNG brings a colour profile, readable or not.
    public var hasProfile = false

    /// Walks the blocks of `bytes`, the whole file.
    public init(of bytes: UnsafeRawBufferPointer, format: ImageFormat) {
        switch format {
        case .jpeg: self = JPEGWalk.structure(of: bytes)
        case .png: self = Self.png(bytes)
        case .gif: self = Self.gif(bytes)
        case .webp: self = Self.webp(bytes)
        case .avif, .heic: self = Self.boxes(bytes, needed: ["meta", "moov"])
        case .jxl: self = bytes.has("JXL ", at: 4) ? Self.boxes(bytes, needed: ["jxlc", "jxlp"]) : Self(.unknown)
        case .tiff: self = Self.tiff(bytes)
        case .svg: self = Self.svg(bytes)
        }
    }

    init(_ end: End, wholeBytes: Int = 0, frames: Int? = nil) {
        self.end = end
        self.wholeBytes = wholeBytes
        self.frames = frames
    }

    /// PNG (W3C PNG third edition, §5.3): length, type, data, CRC, until `IEND`.
    private static func png(_ bytes: UnsafeRawBufferPointer) -> Self {
        var structure = Self(.truncated, wholeBytes: 8)
        var hasPixels = false
        while let length = bytes.bigEndian(at: structure.wholeBytes, bytes: 4),
            length <= bytes.count - structure.wholeBytes - 12
        {
            let type = structure.wholeBytes + 4
            structure.wholeBytes += 12 + length
            if bytes.has("IDAT", at: type) { hasPixels = true }
            if bytes.has("iCCP", at: type) { structure.hasProfile = true }
            if bytes.has("IEND", at: type) {
                structure.end = .complete
                return structure
            }
        }
        if hasPixels && pngEnd.starts(with: bytes.dropFirst(structure.wholeBytes)) { structure.end = .missingEndMarker }
        return structure
    }

    private static let pngEnd: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]

    /// GIF89a appendix B: header, then images and extensions made of sub-blocks, until the trailer.
    private static func gif(_ bytes: UnsafeRawBufferPointer) -> Self {
        guard bytes.count >= 13 else { return Self(.truncated, frames: 0) }
        var structure = Self(.truncated, wholeBytes: 13 + colourTableBytes(bytes[10]), frames: 0)
        var frames = 0
        while structure.wholeBytes < bytes.count {
            var next = structure.wholeBytes
            switch bytes[next] {
            case 0x3B:
                return Self(.complete, wholeBytes: next + 1, frames: frames)
            case 0x21:
                next += 2
            case 0x2C:
                guard next + 9 < bytes.count else { return structure }
                next += 11 + colourTableBytes(bytes[next + 9])
                frames += 1
            default:
                return Self(frames == 0 ? .truncated : .unknown, wholeBytes: next, frames: frames)
            }
            structure.frames = frames
            while true {
                guard next < bytes.count else { return structure }
                let size = Int(bytes[next])
                next += 1 + size
                if size == 0 { break }
            }
            structure.wholeBytes = next
        }
        if frames > 0 && structure.wholeBytes == bytes.count { structure.end = .missingEndMarker }
        return structure
    }

    private static func colourTableBytes(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }

    /// WebP (RFC 9649 §2.3): the RIFF size, and the animation frames among its chunks.
    private static func webp(_ bytes: UnsafeRawBufferPointer) -> Self {
        guard let riff = bytes.littleEndian32(at: 4) else { return Self(.truncated) }
        var (offset, frames) = (12, 0)
        var kinds: Set<Bool> = []
        while let length = bytes.littleEndian32(at: offset + 4), offset + 8 <= riff + 8 {
            if bytes.has("ANMF", at: offset) {
                frames += 1
                // The frame's own chunks begin behind 16 bytes; alpha may come first.
                let first = offset + 24
                kinds.insert(bytes.has("VP8L", at: first))
            }
            if bytes.has("VP8L", at: offset) { kinds.insert(true) }
            if bytes.has("VP8 ", at: offset) { kinds.insert(false) }
            offset += 8 + length + length % 2
        }
        // A last chunk of odd length may lack its padding byte.
        let isComplete = bytes.count + riff % 2 >= riff + 8 || bytes.count + 1 == riff + 8 && offset == riff + 8
        let end = isComplete ? End.complete : .truncated
        var structure = Self(end, wholeBytes: min(bytes.count, riff + 8), frames: max(1, frames))
        structure.isLossless = kinds == [true]
        return structure
    }

    /// ISO base media files (ISO/IEC 14496-12 §4.2): boxes of a size and a type; one of `needed` must be among them.
    private static func boxes(_ bytes: UnsafeRawBufferPointer, needed: [String]) -> Self {
        var (offset, isPicture) = (0, false)
        while offset < bytes.count {
            guard var length = bytes.bigEndian(at: offset, bytes: 4), offset + 8 <= bytes.count else {
                return Self(.truncated, wholeBytes: offset)
            }
            if needed.contains(where: { bytes.has($0, at: offset + 4) }) { isPicture = true }
            if length == 0 { length = bytes.count - offset }
            if length == 1 { length = bytes.bigEndian(at: offset + 8, bytes: 8) ?? .max }
            guard length >= 8 else { return Self(.unknown, wholeBytes: offset) }
            guard length <= bytes.count - offset else { return Self(.truncated, wholeBytes: offset) }
            offset += length
        }
        return Self(isPicture ? .complete : .truncated, wholeBytes: offset)
    }
}

extension UnsafeRawBufferPointer {
    /// The big-endian number at `offset`; nil beyond the end or above `Int.max`.
    func bigEndian(at offset: Int, bytes size: Int) -> Int? {
        guard offset >= 0, size <= count, offset <= count - size else { return nil }
        return Int(exactly: self[offset..<offset + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    /// The little-endian 32-bit number at `offset`; nil beyond the end.
    func littleEndian32(at offset: Int) -> Int? {
        guard offset >= 0, offset <= count - 4 else { return nil }
        return self[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
