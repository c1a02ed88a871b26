/// Formats of which little can be told without decoding.
extension SourceStructure {
    /// SVG: well-formed XML ends with a tag, a comment or an instruction (XML 1.0 §2.1), behind which there is only space.
    ///
    /// A cut behind a tag is for the decoder to find.
    static func svg(_ bytes: UnsafeRawBufferPointer) -> Self {
        // In UTF-16 each of these has a zero beside it.
        let last = bytes.last { ![0, 0x09, 0x0A, 0x0D, 0x20].contains($0) }
        return Self(last == UInt8(ascii: ">") ? .unknown : .truncated)
    }

    /// TIFF 6.0 §2: the first directory, which often stands at the end, with all of its entries.
    static func tiff(_ bytes: UnsafeRawBufferPointer) -> Self {
        let isLittle = bytes.has("II", at: 0)
        func number(_ offset: Int, _ size: Int) -> Int? {
            guard offset >= 0, offset <= bytes.count - size else { return nil }
            let number = bytes[offset..<offset + size]
            return (isLittle ? Array(number.reversed()) : Array(number)).reduce(0) { $0 << 8 | Int($1) }
        }
        guard let magic = number(2, 2), magic == 42 else { return Self(.unknown) }
        guard let directory = number(4, 4), let entries = number(directory, 2),
            directory + 2 + entries * 12 <= bytes.count
        else { return Self(.truncated) }
        return Self(.unknown)
    }
}
