/// A GraphQL query that AEM keeps under a name, and the variables that it is run with (spec AEM §2).
public struct PersistedQuery: Hashable, Sendable {
    /// One variable, with its value as AEM reads it: text as it stands, anything else as JSON.
    public struct Variable: Hashable, Sendable {
        /// The GraphQL name, without the `$`.
        public let name: String
        /// The value, not encoded.
        public let text: String

        /// A string, an identifier or the bare word of an enumeration.
        public init(_ name: String, _ text: String) { (self.name, self.text) = (name, text) }

        /// A whole number.
        public init(_ name: String, _ number: Int) { self.init(name, "\(number)") }

        /// A number.
        public init(_ name: String, _ number: Double) { self.init(name, "\(number)") }

        /// A truth value.
        public init(_ name: String, _ flag: Bool) { self.init(name, "\(flag)") }

        /// Any value: lists and objects as JSON, a string without its quotes (spec AEM §2.2).
        public init(_ name: String, json: JSONValue) {
            self.init(name, json.string ?? AEMJSONText.text(json))
        }
    }

    /// Why a text or a request target names no persisted query.
    public enum Refusal: Error, Equatable, Sendable {
        /// Nothing follows the address of the servlet.
        case missingPath
        /// It is not a configuration and a query of letters, digits, `-` and `_`.
        case badName
        /// A percent sign without two hexadecimal digits, or bytes that are no UTF-8.
        case badEscape
        /// A variable's name is empty or has a separator in it, or its value has a semicolon, which AEM cannot be told.
        case badVariable(String)
        /// There are more than `limit` variables.
        case tooManyVariables(limit: Int)
    }

    /// Most variables of a query (spec AEM §14.8).
    static let maxVariables = 64

    /// The AEM configuration, as in `wknd-shared`.
    public let configuration: String
    /// The query's name, as in `adventures-all`.
    public let name: String
    /// The variables, each name once, in the order in which they are sent.
    public private(set) var variables: [Variable]

    /// A query by its names.
    ///
    /// - Parameter variables: where a name is repeated, its last value counts.
    /// - Throws: `badName`, `badVariable` or `tooManyVariables`.
    public init(configuration: String, name: String, variables: [Variable] = []) throws(Refusal) {
        guard Self.isName(configuration), Self.isName(name) else { throw .badName }
        guard variables.count <= Self.maxVariables else { throw .tooManyVariables(limit: Self.maxVariables) }
        self.configuration = configuration
        self.name = name
        self.variables = []
        for variable in variables { try set(variable) }
    }

    /// Its names, as in `wknd-shared/adventures-all`.
    public var path: String { "\(configuration)/\(name)" }

    /// The value of a variable; nil where it is left to the query's default.
    public subscript(name: String) -> String? { variables.first { $0.name == name }?.text }

    /// The same query with another value of a variable, which keeps its place.
    ///
    /// - Throws: `badVariable`.
    public func setting(_ variable: Variable) throws(Refusal) -> PersistedQuery {
        var query = self
        try query.set(variable)
        return query
    }

    private mutating func set(_ variable: Variable) throws(Refusal) {
        guard !variable.name.isEmpty, !variable.name.contains(where: { ";=".contains($0) }),
            !variable.text.contains(";")
        else { throw .badVariable(variable.name) }
        guard let index = variables.firstIndex(where: { $0.name == variable.name }) else {
            return variables.append(variable)
        }
        variables[index] = variable
    }

    private static func isName(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.count <= 255
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
    }
}

// MARK: Texts

extension PersistedQuery {
    /// What the target of every execution begins with (spec AEM §1).
    static let servlet = "/graphql/execute.json"

