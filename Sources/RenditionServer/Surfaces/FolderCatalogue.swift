import RenditionCache

/// OCM's JSON for the assets of any channel, in the shape and key order of its recordings (spec OCM §4.2, §7).
struct FolderCatalogue: Sendable {
    /// The channel.
    let channel: ChannelSettings
    private let links: OCMLinks
    private let parameters: OCMDialect.Parameters

    /// The renditions that OCM makes of every picture, in its order, and how wide they are (spec OCM §10.5).
    static let automatic: [(name: String, width: Int)] = [
        ("Thumbnail", 150), ("Medium", 1024), ("Large", 2048), ("Small", 300),
    ]

    /// The catalogue as one request sees it.
    init(channel: ChannelSettings, base: String, target: RequestTarget, parameters: OCMDialect.Parameters) {
        self.channel = channel
        self.parameters = parameters
        links = OCMLinks(base: base, target: target, parameters: parameters)
    }

    /// What `CT` itself answers (spec OCM §9).
    func apiInfo() -> JSON {
        .object([
            ("version", "v1.1"),
            ("lifecycle", "active"),
            ("isLatest", true),
            ("catalog", .object([("links", links.array([("canonical", "metadata-catalog", [])]))])),
            (
                "links",
                links.array([("self", "", []), ("canonical", "", []), ("describedby", "metadata-catalog", [])])
            ),
        ])
    }

    /// One page of the channel.
    func listing(_ page: AssetPage, offset: Int, limit: Int) -> JSON {
        let assets = page.assets.prefix(limit)
        let known = offset + page.assets.count + (page.next == nil ? 0 : 1)
        return envelope(assets.map(row), offset: offset, limit: limit, total: page.total ?? known)
    }

    /// The answer to a query that names its items; all of each is told.
    func matches(_ assets: [Asset], offset: Int, limit: Int) -> JSON {
        let page = assets.dropFirst(offset).prefix(limit).map(item)
        return envelope(page, offset: offset, limit: limit, total: assets.count)
    }

    /// One item, whole.
    func item(_ asset: Asset) -> JSON {
        guard asset.isDigitalAsset else { return .object(standard(asset) + [("links", itemLinks(asset))]) }
        let fields = JSON.object([
            ("metadata", metadata(asset.size, unknown: "-1")),
            ("size", .integer(asset.byteCount ?? 0)),
            ("native", .object([("links", nativeLinks(asset))])),
            ("renditions", .array(renditions(asset))),
            ("mimeType", .string(asset.publishedMediaType)),
            ("fileType", .string(String(asset.publishedMediaType.drop { $0 != "/" }.dropFirst()))),
        ])
        return .object(
            standard(asset) + [
                ("fields", fields),
                ("mimeType", .string(asset.publishedMediaType)),
                ("fileGroup", .string(asset.publishedGroup)),
                ("links", itemLinks(asset)),
            ]
        )
    }

    /// The identifier that clients see.
    func publishedID(_ asset: Asset) -> String {
        guard channel.isFolder else { return asset.id }
        return PublishedID.ocm(channel: channel.name, path: asset.path ?? asset.id)
    }

    /// The envelope of spec OCM §4.2; `limit` is the number of matches, as in the recordings.
    private func envelope(_ items: [JSON], offset: Int, limit: Int, total: Int) -> JSON {
        var members: [(key: String, value: JSON)] = [
            ("hasMore", .boolean(offset + items.count < total)),
            ("offset", .integer(offset)),
            ("count", .integer(items.count)),
            ("limit", .integer(total)),
        ]
        if parameters.totalResults == true { members.append(("totalResults", .integer(total))) }
        members.append(("items", .array(items)))
        members.append(("links", links.paging(offset: offset, count: items.count, limit: limit, total: total)))
        return .object(members)
    }

    /// A row of a listing over all types (spec OCM §4.3): short without `fields`, else the standard keys asked for.
    private func row(_ asset: Asset) -> JSON {
        let all = standard(asset)
        let short = ["name", "description", "links", "id", "type", "typeCategory"]
        let rowLinks = links.array([("self", "items/\(publishedID(asset))", [])])
        switch parameters.fields {
        case .all?:
            return .object(
                all + [
                    ("mimeType", .string(asset.publishedMediaType)), ("fileGroup", .string(asset.publishedGroup)),
                    ("links", itemLinks(asset)),
                ]
            )
        case .list(let names)?:
            return .object(
                all.filter { ["id", "type"].contains($0.key) || names.contains($0.key) } + [("links", rowLinks)]
            )
        case nil:
            return .object(
                short.compactMap { key in key == "links" ? (key, rowLinks) : all.first { $0.key == key } }
            )
        }
    }

