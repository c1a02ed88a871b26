/// Why a text is no request that can be answered.
public enum RequestError: Error, Hashable, Sendable {
    /// No such parameter; `nearest` is the one that was probably meant.
    case unknownParameter(String, nearest: String?)
    /// The parameter does not take this value; `expected` says what it takes, with the range.
    case badValue(parameter: String, value: String, expected: String)
    /// The parameter is there twice.
    case repeated(String)
    /// The text has no parameters of the form `name=value`; the reason is one clause.
    case malformed(String)
    /// Channels of this kind have nothing of the sort: `what` in the plural, as in `taxonomies`.
    case notOffered(what: String, kind: String)
}

extension RequestError: CustomStringConvertible {
    /// One clause that names the parameter and what it takes; long values are cut.
    public var description: String {
        switch self {
        case .unknownParameter(let name, let nearest?):
            "unknown parameter \(quoted(name)); did you mean \(quoted(nearest))?"
        case .unknownParameter(let name, nil): "unknown parameter \(quoted(name))"
        case .badValue(let parameter, let value, let expected): "\(parameter) takes \(expected), not \(quoted(value))"
        case .repeated(let name): "\(quoted(name)) is given twice"
        case .malformed(let reason): reason
        case .notOffered(let what, let kind): "channels of kind \(kind) have no \(what)"
        }
    }
}

/// `text` in double quotes for a message: control characters as escapes, cut after 60 characters.
package func quoted(_ text: String) -> String {
    var shown = "\""
    for scalar in text.unicodeScalars.prefix(60) {
        switch scalar {
        case "\"", "\\": shown += "\\\(scalar)"
        case _ where scalar.properties.generalCategory == .control: shown += scalar.escaped(asASCII: true)
        default: shown.unicodeScalars.append(scalar)
        }
    }
    return shown + (text.unicodeScalars.count > 60 ? "…\"" : "\"")
}
