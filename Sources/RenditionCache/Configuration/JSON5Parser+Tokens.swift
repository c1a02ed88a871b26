/// Strings, numbers and bare keys.
extension JSON5Parser {
    mutating func string() throws(JSON5Error) -> String {
        let start = offset
        let quote = next()
        var text = String.UnicodeScalarView()
        while let scalar = current {
            if scalar == quote {
                offset += 1
                return String(text)
            }
            if scalar == "\\" {
                if let escaped = try escape() { text.append(escaped) }
            } else if scalar == "\n" || scalar == "\r" {
                break
            } else {
                text.append(scalar)
                offset += 1
            }
        }
        offset = start
        throw error("the string has no end on its line")
    }

    /// What an escape stands for; nil for a line continuation.
    private mutating func escape() throws(JSON5Error) -> Unicode.Scalar? {
        let start = offset
        offset += 1
        switch next() {
        case "b": return "\u{8}"
        case "f": return "\u{C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "v": return "\u{B}"
        case "x": return Unicode.Scalar(UInt8(truncatingIfNeeded: try hexadecimal(digits: 2, escapeAt: start)))
        case "u": return try unicodeEscape(escapeAt: start)
        case "\r":
            _ = take("\n")
            return nil
        case "\n", "\u{2028}", "\u{2029}": return nil
        case "0" where !Self.isDigit(current): return "\0"
        case .some(let scalar) where !Self.isDigit(scalar): return scalar
        case .some(let scalar):
            offset = start
            throw error("\\\(scalar) is no escape")
        case nil: throw error("the string has no end")
        }
    }

    /// The four digits after `\u`, or eight with another `\u` between for what lies above U+FFFF.
    private mutating func unicodeEscape(escapeAt start: Int) throws(JSON5Error) -> Unicode.Scalar {
        let first = try hexadecimal(digits: 4, escapeAt: start)
        if let scalar = Unicode.Scalar(first) { return scalar }
        if first < 0xDC00, take("\\"), take("u") {
            let second = try hexadecimal(digits: 4, escapeAt: start)
            if (0xDC00...0xDFFF).contains(second) {
                let combined = 0x10000 + ((first - 0xD800) << 10 | (second - 0xDC00))
                if let scalar = Unicode.Scalar(combined) { return scalar }
            }
        }
        offset = start
        throw error("half a surrogate pair")
    }

    private mutating func hexadecimal(digits: Int, escapeAt start: Int) throws(JSON5Error) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<digits {
            guard let scalar = current, scalar.isASCII, let digit = hexValue(UInt8(scalar.value)) else {
                offset = start
                throw error("the escape needs \(digits) hexadecimal digits")
            }
            value = value << 4 | UInt32(digit)
            offset += 1
        }
        return value
    }

    mutating func identifier() throws(JSON5Error) -> String {
        var text = String.UnicodeScalarView()
        while let scalar = current {
            let start = offset
            if scalar == "\\" {
                offset += 1
                guard take("u") else {
                    offset = start
                    throw error("only \\u is an escape in a bare key")
                }
                let escaped = try unicodeEscape(escapeAt: start)
                guard Self.canBeginIdentifier(escaped) || (!text.isEmpty && Self.canContinueIdentifier(escaped)) else {
                    offset = start
                    throw error("this character needs a key in quotes")
                }
                text.append(escaped)
            } else if Self.canContinueIdentifier(scalar) {
                text.append(scalar)
                offset += 1
            } else {
                break
            }
        }
        return String(text)
    }

    mutating func number() throws(JSON5Error) -> Double {
        let start = offset
        let isNegative = current == "-"
        if isNegative || current == "+" { offset += 1 }
        guard let magnitude = try magnitude(), current.map({ !Self.canContinueIdentifier($0) }) ?? true else {
            offset = start
            throw error("not a number")
        }
        return isNegative ? -magnitude : magnitude
    }

    private mutating func magnitude() throws(JSON5Error) -> Double? {
        if let first = current, Self.canBeginIdentifier(first) {
            switch try identifier() {
            case "Infinity": return .infinity
            case "NaN": return .nan
            default: return nil
            }
        }
        if current == "0", peek(1) == "x" || peek(1) == "X" {
            offset += 2
            return UInt64(digits { $0.isASCII && hexValue(UInt8($0.value)) != nil }, radix: 16).map { Double($0) }
        }
        return decimal()
    }

    /// `12`, `1.5`, `.5`, `5.`, each with an exponent or without; no leading zero.
    private mutating func decimal() -> Double? {
        let whole = digits(Self.isDigit)
        guard whole == "0" || !whole.hasPrefix("0") else { return nil }
        let fraction = take(".") ? digits(Self.isDigit) : ""
        guard !(whole.isEmpty && fraction.isEmpty) else { return nil }
        var exponent = ""
        if take("e") || take("E") {
            let sign = take("-") ? "-" : ""
            if sign.isEmpty { _ = take("+") }
            let power = digits(Self.isDigit)
            guard !power.isEmpty else { return nil }
            exponent = "e\(sign)\(power)"
        }
        return Double("\(whole.isEmpty ? "0" : whole).\(fraction.isEmpty ? "0" : fraction)\(exponent)")
    }

    private mutating func digits(_ isDigit: (Unicode.Scalar) -> Bool) -> String {
        var text = String.UnicodeScalarView()
        while let scalar = current, isDigit(scalar) {
            text.append(scalar)
            offset += 1
        }
        return String(text)
    }

    private static func isDigit(_ scalar: Unicode.Scalar?) -> Bool { scalar.map(isDigit) ?? false }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    /// ECMAScript's IdentifierPart, but for the escape.
    static func canContinueIdentifier(_ scalar: Unicode.Scalar) -> Bool {
        if canBeginIdentifier(scalar) || scalar == "\u{200C}" || scalar == "\u{200D}" { return true }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation: return true
        default: return false
        }
    }
}
