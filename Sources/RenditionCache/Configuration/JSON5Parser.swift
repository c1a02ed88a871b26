/// Reads JSON5 (json5.org, version 1.0.0) and keeps where every value stands.
///
/// Repeated names are errors here, which the grammar leaves open; the first value is kept and the reading goes on.
struct JSON5Parser {
    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var depth = 0
    private var repeated: [JSON5Error] = []

    /// Deepest nesting; the parser recurses.
    static let maxDepth = 64

    private init(_ text: String) { scalars = Array(text.unicodeScalars) }

    /// Reads a whole text.
    ///
    /// - Returns: the value, if the text is JSON5 but for repeated names, and all errors in order.
    static func parse(_ text: String) -> (value: JSON5Value?, errors: [JSON5Error]) {
        var parser = JSON5Parser(text)
        do throws(JSON5Error) {
            let value = try parser.value()
            try parser.skipSpace()
            guard parser.current == nil else { throw parser.unexpected("the end of the text") }
            return (value, parser.repeated)
        } catch {
            return (nil, parser.repeated + [error])
        }
    }

    // MARK: - Structure

    private mutating func value() throws(JSON5Error) -> JSON5Value {
        try skipSpace()
        let start = index
        let content: JSON5Value.Content
        switch current {
        case "{": content = try nested { (parser) throws(JSON5Error) in try parser.object() }
        case "[": content = try nested { (parser) throws(JSON5Error) in try parser.array() }
        case "\"", "'": content = .string(try string())
        case .some(let scalar) where "+-.0123456789".unicodeScalars.contains(scalar): content = .number(try number())
        case .some(let scalar) where Self.canBeginIdentifier(scalar): content = try keyword()
        default: throw unexpected("a value")
        }
        return JSON5Value(content: content, offset: start)
    }

    private mutating func nested(
        _ read: (inout JSON5Parser) throws(JSON5Error) -> JSON5Value.Content
    ) throws(JSON5Error) -> JSON5Value.Content {
        guard depth < Self.maxDepth else { throw error("nested deeper than \(Self.maxDepth) levels") }
        depth += 1
        defer { depth -= 1 }
        return try read(&self)
    }

    private mutating func object() throws(JSON5Error) -> JSON5Value.Content {
        var members: [JSON5Value.Member] = []
        index += 1
        while true {
            try skipSpace()
            if take("}") { return .object(members) }
            let nameOffset = index
            let name = try memberName()
            try skipSpace()
            guard take(":") else { throw unexpected("\":\" after the key \(quoted(name))") }
            let value = try value()
            if members.contains(where: { $0.name == name }) {
                repeated.append(JSON5Error(offset: nameOffset, message: "the key \(quoted(name)) is there twice"))
            } else {
                members.append(JSON5Value.Member(name: name, nameOffset: nameOffset, value: value))
            }
            try skipSpace()
            guard take(",") || current == "}" else { throw unexpected("\",\" or \"}\"") }
        }
    }

    private mutating func array() throws(JSON5Error) -> JSON5Value.Content {
        var values: [JSON5Value] = []
        index += 1
        while true {
            try skipSpace()
            if take("]") { return .array(values) }
            values.append(try value())
            try skipSpace()
            guard take(",") || current == "]" else { throw unexpected("\",\" or \"]\"") }
        }
    }

    private mutating func memberName() throws(JSON5Error) -> String {
        if current == "\"" || current == "'" { return try string() }
        guard let first = current, first == "\\" || Self.canBeginIdentifier(first) else {
            throw unexpected("a key or \"}\"")
        }
        return try identifier()
    }

    private mutating func keyword() throws(JSON5Error) -> JSON5Value.Content {
        let start = index
        switch try identifier() {
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        case "null": return .null
        case "Infinity": return .number(.infinity)
        case "NaN": return .number(.nan)
        case let word:
            index = start
            throw error("\(quoted(word)) is no value; a string needs quotes")
        }
    }

    /// White space and comments.
    private mutating func skipSpace() throws(JSON5Error) {
        while let scalar = current {
            if scalar == "/" {
                try comment()
            } else if Self.isSpace(scalar) {
                index += 1
            } else {
                return
            }
        }
    }

    private mutating func comment() throws(JSON5Error) {
        let start = index
        index += 1
        if take("/") {
            while let scalar = current, !Self.endsLine(scalar) { index += 1 }
        } else if take("*") {
            while !(current == "*" && peek(1) == "/") {
                guard current != nil else {
                    index = start
                    throw error("the comment has no end")
                }
                index += 1
            }
            index += 2
        } else {
            index = start
            throw unexpected("a value, a key or a comment")
        }
    }
}

extension JSON5Parser {
    // MARK: - Cursor

    var current: Unicode.Scalar? { peek(0) }

    func peek(_ distance: Int) -> Unicode.Scalar? {
        index + distance < scalars.count ? scalars[index + distance] : nil
    }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard current == scalar else { return false }
        index += 1
        return true
    }

    mutating func next() -> Unicode.Scalar? {
        guard let scalar = current else { return nil }
        index += 1
        return scalar
    }

    var offset: Int {
        get { index }
        set { index = newValue }
    }

    func error(_ message: String) -> JSON5Error { JSON5Error(offset: index, message: message) }

    func unexpected(_ wanted: String) -> JSON5Error {
        error("expected \(wanted), found \(current.map { quoted(String($0)) } ?? "the end")")
    }

    static func endsLine(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\n" || scalar == "\r" || scalar == "\u{2028}" || scalar == "\u{2029}"
    }

    static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\t", "\u{B}", "\u{C}", " ", "\u{A0}", "\u{FEFF}": true
        default: endsLine(scalar) || scalar.properties.generalCategory == .spaceSeparator
        }
    }

    /// ECMAScript's IdentifierStart, but for the escape.
    static func canBeginIdentifier(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == "$" || scalar == "_" { return true }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber:
            return true
        default: return false
        }
    }
}
