/// Any JSON, with numbers as they were written: whole or not.
///
/// Content comes as this where a CMS lets its users put anything: a field's value, a row of a query.
public enum JSONValue: Hashable, Sendable {
    /// The word `null`.
    case null
    /// A truth value.
    case bool(Bool)
    /// A number without fraction and exponent that fits 64 bits.
    case int(Int)
    /// Any other number; always finite.
    case double(Double)
    /// A text.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// Members by name, without their order; of two with one name the last counts.
    case object([String: JSONValue])

    /// The value that the bytes spell; nil if they spell none (RFC 8259).
    ///
    /// At most 1,000,000 values, nested at most 128 deep.
    public init?(_ bytes: [UInt8]) {
        guard let value = JSONParser.parse(bytes) else { return nil }
        self = value
    }

    /// The value of a key; nil for a missing one and for anything but an object.
    public subscript(key: String) -> JSONValue? { object?[key] }

    /// The text, if it is one.
    public var string: String? { if case .string(let value) = self { value } else { nil } }

    /// The truth value, if it is one.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The number, if it is one and fits without its fraction.
    public var int: Int? {
        switch self {
        case .int(let value): value
        case .double(let value): Int(exactly: value.rounded(.towardZero))
        default: nil
        }
    }

    /// The number, if it is one.
    public var double: Double? {
        switch self {
        case .int(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    /// The elements, if it is an array.
    public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }

    /// The members, if it is an object.
    public var object: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }

    /// A whole number, or a text that spells one.
    var looseInt: Int? { int ?? string.flatMap { Int($0) ?? Double($0).flatMap { Int(exactly: $0) } } }
}
