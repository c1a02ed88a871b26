/// An expression of OCM's query language, as the parameter `q` takes it (spec OCM §5).
///
/// ```swift
/// OCMQuery.equals("type", "Article").and(.equals("fields.topic", topic.id))
/// ```
///
/// Conditions are joined from left to right and written flat; how OCM reads `and` beside `or` without parentheses is not
/// documented, so group what matters. Field names are written as they are given; those of a content type begin with `fields.`.
public struct OCMQuery: Hashable, Sendable, CustomStringConvertible {
    /// The expression; empty for all items.
    public let text: String
    /// Why it cannot be sent, if it cannot.
    ///
    /// A list of no values matches nothing that could be said, and a text with a double quote cannot be told from the
    /// end of the value: the language has no escape (spec OCM §5.1), and what a reader typed must not become a condition.
    /// Who knows better writes `raw`.
    public let problem: RequestError?
    /// Whether it is a list of values that no other condition has been joined to.
    private let isMatchList: Bool

    /// The expression.
    public var description: String { text }

    private init(_ text: String, problem: RequestError?, isMatchList: Bool = false) {
        self.text = text
        self.problem = problem
        self.isMatchList = isMatchList
    }

    private init(_ field: String, _ word: String, _ value: String) {
        let isSendable = !value.contains("\"")
        self.init(
            "\(field) \(word) \"\(value)\"",
            problem: isSendable
                ? nil
                : .badValue(parameter: "q", value: value, expected: "values without a double quote")
        )
    }
}

// MARK: Conditions

extension OCMQuery {
    /// `eq`: exactly this value; the identifier of the item for a reference.
    ///
    /// Not for fields with several values; case counts in standard fields alone.
    public static func equals(_ field: String, _ value: some OCMQueryValue) -> OCMQuery {
        OCMQuery(field, "eq", value.queryText)
    }

    /// `ne`: anything but this value.
    public static func differs(_ field: String, _ value: some OCMQueryValue) -> OCMQuery {
        OCMQuery(field, "ne", value.queryText)
    }

    /// `co`: at least one of the value's words; in a field with several values, one of them.
    public static func contains(_ field: String, _ value: some OCMQueryValue) -> OCMQuery {
        OCMQuery(field, "co", value.queryText)
    }

    /// `sw`: a text that begins so.
    public static func startsWith(_ field: String, _ text: String) -> OCMQuery { OCMQuery(field, "sw", text) }

    /// `mt`: a phrase, the best match first; `?` stands for one character, `*` for any.
    public static func matches(_ field: String, _ phrase: String) -> OCMQuery { OCMQuery(field, "mt", phrase) }

    /// `sm`: a similar text, up to two letters away.
    public static func resembles(_ field: String, _ text: String) -> OCMQuery { OCMQuery(field, "sm", text) }

    /// `ge`: a number or date that is at least this.
    public static func atLeast(_ field: String, _ value: some OCMQueryMeasure) -> OCMQuery {
        OCMQuery(field, "ge", value.queryText)
    }

    /// `le`: a number or date that is at most this.
    public static func atMost(_ field: String, _ value: some OCMQueryMeasure) -> OCMQuery {
        OCMQuery(field, "le", value.queryText)
    }

    /// `gt`: a number or date beyond this.
    public static func above(_ field: String, _ value: some OCMQueryMeasure) -> OCMQuery {
        OCMQuery(field, "gt", value.queryText)
    }

    /// `lt`: a number or date below this.
    public static func below(_ field: String, _ value: some OCMQueryMeasure) -> OCMQuery {
        OCMQuery(field, "lt", value.queryText)
    }

    /// One of several values, each with `eq`; in parentheses from two on.
    ///
    /// None is a `problem`.
    public static func anyOf(_ field: String, _ values: [some OCMQueryValue]) -> OCMQuery {
        let conditions = values.map { OCMQuery(field, "eq", $0.queryText) }
        let text = conditions.map(\.text).joined(separator: " or ")
        return OCMQuery(
            conditions.count > 1 ? "(\(text))" : text,
            problem: conditions.isEmpty
                ? .badValue(parameter: "q", value: field, expected: "a list with at least one value")
                : conditions.lazy.compactMap(\.problem).first,
            isMatchList: true
        )
    }

    /// An expression that is sent as it is, without quotes or checks.
    public static func raw(_ text: String) -> OCMQuery { OCMQuery(text, problem: nil) }
}

// MARK: Joining

extension OCMQuery {
    /// Both; with `grouped` everything so far and the new part stand in parentheses.
    ///
    /// A list of values always brings the parentheses along.
    public func and(_ other: OCMQuery, grouped: Bool = false) -> OCMQuery { joined("and", other, grouped) }

    /// Either; with `grouped` everything so far and the new part stand in parentheses.
    public func or(_ other: OCMQuery, grouped: Bool = false) -> OCMQuery { joined("or", other, grouped) }

    private func joined(_ word: String, _ other: OCMQuery, _ isGrouped: Bool) -> OCMQuery {
        let text = "\(text) \(word) \(other.text)"
        return OCMQuery(isGrouped || other.isMatchList ? "(\(text))" : text, problem: problem ?? other.problem)
    }
}
