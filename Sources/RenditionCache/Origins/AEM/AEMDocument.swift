/// The answer to a persisted query (spec AEM §3).
public struct AEMDocument: Hashable, Sendable {
    /// Why an answer is none.
    enum Refusal: Error, Equatable {
        /// It is no GraphQL answer at all.
        case notGraphQL
        /// It has no data; what AEM says of it.
        case noData([String])
        /// It has texts, and nothing here can read them.
        case unreadable(HTMLError)
    }

    /// One root of the answer.
    struct Root: Hashable, Sendable {
        /// The sort of root, by what it has inside (spec AEM §3.1).
        enum Shape: Hashable, Sendable {
            /// `…List`, with `items`.
            case list
            /// `…ByPath`, with one `item` or null.
            case item
            /// `…Paginated`, with `edges` and cursors.
            case paginated
        }

        /// Its name, as in `adventureList`.
        var name: String
        /// What sort it is.
        var shape: Shape
        /// The content fragments, without those that could not be read.
        var nodes: [JSONValue]
        /// How many the answer had, those that could not be read included.
        var count: Int
        /// The cursor behind the last of them, if there is one.
        var endCursor: String?
        /// Whether more follow; nil where the query does not ask.
        var hasNextPage: Bool?
    }

    /// What AEM says went wrong beside the data, one message each.
    public let errors: [String]
    /// The `data` of the answer.
    public let data: JSONValue
    /// The roots by name.
    let roots: [Root]
    /// Every picture that the answer refers to, each once, in the order of the items.
    public let pictures: [AEMPicture]
    /// Why the pictures of a text are not among them, once for each such text.
    let unread: [String]

    /// Reads an answer; errors beside usable data are kept (spec AEM §4).
    ///
    /// - Parameter root: scheme, host and port of the instance.
    init(_ json: JSONValue, root: String) throws(Refusal) {
        guard let members = json.object, members["data"] != nil || members["errors"] != nil else { throw .notGraphQL }
        errors = AEMError.messages(json)
        guard let data = members["data"], let fields = data.object,
            errors.isEmpty || fields.values.contains(where: { $0 != .null })
        else { throw .noData(errors) }
        self.data = data
        roots = fields.sorted { $0.key < $1.key }.compactMap(Root.init)
        do throws(HTMLError) {
            let search = try AEMPictureSearch(data, root: root)
            (pictures, unread) = (search.pictures, search.unread.map(\.description))
        } catch {
            throw .unreadable(error)
        }
    }

    /// The content fragments of all roots, without those that AEM could not read.
    public var nodes: [JSONValue] { roots.flatMap(\.nodes) }
    /// What a paginated query takes as `after` for its next page; nil where AEM does not say that there is one.
    public var nextCursor: String? {
        roots.first { $0.shape == .paginated && $0.hasNextPage == true }.flatMap { $0.endCursor }
    }
    /// What the texts of the answer refer to (`_references`).
    public var references: [JSONValue] {
        let holders = [data] + (data.object?.sorted { $0.key < $1.key }.map(\.value) ?? [])
        return holders.flatMap { $0["_references"]?.array ?? [] }.filter { $0 != .null }
    }

    /// What the catalogue keeps of the pictures: an asset once, with everything that is asked of it.
    var assets: [Asset] {
        var order: [String] = []
        var byID: [String: Asset] = [:]
        for asset in Self.withPaths(pictures.map(\.asset)) {
            if let earlier = byID[asset.id] {
                byID[asset.id] = earlier.joined(with: asset)
            } else {
                order.append(asset.id)
                byID[asset.id] = asset
            }
        }
        return order.compactMap { byID[$0] }
    }

    /// A picture that only has an identifier is the asset whose path came with the same one.
    private static func withPaths(_ assets: [Asset]) -> [Asset] {
        let withPath = assets.filter { AEMIdentifier($0.id) == nil }
        let bySlug = Dictionary(withPath.compactMap { asset in asset.slug.map { ($0, asset) } }) { first, _ in first }
        return assets.map { asset in
            guard let other = asset.slug.flatMap({ bySlug[$0] }), other.id != asset.id else { return asset }
            var asset = asset
            (asset.id, asset.name, asset.address) = (other.id, other.name, nil)
            return asset
        }
    }
}

extension AEMDocument.Refusal: CustomStringConvertible {
    /// One clause; may hold secrets that AEM repeats.
    var description: String {
        switch self {
        case .notGraphQL: "JSON that answers no GraphQL query"
        case .unreadable(let error): error.description
        case .noData(let messages): messages.isEmpty ? "no data" : messages.joined(separator: "; ")
        }
    }
}

extension AEMDocument.Root {
    /// The root in a member of `data`; nil for what is none.
    init?(_ name: String, _ value: JSONValue) {
        self.name = name
        if let edges = value["edges"]?.array {
            shape = .paginated
            count = edges.count
            nodes = edges.compactMap { $0["node"] }.filter { $0 != .null }
            let info = value["pageInfo"]
            hasNextPage = info?["hasNextPage"]?.bool
            endCursor = info?["endCursor"]?.string ?? edges.last?["cursor"]?.string
        } else if let items = value["items"]?.array {
            shape = .list
            count = items.count
            nodes = items.filter { $0 != .null }
        } else if let item = value["item"] {
            shape = .item
            nodes = item == .null ? [] : [item]
            count = nodes.count
        } else {
            return nil
        }
    }
}
