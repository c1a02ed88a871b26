/// JSON to be printed; members keep their order.
enum JSONText: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSONText])
    case object([(String, JSONText)])

    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int) { self = .integer(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }

    init(_ text: String?) { self = text.map(JSONText.string) ?? .null }
    init(_ number: Int?) { self = number.map(JSONText.integer) ?? .null }
    init(_ number: Double?) { self = number.map(JSONText.number) ?? .null }

    /// On one line, without spaces.
    var line: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .number(let value): value.isFinite ? "\(value)" : "null"
        case .string(let text): Self.quoted(text)
        case .array(let values): "[\(values.map(\.line).joined(separator: ","))]"
        case .object(let members): "{\(members.map { "\(Self.quoted($0)):\($1.line)" }.joined(separator: ","))}"
        }
    }

    /// `text` as a JSON string (RFC 8259 §7); DEL and the C1 controls are escaped too, for terminals.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value):
                let hex = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
