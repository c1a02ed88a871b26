/// Writes the value of a query's variable as JSON.
enum AEMJSONText {
    /// The text of a value, keys sorted.
    ///
    /// A semicolon would end the value on its way (spec AEM §2.2) and can only stand inside a string, so it is escaped.
    static func text(_ value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let flag): "\(flag)"
        case .int(let number): "\(number)"
        case .double(let number): "\(number)"
        case .string(let text): string(text)
        case .array(let elements): "[\(elements.map(self.text).joined(separator: ","))]"
        case .object(let members):
            "{\(members.sorted { $0.key < $1.key }.map { "\(string($0.key)):\(text($0.value))" }.joined(separator: ","))}"
        }
    }

    private static func string(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case ";": result += "\\u003B"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
