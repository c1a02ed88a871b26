import Testing

@testable import RenditionCache

/// The call of a URL case, made with this library.
struct SDKCall {
    private let test: OCMCase
    private let settings: OCMSettings
    private let call: OCMCall
    private let builders: [JSONValue]

    init(_ test: OCMCase) throws {
        self.test = test
        builders = test.json["call"]?["with"]?.array ?? []
        let provider = test.json["provider"]
        var settings = OCMSettings(
            url: provider?["url"]?.string ?? "https://ocm.example.com",
            channelToken: provider?["channelToken"].map(\.string) ?? "0123456789abcdef0123456789abcdef"
        )
        settings.headers = provider?["headers"]?.object?.compactMapValues(\.string) ?? [:]
        var call = OCMCall()
        for builder in builders {
            call.channelToken = builder["channelToken"]?.string ?? call.channelToken
            call.url = builder["overrideURL"]?.string ?? call.url
            call.headers = builder["headers"]?.object?.compactMapValues(\.string) ?? call.headers
            let more = builder["additionalHeaders"]?.object?.compactMapValues(\.string) ?? [:]
            call.additionalHeaders.merge(more) { $1 }
            if let name = builder["version"]?.string { call.version = try #require(OCMVersion(rawValue: name)) }
        }
        // Header fields that the SDK takes from a cache for one download.
        for key in ["cacheProviderHeaders", "imageProviderHeaders"] {
            let fields = test.json["call"]?["args"]?[key]?.object?.compactMapValues(\.string) ?? [:]
            call.additionalHeaders.merge(fields) { $1 }
        }
        self.settings = settings
        self.call = call
    }

    /// What goes to the channel's own origin.
    var fields: [String: String] {
        let changed = call.changing(settings)
        let fields = Credentials(changed, fixed: OCMOrigin.fixedFields(changed)).headers
        return Dictionary(fields.map { ($0.name, $0.value) }) { first, _ in first }
    }

    func url() throws -> WebURL {
        let changed = call.changing(settings)
        let base = try #require(WebURL(changed.url))
        let requests = OCMRequests(base: base, channelToken: changed.channelToken, version: call.version)
        let args = test.json["call"]?["args"]
        let taxonomy = args?["taxonomyId"]?.string ?? ""
        switch test.json["call"]?["service"]?.string {
        case "listAssets": return try requests.items(try search)
        case "readAsset":
            let reference = args?["slug"]?.string.map(AssetReference.slug) ?? .id(args?["assetId"]?.string ?? "")
            let links = last("links") ?? []
            return try requests.item(reference, expand: last("expand") ?? ["all"], links: links)
        case "listTaxonomies": return try requests.taxonomies(try search)
        case "readTaxonomy": return try requests.taxonomy(taxonomy)
        case "listTaxonomyCategories": return try requests.categories(of: taxonomy, try search)
        case "readTaxonomyCategory":
            return try requests.category(args?["categoryId"]?.string ?? "", of: taxonomy, fields: last("fields") ?? [])
        case "downloadNative": return try requests.native(args?["identifier"]?.string ?? "")
        case "downloadRendition":
            return try requests.rendition(
                args?["renditionName"]?.string ?? "",
                of: args?["identifier"]?.string ?? "",
                format: args?["format"]?.string,
                type: args?["type"]?.string
            )
        default: return try thumbnail(requests, args)
        }
    }

    private func thumbnail(_ requests: OCMRequests, _ args: JSONValue?) throws -> WebURL {
        let id = args?["identifier"]?.string ?? ""
        let isAdvanced = args?["advancedVideoInfo"]?.bool ?? false
        let asset = Asset(id: id, name: id, fileGroup: args?["fileGroup"]?.string, hasAdvancedVideo: isAdvanced)
        let form = try #require(OCMRenditionForm("thumbnail", format: nil, of: asset))
        return try requests.rendition(form.name, of: id, format: form.format, type: form.type)
    }

    private var search: OCMSearch {
        get throws {
            var search = OCMSearch()
            for builder in builders {
                search.limit = builder["limit"]?.int ?? search.limit
                search.offset = builder["startingAt"]?.int ?? search.offset
                search.totalResults = builder["totalResults"]?.bool ?? search.totalResults
                search.fields = Self.list(builder["fields"]) ?? search.fields
                search.links = Self.list(builder["links"]) ?? search.links
                search.words = Self.list(builder["defaultQuery"]) ?? search.words
                search.isPublishedChannel = builder["isPublishedChannel"]?.bool ?? search.isPublishedChannel
                if let order = builder["order"]?.array { search.orderBy = order.map(Self.order) }
                if let text = builder["rawQuery"]?.string { search.query = .raw(text) }
                if let query = builder["query"] { search.query = try OCMQuery(case: query) }
            }
            return search
        }
    }

    private func last(_ key: String) -> [String]? { builders.compactMap { Self.list($0[key]) }.last }

    private static func order(_ pair: JSONValue) -> OCMSearch.Order {
        let field = pair.array?.first?.string ?? ""
        return pair.array?.last?.string == "desc" ? .descending(field) : .ascending(field)
    }

    private static func list(_ json: JSONValue?) -> [String]? {
        json?.string.map { [$0] } ?? json?.array?.compactMap(\.string)
    }
}

extension OCMQuery {
    /// The query that a case builds step by step.
    init(case json: JSONValue) throws {
        var query = try OCMQuery(node: try #require(json["start"]))
        for step in json["then"]?.array ?? [] {
            let other = try OCMQuery(node: step["node"] ?? step)
            let isGrouped = step["grouped"]?.bool ?? false
            query =
                step["join"]?.string == "or"
                ? query.or(other, grouped: isGrouped) : query.and(other, grouped: isGrouped)
        }
        self = query
    }

    private init(node: JSONValue) throws {
        if let builder = node["builder"] {
            self = try OCMQuery(case: builder)
        } else if let list = node["matchList"] {
            self = .anyOf(list["field"]?.string ?? "", list["values"]?.array?.compactMap(\.string) ?? [])
        } else if let raw = node["raw"]?.string {
            self = .raw(raw)
        } else if let status = node["status"]?.string {
            self = .equals("status", status)
        } else {
            self = try OCMQuery(condition: node)
        }
    }

    private init(condition: JSONValue) throws {
        let field = try #require(condition["field"]?.string)
        let word = try #require(condition["op"]?.string)
        if let text = condition["value"]?.string {
            self = try #require(OCMQuery(field, word, text: text))
        } else if let whole = condition["int"]?.int {
            self = try #require(OCMQuery(field, word, measure: whole))
        } else if let number = condition["double"]?.double {
            self = try #require(OCMQuery(field, word, measure: number))
        } else {
            let date = try #require(condition["date"])
            let spellings = ["yyyy-MM-dd": OCMDate.Spelling.day, "yyyy-MM-dd'T'HH:mm:ss.SSS": .milliseconds]
            let measure = OCMDate(
                secondsSince1970: try #require(date["epochSeconds"]?.double),
                utcOffsetSeconds: try #require(date["utcOffsetSeconds"]?.int),
                spelling: try #require(spellings[date["format"]?.string ?? ""])
            )
            self = try #require(OCMQuery(field, word, measure: measure))
        }
    }

    private init?(_ field: String, _ word: String, text: String) {
        switch word {
        case "eq": self = .equals(field, text)
        case "ne": self = .differs(field, text)
        case "co": self = .contains(field, text)
        case "sw": self = .startsWith(field, text)
        case "mt": self = .matches(field, text)
        case "sm": self = .resembles(field, text)
        default: return nil
        }
    }

    private init?(_ field: String, _ word: String, measure: some OCMQueryMeasure) {
        switch word {
        case "eq": self = .equals(field, measure)
        case "co": self = .contains(field, measure)
        case "ge": self = .atLeast(field, measure)
        case "le": self = .atMost(field, measure)
        case "gt": self = .above(field, measure)
        case "lt": self = .below(field, measure)
        default: return nil
        }
    }
}