    /// The query in a text, as in `wknd-shared/adventures-all;imageWidth=50;imageQuality=100`.
    ///
    /// A slash may stand before it. Values are taken as they stand; with an encoded separator (`%3B`) everything behind the
    /// name is decoded once, and behind `/graphql/execute.json` it is read like a request target.
    ///
    /// - Throws: what is wrong with it.
    public init(_ text: String) throws(Refusal) {
        if text.hasPrefix(Self.servlet) {
            try self.init(target: text)
        } else {
            try self.init(text.hasPrefix("/") ? text.dropFirst() : text[...], isEncoded: false)
        }
    }

    /// The query that a raw request target runs (spec AEM §2.2): cut first, decoded once, a query string left out.
    ///
    /// - Throws: what is wrong with it.
    init(target: String) throws(Refusal) {
        let path = target.prefix { $0 != "?" }
        guard path.hasPrefix(Self.servlet) else { throw .badName }
        let rest = path.dropFirst(Self.servlet.count)
        guard !rest.isEmpty, rest != "/" else { throw .missingPath }
        guard rest.hasPrefix("/") else { throw .badName }
        try self.init(rest.dropFirst(), isEncoded: true)
    }

    private init(_ text: Substring, isEncoded: Bool) throws(Refusal) {
        let cut = Self.cut(text)
        let names = cut.names.split(separator: "/", omittingEmptySubsequences: false)
        guard names.count == 2 else { throw .badName }
        let decoded = isEncoded || cut.isEncoded ? percentDecoded(cut.variables.utf8) : String(cut.variables)
        guard let decoded else { throw .badEscape }
        guard let configuration = percentDecoded(names[0].utf8), let name = percentDecoded(names[1].utf8) else {
            throw .badEscape
        }
        let pieces = decoded.split(separator: ";")
        try self.init(
            configuration: configuration,
            name: name,
            variables: pieces.map { piece in
                let end = piece.firstIndex(of: "=") ?? piece.endIndex
                return Variable(String(piece[..<end]), String(piece[end...].dropFirst()))
            }
        )
    }

    /// Cuts at the first `;`, bare or encoded.
    private static func cut(_ text: Substring) -> (names: Substring, variables: Substring, isEncoded: Bool) {
        let bare = text.firstIndex(of: ";")
        let encoded = [text.firstRange(of: "%3B"), text.firstRange(of: "%3b")].compactMap(\.self)
            .min { $0.lowerBound < $1.lowerBound }
        if let encoded, encoded.lowerBound < bare ?? text.endIndex {
            return (text[..<encoded.lowerBound], text[encoded.upperBound...], true)
        }
        guard let bare else { return (text, "", false) }
        return (text[..<bare], text[text.index(after: bare)...], false)
    }

    /// The path that runs it, in the spelling that every AEM takes: all of the variables' text encoded, and a bare `;` at
    /// the end, because a point in the last value would be taken for an extension (spec AEM §2.2).
    var target: String {
        guard !variables.isEmpty else { return "\(Self.servlet)/\(path)" }
        let text = variables.map { ";\($0.name)=\($0.text)" }.joined()
        return "\(Self.servlet)/\(path)\(PercentEncoding.encode(text, keeping: ""));"
    }

    /// The same for every order of the variables.
    var canonicalText: String {
        path + variables.sorted { $0.name < $1.name }.map { ";\($0.name)=\($0.text)" }.joined()
    }
}

extension PersistedQuery: CustomStringConvertible {
    /// As it would stand in a configuration.
    public var description: String { path + variables.map { ";\($0.name)=\($0.text)" }.joined() }
}

extension PersistedQuery.Refusal: CustomStringConvertible {
    /// One clause.
    public var description: String {
        switch self {
        case .missingPath: "names no query"
        case .badName: "is not a configuration and a query, as in wknd-shared/adventures-all;imageWidth=50"
        case .badEscape: "has a percent sign that is no escape, or bytes that are no UTF-8"
        case .badVariable(let name): "has the variable \(quoted(name)), whose name or value AEM cannot be told"
        case .tooManyVariables(let limit): "has more than \(limit) variables"
        }
    }
}
