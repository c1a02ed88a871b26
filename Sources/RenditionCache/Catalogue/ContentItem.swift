/// An item of a channel's content: an article, a page, or a digital asset; a bare reference where it was not expanded.
public struct ContentItem: Sendable {
    /// The channel's name in the configuration.
    public let channel: String
    let item: OCMItem

    /// The identifier.
    public var id: String { item.id }
    /// The slug, if there is one.
    public var slug: String? { item.json["slug"]?.string }
    /// The name; a bare reference in a listing has none.
    public var name: String? { item.json["name"]?.string }
    /// The description, which may be empty.
    public var summary: String? { item.json["description"]?.string }
    /// The type's name, as in `Image`.
    public var type: String? { item.type }
    /// The language, as in `en-US`.
    public var language: String? { item.json["language"]?.string }
    /// When it was first published, in seconds since 1970.
    public var createdSeconds: Double? { item.createdMilliseconds.map { Double($0) / 1000 } }
    /// When it was last published, in seconds since 1970.
    public var updatedSeconds: Double? { item.updatedMilliseconds.map { Double($0) / 1000 } }
    /// Whether it is a digital asset: a picture, a video, a file.
    public var isDigitalAsset: Bool { item.isDigitalAsset }
    /// The fields of its type as they came; nil if it came without.
    public var fields: [String: JSONValue]? { item.fields }
    /// The whole item as it came.
    public var json: JSONValue { item.json }
    /// What it is as an asset; of a bare reference little more than the identifier.
    public var asset: Asset { item.asset }
}

// MARK: Fields

extension ContentItem {
    /// A text.
    public func string(_ field: String) throws(ContentFieldError) -> String { try item.string(field) }

    /// Any number, its fraction dropped.
    public func int(_ field: String) throws(ContentFieldError) -> Int { try item.int(field) }

    /// Any number.
    public func double(_ field: String) throws(ContentFieldError) -> Double { try item.double(field) }

    /// A truth value.
    public func bool(_ field: String) throws(ContentFieldError) -> Bool { try item.bool(field) }

    /// A date, in seconds since 1970.
    public func date(_ field: String) throws(ContentFieldError) -> Double {
        Double(try item.dateMilliseconds(field)) / 1000
    }

    /// The item that a field refers to, with its own fields where it was expanded.
    public func asset(_ field: String) throws(ContentFieldError) -> ContentItem {
        ContentItem(channel: channel, item: try item.item(field))
    }

    /// The items that a field refers to, in their order; empty for anything but a list.
    public func assets(_ field: String) throws(ContentFieldError) -> [ContentItem] {
        try item.items(field).map { ContentItem(channel: channel, item: $0) }
    }
}

// MARK: Pictures

extension ContentItem {
    /// Every picture that its fields show, each once, expanded or not, in rich text too; those of expanded items as well.
    ///
    /// Of a digital asset itself none; that is `picture`.
    public var pictures: [PictureReference] {
        OCMPictures(in: content).all.map { picture in
            PictureReference(channel: channel, reference: picture.reference, asset: picture.item?.asset)
        }
    }

    /// The picture that this item is; nil for content, and for what is known to be no picture.
    public var picture: PictureReference? {
        guard asset.isPicture else { return nil }
        return PictureReference(channel: channel, reference: .id(id), asset: asset)
    }

    /// What it says of assets: of itself, and of those that were expanded.
    var knownAssets: [Asset] {
        guard !isDigitalAsset else { return [asset] }
        return OCMPictures(in: content, readsText: false).all.compactMap(\.item?.asset)
    }

    private var content: [String: JSONValue] { isDigitalAsset ? [:] : item.fields ?? [:] }
}
