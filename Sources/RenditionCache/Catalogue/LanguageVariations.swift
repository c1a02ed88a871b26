/// In which languages an item is there (spec OCM §6.4).
public struct LanguageVariations: Hashable, Sendable {
    /// The item in one language.
    public struct Variation: Hashable, Sendable {
        /// The item's identifier.
        public var id: String
        /// The language, as in `en-US`.
        public var language: String
    }

    /// The identifier that all of them share.
    public var setID: String?
    /// The identifier of the item that the others are translations of.
    public var masterID: String?
    /// The languages, in the CMS's order.
    public var variations: [Variation]

    init(_ json: JSONValue) {
        setID = json["setId"]?.string
        masterID = json["masterItem"]?.string
        variations = (json["items"]?.array ?? []).compactMap { row in
            guard let id = row["id"]?.string, let language = row["value"]?.string else { return nil }
            return Variation(id: id, language: language)
        }
    }
}
