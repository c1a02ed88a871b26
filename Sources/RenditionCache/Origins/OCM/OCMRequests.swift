/// The URLs of an OCM instance (spec OCM §1); pure.
///
/// Path parts and values are encoded once, parameters sorted by name.
struct OCMRequests: Sendable {
    /// What a listing asks for (spec OCM §4.1).
    struct Listing: Equatable, Sendable {
        /// Items a page; the server never gives more than 500, and only counts for 0.
        var limit = 100
        /// The first item.
        var offset = 0
        /// Whether to count all matching items.
        var totalResults = true
        /// Field names, or `all`.
        var fields: [String] = []
        /// Field names with `:asc` or `:desc`.
        var orderBy: [String] = []
        /// Whether channels in the query mean published ones.
        var isPublishedChannel: Bool?
    }

    private let root: String
    private let channelToken: String?

    /// The requests to an instance; a path in its URL does not count, because the API stands at the root (spec OCM §2.2).
    init(base: WebURL, channelToken: String?) {
        root = base.root
        self.channelToken = channelToken
    }

    /// A page of the published items.
    func items(_ listing: Listing) throws(OriginError) -> WebURL {
        try url(
            ["items"],
            [
                ("fields", listing.fields.isEmpty ? nil : listing.fields.joined(separator: ",")),
                ("isPublishedChannel", listing.isPublishedChannel.map { "\($0)" }), ("limit", "\(listing.limit)"),
                ("offset", "\(listing.offset)"),
                ("orderBy", listing.orderBy.isEmpty ? nil : listing.orderBy.joined(separator: ";")),
                ("totalResults", "\(listing.totalResults)"),
            ]
        )
    }

    /// One item (spec OCM §6); `expand` and `links` are left out when empty.
    func item(
        _ reference: AssetReference,
        expand: [String] = ["all"],
        links: [String] = []
    ) throws(OriginError) -> WebURL {
        let place: [String] =
            switch reference {
            case .id(let id): ["items", id]
            case .slug(let slug): ["items", ".by.slug", slug]
            }
        return try url(
            place,
            [
                ("expand", expand.isEmpty ? nil : expand.joined(separator: ",")),
                ("links", links.isEmpty ? nil : links.joined(separator: ",")),
            ]
        )
    }

    /// The untouched upload (spec OCM §8.1).
    func native(_ id: String) throws(OriginError) -> WebURL { try url(["assets", id, "native"], []) }

    /// A rendition by name (spec OCM §8.2); a blank format or type is left out.
    func rendition(
        _ name: String,
        of id: String,
        format: String? = nil,
        type: String? = nil
    ) throws(OriginError) -> WebURL {
        try url(["assets", id, name], [("format", format?.trimmed), ("type", type?.trimmed)])
    }

    /// The picture that the CMS's own surface shows for an asset (spec OCM §8.3).
    ///
    /// - Parameter hasAdvancedVideo: whether a video service makes it; counts for the file group `Videos` alone.
    func thumbnail(of id: String, fileGroup: String?, hasAdvancedVideo: Bool) throws(OriginError) -> WebURL {
        guard fileGroup == "Videos", hasAdvancedVideo else {
            return try rendition("thumbnail", of: id, type: "uithumbnail")
        }
        return try rendition("Thumbnail", of: id, format: "jpg", type: "advancedvideo")
    }

    private func url(_ parts: [String], _ parameters: [(name: String, value: String?)]) throws(OriginError) -> WebURL {
        // Empty or dotted parts would name something else than one thing below the API.
        guard !parts.contains(where: { ["", ".", ".."].contains($0) }) else { throw .notFound("asset without a name") }
        let path = parts.map { PercentEncoding.segment($0) }.joined(separator: "/")
        let query = (parameters + [("channelToken", channelToken)])
            .compactMap { name, value in value.flatMap { $0.isEmpty ? nil : (name, $0) } }
            .sorted { $0.0 < $1.0 }
            .map { "\($0.0)=\(PercentEncoding.value($0.1))" }
            .joined(separator: "&")
        let text = "\(root)/content/published/api/v1.1/\(path)\(query.isEmpty ? "" : "?\(query)")"
        guard let url = WebURL(text) else { throw .unreachable(.badURL("\(root)/…/\(path)")) }
        return url
    }
}
