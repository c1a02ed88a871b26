/// A tree of categories that content is filed under (spec OCM §9).
public struct Taxonomy: Hashable, Sendable {
    /// The identifier.
    public var id: String
    /// The name.
    public var name: String?
    /// What it is for; may be empty.
    public var summary: String?
    /// A few letters that stand for it.
    public var shortName: String?
    /// Whatever else was noted.
    public var customProperties: [String: String]
    /// When it was first and last published, in seconds since 1970.
    public var createdSeconds: Double?, updatedSeconds: Double?

    init(_ row: OCMItem) {
        id = row.id
        name = row.json["name"]?.string
        summary = row.json["description"]?.string
        shortName = row.json["shortName"]?.string
        customProperties = row.json["customProperties"]?.object?.compactMapValues(\.string) ?? [:]
        createdSeconds = row.createdMilliseconds.map { Double($0) / 1000 }
        updatedSeconds = row.updatedMilliseconds.map { Double($0) / 1000 }
    }
}

/// A category of a taxonomy.
public struct TaxonomyCategory: Hashable, Sendable {
    /// A step on the way from the root.
    public struct Node: Hashable, Sendable {
        /// The category's identifier.
        public var id: String
        /// Its name.
        public var name: String?
        /// Its name for programs.
        public var apiName: String?
    }

    /// The identifier.
    public var id: String
    /// The name.
    public var name: String?
    /// What it is for; may be empty.
    public var summary: String?
    /// Its name for programs.
    public var apiName: String?
    /// Its place among its siblings.
    public var position: Int?
    /// The path from the root, itself included.
    public var nodes: [Node]
    /// The categories directly below it, as far as they came with it.
    public var children: [TaxonomyCategory]
    /// The whole category as it came, with what was asked for beside: `keywords`, `synonyms`, `relatedCategories`,
    /// `customProperties`.
    public var json: JSONValue

    /// Deepest nesting of children that is read.
    private static let maxDepth = 16

    init(_ row: OCMItem) { self.init(row, depth: 0) }

    private init(_ row: OCMItem, depth: Int) {
        id = row.id
        name = row.json["name"]?.string
        summary = row.json["description"]?.string
        apiName = row.json["apiName"]?.string
        position = row.json["position"]?.int
        nodes = (row.json["nodes"]?.array ?? []).compactMap { node in
            node["id"]?.string.map { Node(id: $0, name: node["name"]?.string, apiName: node["apiName"]?.string) }
        }
        let rows = depth < Self.maxDepth ? row.json["children"]?["items"]?.array ?? [] : []
        children = rows.compactMap(OCMItem.init).map { TaxonomyCategory($0, depth: depth + 1) }
        json = row.json
    }
}
