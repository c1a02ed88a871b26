/// What a listing of OCM asks for (spec OCM §4.1, §9).
public struct OCMSearch: Hashable, Sendable {
    /// A field to sort by, and which way.
    public struct Order: Hashable, Sendable {
        /// The field, as in `name` or `fields.published_date`.
        public var field: String
        /// Whether the greatest comes first.
        public var isDescending: Bool

        /// The least first.
        public static func ascending(_ field: String) -> Order { Order(field: field, isDescending: false) }
        /// The greatest first.
        public static func descending(_ field: String) -> Order { Order(field: field, isDescending: true) }

        var text: String { "\(field):\(isDescending ? "desc" : "asc")" }
    }

    /// Which items; nil for all of the channel.
    public var query: OCMQuery?
    /// Words to look for in all fields.
    public var words: [String] = []
    /// Names of the fields to give, those of the type with `fields.` before them; `all` anywhere for all of them.
    ///
    /// Empty, or with `none`, it is left to the server (spec OCM §4.3). A listing over several types has no `fields`.
    public var fields: [String] = []
    /// What to sort by; without it there is no particular order.
    public var orderBy: [Order] = []
    /// Most items of the page, 0…500; 0 only counts.
    public var limit: Int = 100
    /// How many items lie before the page.
    public var offset: Int = 0
    /// Whether to count all that match.
    public var totalResults = true
    /// Whether channels in the query mean published ones.
    public var isPublishedChannel: Bool?
    /// Kinds of links to give, as in `self`; empty for all, `none` for none.
    public var links: [String] = []

    /// All items, a hundred at a time.
    public init(_ query: OCMQuery? = nil) { self.query = query }

    /// The parameters; those without a value are not sent.
    var parameters: [(name: String, value: String?)] {
        [
            ("default", Self.list(words, separator: ", ")), ("fields", fieldList),
            ("isPublishedChannel", isPublishedChannel.map { "\($0)" }), ("limit", "\(limit)"),
            ("links", Self.list(links)), ("offset", "\(offset)"),
            ("orderBy", Self.list(orderBy.map(\.text), separator: ";")), ("q", query?.text),
            ("totalResults", "\(totalResults)"),
        ]
    }

    private var fieldList: String? {
        if fields.contains("all") { return "all" }
        return fields.contains("none") ? nil : Self.list(fields)
    }

    static func list(_ names: [String], separator: String = ",") -> String? {
        names.isEmpty ? nil : names.joined(separator: separator)
    }
}
