/// Any JSON, with numbers as they were written: whole or not.
enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int)
    case double(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// The value that the bytes spell, within the limits of `JSONParser`; nil if they spell none.
    init?(_ bytes: [UInt8]) {
        guard let value = JSONParser.parse(bytes) else { return nil }
        self = value
    }

    /// The value of a key; nil for a missing one and for anything but an object.
    subscript(key: String) -> JSONValue? { object?[key] }

    /// The text, if it is one.
    var string: String? { if case .string(let value) = self { value } else { nil } }

    /// The truth value, if it is one.
    var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The number, if it is one and fits without its fraction.
    var int: Int? {
        switch self {
        case .int(let value): value
        case .double(let value): Int(exactly: value.rounded(.towardZero))
        default: nil
        }
    }

    /// The number, if it is one.
    var double: Double? {
        switch self {
        case .int(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    /// The elements, if it is an array.
    var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }

    /// The members, if it is an object.
    var object: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }

    /// A whole number, or a text that spells one.
    var looseInt: Int? { int ?? string.flatMap { Int($0) ?? Double($0).flatMap { Int(exactly: $0) } } }
}
