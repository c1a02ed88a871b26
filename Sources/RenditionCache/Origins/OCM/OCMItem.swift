/// An item of OCM's delivery API, read with patience: only the identifier has to be there (spec OCM §7).
struct OCMItem: Sendable {
    /// Longest identifier, slug or version in bytes; longer ones fit no URL and would swell the index.
    private static let maxNameBytes = 1024
    /// Most renditions of one asset that are remembered; a CMS makes a handful.
    private static let maxRenditions = 256

    /// The identifier.
    let id: String
    /// All of it.
    let json: JSONValue

    /// The item in a JSON value; nil without an identifier that can be asked for.
    init?(_ json: JSONValue) {
        guard let id = json["id"]?.string, !id.isEmpty, id.utf8.count <= Self.maxNameBytes else { return nil }
        self.id = id
        self.json = json
    }

    /// The fields of its type, or what a digital asset has beside the standard keys; nil if it came without.
    var fields: [String: JSONValue]? { json["fields"]?.object }

    /// The type's name, as in `Image`.
    var type: String? { json["type"]?.string }

    /// Whether it is a digital asset, by the rule of OCM's own clients (spec OCM §7.1).
    var isDigitalAsset: Bool {
        guard let category = json["typeCategory"]?.string, !category.isEmpty else { return type == "DigitalAsset" }
        return category == "DigitalAssetType"
    }

    /// When it was first published, in milliseconds since 1970.
    var createdMilliseconds: Int? { Self.milliseconds(json["createdDate"]) }

    /// When it was last published, in milliseconds since 1970.
    var updatedMilliseconds: Int? { Self.milliseconds(json["updatedDate"]) }

    /// Both lengths as positive numbers; nil if one is missing or, as in files without pixels, `-1` or `0`.
    var size: PixelSize? {
        guard let metadata = json["fields"]?["metadata"], let width = metadata["width"]?.looseInt,
            let height = metadata["height"]?.looseInt, width > 0, height > 0
        else { return nil }
        return PixelSize(width: width, height: height)
    }

    /// The file group, at the top or, on some servers, among the fields.
    var fileGroup: String? { json["fileGroup"]?.string ?? json["fields"]?["fileGroup"]?.string }

    /// Whether a video service makes its thumbnail (spec OCM §8.3).
    var hasAdvancedVideo: Bool {
        json["fields"]?["advancedVideoInfo"]?["provider"]?.string.map { !$0.isEmpty } ?? false
    }

    /// The URL of the native as the item says it.
    var nativeHref: String? { Self.href(json["fields"]?["native"]) }

    /// The URL of a rendition as the item says it; without a format the first one (spec OCM §7.5).
    func renditionHref(_ name: String, format: String? = nil) -> String? {
        let named = json["fields"]?["renditions"]?.array?.filter { $0["name"]?.string == name } ?? []
        let formats = (format == nil ? Array(named.prefix(1)) : named).flatMap { $0["formats"]?.array ?? [] }
        return Self.href(formats.first { format == nil || $0["format"]?.string == format })
    }

    /// What the catalogue keeps of it.
    var asset: Asset {
        let fields = json["fields"]
        let mediaTypes = [json["mimeType"]?.string, fields?["mimeType"]?.string].compactMap(\.self)
        return Asset(
            id: id,
            slug: json["slug"]?.string.flatMap { $0.utf8.count <= Self.maxNameBytes ? $0 : nil },
            name: Asset.fileName(json["name"]?.string.flatMap { $0.isEmpty ? nil : $0 } ?? id),
            isDigitalAsset: isDigitalAsset,
            fileGroup: fileGroup,
            mediaType: mediaTypes.first { $0.contains("/") },
            version: version,
            updatedSeconds: updatedMilliseconds.map { Double($0) / 1000 },
            size: size,
            byteCount: fields?["size"]?.looseInt.flatMap { $0 > 0 ? $0 : nil },
            renditions: fields?["renditions"]?.array.map { $0.prefix(Self.maxRenditions).compactMap(Self.offer) },
            hasAdvancedVideo: hasAdvancedVideo
        )
    }

    /// The time of the last publication as it is written; without one, the number that old servers count up.
    ///
    /// Never both: a listing over several types has no fields (spec OCM §4.3), and would name another version than a read.
    private var version: String? {
        let time = Self.text(json["updatedDate"]?["value"] ?? json["updatedDate"])
        let text = time ?? Self.text(json["fields"]?["version"])
        // It stands in every blob's trailer.
        return text.map { $0.utf8.count <= Self.maxNameBytes ? $0 : Digest(of: $0.utf8).description }
    }

    /// A size of 0 says that a rendition has not been generated yet (spec OCM §7.5).
    private static func offer(_ json: JSONValue) -> Asset.OfferedRendition? {
        guard let name = json["name"]?.string else { return nil }
        let formats = json["formats"]?.array ?? []
        let pending = formats.filter { $0["size"]?.looseInt == 0 }.compactMap { $0["format"]?.string }
        return Asset.OfferedRendition(
            name: name,
            formats: formats.compactMap { $0["format"]?.string },
            type: json["type"]?.string,
            pending: pending.isEmpty ? nil : pending
        )
    }

    private static func href(_ json: JSONValue?) -> String? { json?["links"]?.array?.first?["href"]?.string }

    private static func text(_ json: JSONValue?) -> String? { json?.string ?? json?.int.map { "\($0)" } }

    /// A date object, an ISO 8601 text, or milliseconds (spec OCM §7.2).
    private static func milliseconds(_ json: JSONValue?) -> Int? {
        let value = json?["value"] ?? json
        return value?.int ?? value?.string.flatMap(ISODate.milliseconds)
    }
}

// MARK: Fields of content items

extension OCMItem {
    /// A text.
    func string(_ field: String) throws(ContentFieldError) -> String { try value(field, \.string) }

    /// A truth value.
    func bool(_ field: String) throws(ContentFieldError) -> Bool { try value(field, \.bool) }

    /// Any number, its fraction dropped.
    func int(_ field: String) throws(ContentFieldError) -> Int { try value(field, \.int) }

    /// Any number.
    func double(_ field: String) throws(ContentFieldError) -> Double { try value(field, \.double) }

    /// A date object, in milliseconds since 1970.
    func dateMilliseconds(_ field: String) throws(ContentFieldError) -> Int {
        try value(field) { $0["value"]?.string.flatMap(ISODate.milliseconds) }
    }

    /// An item that is referred to, or embedded where it was expanded.
    func item(_ field: String) throws(ContentFieldError) -> OCMItem { try value(field, OCMItem.init) }

    /// A list of items; what is none is left out, and anything but an array is an empty list.
    func items(_ field: String) throws(ContentFieldError) -> [OCMItem] {
        try value(field) { $0.array?.compactMap(OCMItem.init) ?? [] }
    }

    private func value<T>(_ field: String, _ read: (JSONValue) -> T?) throws(ContentFieldError) -> T {
        guard let fields else { throw .incompleteItem }
        guard let json = fields[field] else { throw .fieldNotFound(field) }
        guard let value = read(json) else { throw .couldNotParse(field) }
        return value
    }
}
