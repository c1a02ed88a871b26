/// What is asked of an API of microCMS (spec microCMS §2.2); whatever is not set is left to the server.
public struct MicroCMSQuery: Hashable, Sendable {
    /// In what form the old rich editor's fields come.
    public enum RichEditorFormat: String, Hashable, Sendable {
        /// HTML, the server's default.
        case html
        /// Nodes; nested lists are lost in it.
        case object
    }

    /// A parameter in the server's own words.
    public struct Parameter: Hashable, Sendable {
        /// Its name.
        public var name: String
        /// Its value, not percent-encoded.
        public var value: String

        /// A parameter.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Shows the draft of the one content that the key belongs to; a secret.
    public var draftKey: String?
    /// Most contents, 0…100, of a list; the server's default is 10.
    public var limit: Int?
    /// How many contents to pass over.
    ///
    /// Lists only.
    public var offset: Int?
    /// Fields to sort by, with `-` before them for descending.
    ///
    /// Lists only.
    public var orders: [String] = []
    /// A text to search for.
    ///
    /// Lists only.
    public var search: String?
    /// Fields to send; dots reach into other contents, as in `author.name`.
    public var fields: [String] = []
    /// Contents to send.
    ///
    /// Lists only.
    public var ids: [String] = []
    /// Which contents to send.
    ///
    /// Lists only.
    public var filters: MicroCMSFilter?
    /// How many levels of references are expanded, 0…3; the server's default is 1.
    public var depth: Int?
    /// In what form the old rich editor's fields come.
    public var richEditorFormat: RichEditorFormat?
    /// Further parameters.
    public var others: [Parameter] = []

    /// A query that leaves everything to the server.
    public init() {}

    /// The parameters of a list, percent-encoded and joined; empty if there is none.
    func listText() throws(RequestError) -> String {
        try Self.check(limit, in: 0...100, "limit")
        try Self.check(offset, in: 0...Int.max, "offset")
        return try text(
            [
                ("limit", limit.map { "\($0)" }), ("offset", offset.map { "\($0)" }),
                ("orders", orders.joined(separator: ",")), ("q", search), ("ids", ids.joined(separator: ",")),
                ("filters", try filters?.text()),
            ]
        )
    }

    /// The parameters of a single content or an object.
    ///
    /// - Throws: `malformed` if there is one that only lists take.
    func contentText() throws(RequestError) -> String {
        let forLists: [(name: String, isGiven: Bool)] = [
            ("limit", limit != nil), ("offset", offset != nil), ("orders", !orders.isEmpty),
            ("q", search?.isEmpty == false),
            ("ids", !ids.isEmpty), ("filters", filters != nil),
        ]
        if let name = forLists.first(where: \.isGiven)?.name {
            throw .malformed("\(name) is for lists, not for one content")
        }
        return try text([])
    }

    /// An empty value counts as none (spec microCMS §2.2).
    private func text(_ parameters: [(name: String, value: String?)]) throws(RequestError) -> String {
        try Self.check(depth, in: 0...3, "depth")
        let common: [(name: String, value: String?)] = [
            ("draftKey", draftKey), ("fields", fields.joined(separator: ",")), ("depth", depth.map { "\($0)" }),
            ("richEditorFormat", richEditorFormat?.rawValue),
        ]
        let further: [(name: String, value: String?)] = others.map { ($0.name, $0.value) }
        let pairs = (parameters + common + further).compactMap { name, value -> String? in
            value.flatMap { $0.isEmpty ? nil : "\(Self.encoded(name))=\(Self.encoded($0))" }
        }
        return pairs.joined(separator: "&")
    }

    private static func check(_ value: Int?, in range: ClosedRange<Int>, _ name: String) throws(RequestError) {
        guard let value, !range.contains(value) else { return }
        let expected =
            range.upperBound == .max ? "\(range.lowerBound) or more" : "\(range.lowerBound)…\(range.upperBound)"
        throw .badValue(parameter: name, value: "\(value)", expected: expected)
    }

    /// Brackets and `+` too: a server takes a bare plus for a space (spec microCMS §2.2).
    private static func encoded(_ text: String) -> String { PercentEncoding.encode(text, keeping: ",") }
}

extension MicroCMSQuery {
    /// The parameters in a URL's query, percent-encoded or not; a plus is a plus.
    ///
    /// - Throws: for a number that is none and for a parameter that is there twice.
    init(parsing text: some StringProtocol) throws(RequestError) {
        var seen: Set<String> = []
        for pair in text.split(separator: "&") {
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = Self.decoded(halves[0])
            guard seen.insert(name).inserted else { throw .repeated(name) }
            try set(name, to: halves.count > 1 ? Self.decoded(halves[1]) : "")
        }
    }

    private mutating func set(_ name: String, to value: String) throws(RequestError) {
        func number(_ range: ClosedRange<Int>) throws(RequestError) -> Int? {
            guard !value.isEmpty else { return nil }
            guard let number = Int(value) else {
                throw .badValue(parameter: name, value: value, expected: "a number")
            }
            try Self.check(number, in: range, name)
            return number
        }
        let list = value.split(separator: ",").map(String.init)
        switch name {
        case "draftKey": draftKey = value
        // As the most contents of a whole walk it may be more than the server gives at once.
        case "limit": limit = try number(0...Int.max)
        case "offset": offset = try number(0...Int.max)
        case "orders": orders = list
        case "q": search = value
        case "fields": fields = list
        case "ids": ids = list
        case "filters": filters = value.isEmpty ? nil : .raw(value)
        case "depth": depth = try number(0...3)
        case "richEditorFormat":
            richEditorFormat = RichEditorFormat(rawValue: value)
            guard richEditorFormat != nil || value.isEmpty else {
                throw .badValue(parameter: name, value: value, expected: "html or object")
            }
        default: others.append(Parameter(name, value))
        }
    }

    /// A broken escape stays as it is.
    private static func decoded(_ text: some StringProtocol) -> String { percentDecoded(text.utf8) ?? String(text) }
}

extension MicroCMSQuery: CustomStringConvertible, CustomDebugStringConvertible {
    /// The names of its parameters; values may be secret.
    public var description: String {
        // A query that cannot be sent has nothing to show.
        let names = ((try? listText()) ?? "").split(separator: "&").map { $0.prefix { $0 != "=" } }
        return names.isEmpty ? "no parameters" : names.joined(separator: ", ")
    }

    /// The same.
    public var debugDescription: String { description }
}
