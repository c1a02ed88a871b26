/// Reads JSON (RFC 8259) from a server that may mean harm: one pass, a bounded depth, a bounded number of values.
///
/// Foundation's decoder can only ask a value what it is by failing, and each failure copies the path to it: 3 KB of
/// nested objects took 2.5 s, 31 MB of numbers 11 s and 850 MB.
struct JSONParser {
    private struct Malformed: Error {}

    /// Deepest nesting; the parser recurses.
    static let maxDepth = 128
    /// Most values of a document; a listing of 500 assets with their renditions has about 60,000.
    static let maxValues = 1_000_000

    private let bytes: [UInt8]
    private var index = 0
    private var depth = 0
    private var values = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The value that the bytes spell; nil if they spell none, or pass a limit.
    static func parse(_ bytes: [UInt8]) -> JSONValue? {
        var parser = JSONParser(bytes)
        // Whoever asks wants the value or nothing: an error's place in another's document helps nobody.
        return try? parser.document()
    }

    private mutating func document() throws(Malformed) -> JSONValue {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
        let value = try value()
        skipSpace()
        guard current == nil else { throw Malformed() }
        return value
    }

    private mutating func value() throws(Malformed) -> JSONValue {
        values += 1
        guard values <= Self.maxValues else { throw Malformed() }
        skipSpace()
        switch current {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func object() throws(Malformed) -> JSONValue {
        try descend()
        var members: [String: JSONValue] = [:]
        defer { depth -= 1 }
        guard !take(UInt8(ascii: "}")) else { return .object(members) }
        repeat {
            skipSpace()
            guard current == UInt8(ascii: "\"") else { throw Malformed() }
            let name = try string()
            guard take(UInt8(ascii: ":")) else { throw Malformed() }
            members[name] = try value()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw Malformed() }
        return .object(members)
    }

    private mutating func array() throws(Malformed) -> JSONValue {
        try descend()
        var elements: [JSONValue] = []
        defer { depth -= 1 }
        guard !take(UInt8(ascii: "]")) else { return .array(elements) }
        repeat { elements.append(try value()) } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw Malformed() }
        return .array(elements)
    }

    /// Passes the opening bracket.
    private mutating func descend() throws(Malformed) {
        index += 1
        depth += 1
        guard depth <= Self.maxDepth else { throw Malformed() }
    }

    private mutating func word(_ text: StaticString, _ value: JSONValue) throws(Malformed) -> JSONValue {
        let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard bytes[index...].starts(with: wanted) else { throw Malformed() }
        index += wanted.count
        return value
    }

    /// A number without fraction and exponent is an `int` if it fits.
    private mutating func number() throws(Malformed) -> JSONValue {
        let start = index
        while let byte = current, (0x30...0x39).contains(byte) || "+-.eE".utf8.contains(byte) { index += 1 }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        guard let first = text.utf8.first, first != UInt8(ascii: "+"), first != UInt8(ascii: ".") else {
            throw Malformed()
        }
        if let whole = Int(text) { return .int(whole) }
        guard let number = Double(text), number.isFinite else { throw Malformed() }
        return .double(number)
    }

    private mutating func string() throws(Malformed) -> String {
        index += 1
        let start = index
        while let byte = current, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { index += 1 }
        var collected = bytes[start..<index]
        while let byte = current {
            index += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: collected, as: UTF8.self) else { throw Malformed() }
                return text
            case UInt8(ascii: "\\"): collected += try escaped().utf8
            case 0..<0x20: throw Malformed()
            default: collected.append(byte)
            }
        }
        throw Malformed()
    }

    private mutating func escaped() throws(Malformed) -> String {
        guard let byte = current else { throw Malformed() }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return String(UnicodeScalar(byte))
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return String(try escapedScalar())
        default: throw Malformed()
        }
    }

    /// Two escapes for what lies above U+FFFF; half a pair becomes a replacement character.
    private mutating func escapedScalar() throws(Malformed) -> UnicodeScalar {
        let first = try hexadecimal()
        if let scalar = UnicodeScalar(first) { return scalar }
        let isPair = first < 0xDC00 && bytes[index...].starts(with: "\\u".utf8)
        guard isPair else { return "\u{FFFD}" }
        index += 2
        let second = try hexadecimal()
        guard (0xDC00...0xDFFF).contains(second) else { return UnicodeScalar(second) ?? "\u{FFFD}" }
        return UnicodeScalar(0x10000 + ((first - 0xD800) << 10 | (second - 0xDC00))) ?? "\u{FFFD}"
    }

    private mutating func hexadecimal() throws(Malformed) -> UInt32 {
        let digits = bytes[index...].prefix(4)
        guard digits.count == 4, !digits.contains(UInt8(ascii: "+")), !digits.contains(UInt8(ascii: "-")),
            let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw Malformed() }
        index += 4
        return value
    }

    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// Passes white space, and the byte if it comes next.
    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard current == byte else { return false }
        index += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }
}
