/// A condition on contents, as microCMS's `filters` takes it (spec microCMS §2.2).
///
/// Groups are always written with parentheses, because nothing says whether `[and]` or `[or]` binds more tightly.
public indirect enum MicroCMSFilter: Hashable, Sendable {
    /// What a field is held against; values are texts as microCMS writes them, dates in UTC, references by content id.
    public enum Comparison: Hashable, Sendable {
        /// The same; for a single reference its id.
        case equals(String)
        /// Anything else.
        case notEquals(String)
        /// A part of a text, one of a selection, one of several references.
        case contains(String)
        /// None of those.
        case notContains(String)
        /// Smaller or earlier, not equal.
        case lessThan(String)
        /// Greater or later, not equal.
        case greaterThan(String)
        /// There is a value.
        case exists
        /// There is none.
        case notExists
        /// The beginning of a text; of a date as it is written, as in `2023-11`.
        case beginsWith(String)
    }

    /// A field, or a field inside another as in `author.name`, and what it is held against.
    case field(String, Comparison)
    /// All of them hold.
    case all([MicroCMSFilter])
    /// At least one of them holds.
    case any([MicroCMSFilter])
    /// A condition in microCMS's own words, sent as it is.
    case raw(String)

    /// The text for `filters`, not yet percent-encoded.
    ///
    /// Values cannot be escaped: `malformed` for one that would be read as more than a value, for a field that is none,
    /// and for a group of nothing.
    func text() throws(RequestError) -> String { try text(isInGroup: false) }

    private func text(isInGroup: Bool) throws(RequestError) -> String {
        switch self {
        case .raw(let text): return isInGroup ? "(\(text))" : text
        case .field(let field, let comparison):
            guard Self.isField(field) else { throw .malformed("\(quoted(field)) is no field to filter by") }
            let (name, value) = comparison.parts
            guard Self.isValue(value, isInGroup: isInGroup) else {
                throw .malformed("no filter can say \(field) \(name) \(quoted(value)): values cannot be escaped")
            }
            return "\(field)[\(name)]\(value)"
        case .all(let filters): return try Self.group(filters, joinedBy: "[and]")
        case .any(let filters): return try Self.group(filters, joinedBy: "[or]")
        }
    }

    private static func group(_ filters: [MicroCMSFilter], joinedBy word: String) throws(RequestError) -> String {
        guard !filters.isEmpty else { throw .malformed("a filter of no conditions") }
        var texts: [String] = []
        for filter in filters { texts.append(try filter.text(isInGroup: true)) }
        return "(\(texts.joined(separator: word)))"
    }

    private static func isField(_ text: String) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
        }
    }

    /// Whether nothing in the value reads like the grammar around it.
    private static func isValue(_ text: String, isInGroup: Bool) -> Bool {
        let words = ["and", "or"] + Comparison.names
        return !words.contains { text.contains("[\($0)]") }
            && !(isInGroup && text.contains { $0 == "(" || $0 == ")" })
    }
}

extension MicroCMSFilter.Comparison {
    fileprivate static let names = [
        "equals", "not_equals", "contains", "not_contains", "less_than", "greater_than", "exists", "not_exists",
        "begins_with",
    ]

    fileprivate var parts: (name: String, value: String) {
        switch self {
        case .equals(let value): ("equals", value)
        case .notEquals(let value): ("not_equals", value)
        case .contains(let value): ("contains", value)
        case .notContains(let value): ("not_contains", value)
        case .lessThan(let value): ("less_than", value)
        case .greaterThan(let value): ("greater_than", value)
        case .exists: ("exists", "")
        case .notExists: ("not_exists", "")
        case .beginsWith(let value): ("begins_with", value)
        }
    }
}
