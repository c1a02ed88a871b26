import CXML

/// Why a text cannot be read as HTML, or as XML.
enum HTMLError: Error, Equatable, Sendable {
    /// The library that parses is not there; the text is the dynamic linker's.
    case libraryMissing(String)
    /// The text is longer than `limit` bytes.
    case tooLong(limit: Int)
    /// A tag has more than `limit` attributes.
    case tooManyAttributes(limit: Int)
    /// The library gave up, for want of memory.
    case notParsed
}

extension HTMLError: CustomStringConvertible {
    /// One clause.
    var description: String {
        switch self {
        case .libraryMissing(let reason): "markup cannot be read without the library libxml2: \(reason)"
        case .tooLong(let limit): "the HTML is longer than \(limit) bytes"
        case .tooManyAttributes(let limit): "a tag has more than \(limit) attributes"
        case .notParsed: "the markup could not be parsed"
        }
    }
}

/// Walks the elements of an HTML text, forgiving as browsers are; owns what libxml2 has parsed.
struct HTMLReader: ~Copyable {
    /// Longest text in bytes; parsed, it takes about forty times as much memory at worst.
    static let maxBytes = 2_000_000

    private let walk: OpaquePointer

    /// Parses a text of at most `maxBytes`.
    ///
    /// Blocks for about 10 ms a megabyte, and once a process for the opening of the library.
    init(_ html: String) throws(HTMLError) {
        var bytes = Array(html.utf8)
        guard bytes.count <= Self.maxBytes else { throw .tooLong(limit: Self.maxBytes) }
        guard !AttributeCount.exceeds(in: bytes) else { throw .tooManyAttributes(limit: AttributeCount.limit) }
        if let reason = cxml_missing() { throw .libraryMissing(String(cString: reason)) }
        // To libxml2 a zero byte is the end.
        for index in bytes.indices where bytes[index] == 0 { bytes[index] = 0x20 }
        let opened = bytes.withUnsafeBytes { buffer in
            cxml_open_html(buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
        }
        guard let opened else { throw .notParsed }
        walk = opened
    }

    deinit { cxml_close(walk) }

    /// The name of the next element in document order, in lower case; nil at the end.
    func nextElement() -> String? { cxml_next_element(walk).map { String(cString: $0) } }

    /// The decoded value of an attribute of the element that `nextElement` has given.
    subscript(attribute: String) -> String? { cxml_attribute(walk, attribute).map { String(cString: $0) } }
}

/// Finds tags with so many attributes that libxml2, which compares each with every other, would take minutes over them; pure.
enum AttributeCount {
    /// Most attributes, or words that might be some, of one tag.
    static let limit = 1024

    /// Whether any tag might have more than `limit`.
    ///
    /// Where a tag begins is for the parser to say: comments, scripts and quotes hide some. Here every `<` with a letter behind
    /// it begins one, beside those that have begun, and the one with the most attributes counts; so none is overlooked.
    static func exceeds(in bytes: [UInt8]) -> Bool {
        // The highest count of a tag that is open here outside of quotes, in double and in single ones; nil for none.
        var plain: Int?, double: Int?, single: Int?
        var previous: UInt8 = 0
        var lastMark: UInt8 = 0
        for byte in bytes {
            let isWord = isPartOfWord(byte)
            switch byte {
            case UInt8(ascii: ">"): plain = nil
            case UInt8(ascii: "\""): quote(&plain, &double, opens: lastMark == UInt8(ascii: "="))
            case UInt8(ascii: "'"): quote(&plain, &single, opens: lastMark == UInt8(ascii: "="))
            case _ where isWord && previous == UInt8(ascii: "<"): plain = (plain ?? -1) + 1
            case _ where isWord && !isPartOfWord(previous): plain = plain.map { $0 + 1 }
            default: break
            }
            if let plain, plain > limit { return true }
            previous = byte
            if !isSpace(byte) { lastMark = byte }
        }
        return false
    }

    /// A quotation mark closes the quotes that are open and, behind `=`, opens others.
    private static func quote(_ plain: inout Int?, _ quoted: inout Int?, opens: Bool) {
        let outside = plain
        plain = opens ? quoted : [plain, quoted].compactMap(\.self).max()
        quoted = opens ? outside : nil
    }

    private static func isPartOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...0xFF: true
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "."): true
        default: false
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }
}
