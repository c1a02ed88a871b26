/// A persisted query that an instance has (spec AEM §2.4).
public struct AEMQueryDescription: Hashable, Sendable {
    /// The query, without variables.
    public let query: PersistedQuery
    /// Its GraphQL text, if the instance tells it.
    public let text: String?
}

extension AEMQueryDescription {
    /// The queries in an answer to `/graphql/list.json`, in its order; nil for anything but a list.
    static func list(_ json: JSONValue) -> [AEMQueryDescription]? {
        json.array.map { configurations in
            configurations.flatMap { $0["queries"]?.array ?? [] }.compactMap { entry in
                // What cannot be run by its address is left out, as one of AEM's clients would refuse it too.
                guard let path = entry["path"]?["shortForm"]?.string, let query = try? PersistedQuery(path) else {
                    return nil
                }
                return AEMQueryDescription(query: query, text: entry["data"]?["query"]?.string)
            }
        }
    }
}
