/// A picture that content refers to.
struct OCMPicture: Sendable {
    /// Which asset it is.
    var reference: AssetReference
    /// What the content says of it: all of it where it was expanded, hardly more than its type otherwise, and nothing in
    /// rich text.
    var item: OCMItem?
}

/// The pictures that an item's fields refer to (spec OCM §6.3, §7.3).
struct OCMPictures {
    /// Deepest nesting of expanded items; the API expands one level.
    private static let maxDepth = 8
    /// Types of digital assets that are no pictures (spec OCM §7.1).
    private static let otherTypes: Set<String> = ["Video", "Video-Plus", "File"]

    /// Each picture once, field after field by name, lists in their order; those of expanded items too.
    private(set) var all: [OCMPicture] = []
    /// Why some rich text was not read beyond its macros, if it was not.
    private(set) var unread: HTMLError?
    private let readsText: Bool
    private var seen: Set<AssetReference> = []

    /// Looks through the fields.
    ///
    /// - Parameter readsText: whether rich text is looked into too, which only ever names pictures.
    init(in fields: [String: JSONValue], readsText: Bool = true) {
        self.readsText = readsText
        collect(fields, depth: 0)
    }

    private mutating func collect(_ fields: [String: JSONValue], depth: Int) {
        for name in fields.keys.sorted() { collect(fields[name] ?? .null, depth: depth) }
    }

    private mutating func collect(_ value: JSONValue, depth: Int) {
        guard depth < Self.maxDepth else { return }
        switch value {
        case .string(let text): if readsText { collect(text) }
        case .array(let values):
            for value in values { collect(value, depth: depth + 1) }
        case .object:
            // Anything else that is an object belongs to the item's author: a JSON field may look like anything.
            guard let item = OCMItem(value) else { return }
            guard item.isDigitalAsset else { return collect(item.fields ?? [:], depth: depth + 1) }
            guard item.asset.isPicture, !Self.otherTypes.contains(item.type ?? "") else { return }
            add(OCMPicture(reference: .id(item.id), item: item))
        case .null, .bool, .int, .double: return
        }
    }

    private mutating func collect(_ text: String) {
        for reference in OCMRichText.macros(in: text) { add(OCMPicture(reference: reference, item: nil)) }
        do throws(HTMLError) {
            for reference in try OCMRichText.pictures(in: text) { add(OCMPicture(reference: reference, item: nil)) }
        } catch {
            unread = error
        }
    }

    private mutating func add(_ picture: OCMPicture) {
        if seen.insert(picture.reference).inserted { all.append(picture) }
    }
}