    /// The keys that every item has (spec OCM §7.1).
    private func standard(_ asset: Asset) -> [(key: String, value: JSON)] {
        var members: [(key: String, value: JSON)] = [
            ("id", .string(publishedID(asset))),
            ("type", .string(asset.publishedType)),
            ("typeCategory", asset.isDigitalAsset ? "DigitalAssetType" : "ContentType"),
            ("name", .string(asset.name)),
            ("description", ""),
            ("slug", asset.slug.map { .string($0) } ?? .null),
            ("language", "en-US"),
            ("translatable", false),
        ]
        if let seconds = asset.updatedSeconds {
            let date = JSON.object([("value", .string(ISODate.text(seconds: seconds))), ("timezone", "UTC")])
            members += [("createdDate", date), ("updatedDate", date)]
        }
        members.append(("fileExtension", .string(asset.isDigitalAsset ? asset.publishedExtension : "contentItem")))
        return members
    }

    private func itemLinks(_ asset: Asset) -> JSON {
        let id = publishedID(asset)
        let repeated = links.repeated(["expand", "links"])
        return links.array([
            ("self", "items/\(id)", repeated), ("canonical", "items/\(id)", repeated),
            ("describedby", "metadata-catalog/items/\(id)", []),
        ])
    }

    private func nativeLinks(_ asset: Asset) -> JSON {
        links.array(
            [("self", "assets/\(publishedID(asset))/native/\(OCMLinks.fileName(asset.name))", [])],
            mediaType: asset.publishedMediaType
        )
    }

    /// What the CMS says it has, else OCM's four in two formats; nothing for what is no picture.
    private func renditions(_ asset: Asset) -> [JSON] {
        let offered =
            asset.renditions
            ?? (asset.publishedGroup == "Images"
                ? Self.automatic.map {
                    Asset.OfferedRendition(name: $0.name, formats: ["jpg", "webp"], type: "responsiveimage")
                } : [])
        return offered.map { offer in
            .object([
                ("name", .string(offer.name)),
                ("formats", .array(offer.formats.map { format($0, of: offer, asset) })),
                ("type", .string(offer.type ?? "responsiveimage")),
            ])
        }
    }

    private func format(_ name: String, of offer: Asset.OfferedRendition, _ asset: Asset) -> JSON {
        let mediaType = ImageFormat(name: name)?.mediaType ?? "application/octet-stream"
        let width = Self.automatic.first { $0.name == offer.name }?.width
        let size = width.flatMap { width in
            asset.size.map { Transform(resize: .automatic(width: width)).outputSize(of: $0) }
        }
        let path =
            "assets/\(publishedID(asset))/\(offer.name.percentEncoded(keeping: "-._~"))/\(OCMLinks.fileName(asset.name))"
        return .object([
            ("format", .string(name)),
            // As OCM says it of a rendition that has not been made yet.
            ("size", 0),
            ("mimeType", .string(mediaType)),
            ("metadata", metadata(size, unknown: "0")),
            (
                "links",
                links.array(
                    [("self", path, [("format", name), ("type", offer.type ?? "responsiveimage")])],
                    mediaType: mediaType
                )
            ),
        ])
    }

    private func metadata(_ size: PixelSize?, unknown: String) -> JSON {
        .object([
            ("width", .string(size.map { String($0.width) } ?? unknown)),
            ("height", .string(size.map { String($0.height) } ?? unknown)),
        ])
    }
}

extension Asset {
    /// The file name's extension, in lower case.
    var publishedExtension: String {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
        return name[name.index(after: dot)...].lowercased()
    }

    /// The declared media type, else what the extension means.
    var publishedMediaType: String {
        mediaType ?? ImageFormat(name: publishedExtension)?.mediaType ?? "application/octet-stream"
    }

    /// The file group, else what the media type means.
    var publishedGroup: String {
        if let fileGroup { return fileGroup }
        guard isDigitalAsset else { return "contentItem" }
        if publishedMediaType.hasPrefix("image/") { return "Images" }
        return publishedMediaType.hasPrefix("video/") ? "Videos" : "Files"
    }

    /// OCM's own asset type for the file group.
    var publishedType: String {
        switch publishedGroup {
        case "Images": "Image"
        case "Videos": "Video"
        case "contentItem": "ContentItem"
        default: "File"
        }
    }
}
