/// Why a field of a content item has no value of the wanted kind (spec OCM §7.3).
public enum ContentFieldError: Error, Hashable, Sendable {
    /// The item came without fields: a listing over several types, or a reference that was not expanded.
    case incompleteItem
    /// It has fields, but not this one.
    case fieldNotFound(String)
    /// The value is of another kind, or null.
    case couldNotParse(String)
}

extension ContentFieldError: CustomStringConvertible {
    /// One clause that names the field.
    public var description: String {
        switch self {
        case .incompleteItem: "the item came without its fields"
        case .fieldNotFound(let name): "there is no field \(quoted(name))"
        case .couldNotParse(let name): "the field \(quoted(name)) holds a value of another kind, or none"
        }
    }
}
