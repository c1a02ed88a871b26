extension OCMDialect {
    /// Everything, or the names in a list.
    package enum Names: Equatable, Sendable {
        case all
        case list([String])
    }

    /// One field to sort by.
    package struct Order: Equatable, Sendable {
        /// The field's name.
        package var field: String
        /// Whether the largest comes first.
        package var isDescending: Bool
    }

    /// The parameters that mean something on any operation; nil where not given or unreadable (spec OCM §4.1, §6.1, §8.2).
    package struct Parameters: Equatable, Sendable {
        package var channelToken: String?
        package var query: String?
        package var freeText: String?
        package var fields: Names?
        package var orderBy: [Order]?
        package var limit: Int?
        package var offset: Int?
        package var totalResults: Bool?
        package var links: [String]?
        package var expand: Names?
        package var format: String?
        package var type: String?
        package var download: Bool?
        package var cacheBuster: String?

        /// None given.
        package init() {}
    }

    /// Reads the parameters, in any order; unknown ones are ignored, of two equal ones the first counts.
    package static func parameters(_ target: RequestTarget) -> Parameters {
        var parameters = Parameters()
        for (name, value) in target.parameters.reversed() { set(name, to: value, in: &parameters) }
        return parameters
    }

    private static func set(_ name: String, to value: String, in parameters: inout Parameters) {
        switch name {
        case "channelToken": parameters.channelToken = value
        case "q": parameters.query = value.isEmpty ? nil : value
        case "default": parameters.freeText = value
        case "fields": parameters.fields = fields(value)
        case "orderBy": parameters.orderBy = orders(value)
        case "limit": parameters.limit = Int(value).flatMap { $0 < 0 ? nil : $0 }
        case "offset": parameters.offset = Int(value).flatMap { $0 < 0 ? nil : $0 }
        case "totalResults": parameters.totalResults = Bool(value)
        case "links": parameters.links = list(value.lowercased())
        case "expand": parameters.expand = value.lowercased() == "all" ? .all : .list(list(value))
        case "format": parameters.format = trimmed(value)
        case "type": parameters.type = trimmed(value)
        case "download": parameters.download = Bool(value)
        case "cb": parameters.cacheBuster = value
        default: break
        }
    }

    /// `all`, in either case, wins over everything beside it.
    private static func fields(_ value: String) -> Names {
        let names = list(value)
        return names.contains { $0.lowercased() == "all" } ? .all : .list(names)
    }

    private static func orders(_ value: String) -> [Order] {
        value.split(separator: ";").compactMap { part in
            let halves = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard let field = halves.first, !field.isEmpty else { return nil }
            let direction = halves.count > 1 ? halves[1].lowercased() : "asc"
            // `des` is an old spelling.
            return Order(field: String(field), isDescending: direction == "desc" || direction == "des")
        }
    }

    private static func list(_ value: String) -> [String] {
        value.split(separator: ",").compactMap { trimmed(String($0)) }
    }

    private static func trimmed(_ value: String) -> String? {
        let text = value.drop { $0 == " " }
        guard let last = text.lastIndex(where: { $0 != " " }) else { return nil }
        return String(text[...last])
    }
}
