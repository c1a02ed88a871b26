/// What a content API has answered: a list of contents, or a single one.
public struct MicroCMSDocument: Hashable, Sendable {
    /// The answer as it came.
    public let json: JSONValue
    /// Every picture that it names, in whatever way.
    public let pictures: [MicroCMSPicture]

    /// The contents of a list; nil for a single content, or an object.
    public var contents: [JSONValue]? { MicroCMSList(json)?.contents }
    /// How many contents there are or match in all; nil for a single content.
    public var totalCount: Int? { MicroCMSList(json)?.total }
}

/// A page of a list API (spec microCMS §2.4).
struct MicroCMSList: Equatable, Sendable {
    /// The contents, in the order that was asked for.
    let contents: [JSONValue]
    /// How many there are, or match, in all.
    let total: Int
    /// Where the page begins, by the server's own word.
    let offset: Int?

    /// The page in an answer; nil for an object, which has no such envelope.
    init?(_ json: JSONValue) {
        guard let contents = json["contents"]?.array, let total = json["totalCount"]?.int, total >= 0 else {
            return nil
        }
        self.contents = contents
        self.total = total
        offset = json["offset"]?.int
    }
}
