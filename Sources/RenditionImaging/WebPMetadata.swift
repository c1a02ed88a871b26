import Glibc

/// Takes metadata out of an encoded WebP; libvips 8.14 adds EXIF to every one, also where it is told to strip.
enum WebPMetadata {
    /// Leaves only chunks that make the picture (RFC 9649 §2.7), in place; the number of bytes that remain.
    static func remove(from memory: UnsafeMutableRawPointer, count: Int) -> Int {
        guard count > 20 else { return count }
        let bytes = UnsafeMutableRawBufferPointer(start: memory, count: count)
        // Alpha and animation need the extended header; without them a simple file will do.
        let isExtended = name(bytes, at: 12).elementsEqual("VP8X".utf8) && bytes[20] & flagsKept != 0
        if isExtended { bytes[20] &= flagsKept }
        var (source, end) = (12, 12)
        while source + 8 <= count {
            let length = Int(memory.loadUnaligned(fromByteOffset: source + 4, as: UInt32.self).littleEndian)
            let whole = min(count - source, 8 + length + length % 2)
            let chunk = String(decoding: name(bytes, at: source), as: UTF8.self)
            if !dropped.contains(chunk) && (chunk != "VP8X" || isExtended) {
                memmove(memory + end, memory + source, whole)
                end += whole
            }
            source += whole
        }
        memory.storeBytes(of: UInt32(end - 8).littleEndian, toByteOffset: 4, as: UInt32.self)
        return end
    }

    private static let dropped: Set = ["EXIF", "XMP ", "ICCP"]
    /// Alpha (0x10) and animation (0x02).
    private static let flagsKept: UInt8 = 0x12

    private static func name(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int) -> Slice<
        UnsafeMutableRawBufferPointer
    > {
        bytes[offset..<offset + 4]
    }
}
