import Foundation
import RenditionCache
import Testing

@testable import RenditionCache

@Suite struct OCMRequestsTests {
    /// Why a case of the SDK is not one of ours.
    private static func exclusion(_ test: OCMCase) -> String? {
        let call = test.json["call"]
        let builders = Set((call?["with"]?.array ?? []).flatMap { $0.object.map { Array($0.keys) } ?? [] })
        if !builders.isDisjoint(with: ["query", "rawQuery", "defaultQuery"]) { return "a query" }
        if call?["service"]?.string?.contains("axonom") == true { return "taxonomies" }
        if builders.contains("version") { return "the older API, which a new client need not speak" }
        if test.id == "thumb-base-url-path-is-kept" { return "the SDK keeps a base path for thumbnails alone" }
        if test.id == "list-fields-none" || test.id == "list-fields-none-beats-values"
            || test.id == "list-fields-all-wins"
        {
            return "enum values of the SDK; a list of names says all of it"
        }
        return nil
    }

    private static let ours = OCMFixtures.cases("url-cases.json").filter { exclusion($0) == nil }

    @Test func `the cases are there`() { #expect(Self.ours.count == 54) }

    @Test(arguments: ours) func `a call becomes the request of the case`(_ test: OCMCase) throws {
        guard test.json["error"] == nil else {
            #expect(throws: OriginError.self) { try Self.url(test) }
            return
        }
        let url = try Self.url(test)
        let parts = try #require(URLComponents(string: url.text))
        #expect(url.root == test.json["origin"]?.string)
        #expect(parts.percentEncodedPath == test.json["canonicalPath"]?.string ?? test.json["path"]?.string)
        let query = Dictionary(uniqueKeysWithValues: (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") })
        #expect(query == test.json["query"]?.object?.compactMapValues(\.string))
    }

    @Test func `identifiers are encoded once and never leave their place`() throws {
        let requests = OCMRequests(base: try #require(WebURL("https://h")), channelToken: "a+b c&d")
        let url = try requests.rendition("Ein Größe/é%20;:", of: "x?y#z")
        #expect(
            url.text
                == "https://h/content/published/api/v1.1/assets/x%3Fy%23z/Ein%20Gr%C3%B6%C3%9Fe%2F%C3%A9%2520%3B%3A"
                + "?channelToken=a%2Bb%20c%26d"
        )
        for id in ["", ".", ".."] { #expect(throws: OriginError.self) { try requests.native(id) } }
    }

    /// Makes the call of a case.
    private static func url(_ test: OCMCase) throws -> WebURL {
        let call = test.json["call"]
        let provider = test.json["provider"]
        var base = provider?["url"]?.string ?? "https://ocm.example.com"
        var token: String? = provider?["channelToken"].map(\.string) ?? "0123456789abcdef0123456789abcdef"
        let builders = call?["with"]?.array ?? []
        for builder in builders {
            base = builder["overrideURL"]?.string ?? base
            token = builder["channelToken"]?.string ?? token
        }
        let requests = OCMRequests(base: try #require(WebURL(base)), channelToken: token)
        let args = call?["args"]
        let id = args?["identifier"]?.string ?? ""
        switch call?["service"]?.string {
        case "listAssets": return try requests.items(listing(builders))
        case "readAsset":
            let reference = args?["slug"]?.string.map(AssetReference.slug) ?? .id(args?["assetId"]?.string ?? "")
            return try requests.item(
                reference,
                expand: builders.compactMap { list($0["expand"]) }.last ?? ["all"],
                links: builders.compactMap { list($0["links"]) }.last ?? []
            )
        case "downloadNative": return try requests.native(id)
        case "downloadRendition":
            return try requests.rendition(
                args?["renditionName"]?.string ?? "",
                of: id,
                format: args?["format"]?.string,
                type: args?["type"]?.string
            )
        default:
            return try requests.thumbnail(
                of: id,
                fileGroup: args?["fileGroup"]?.string,
                hasAdvancedVideo: args?["advancedVideoInfo"]?.bool ?? false
            )
        }
    }

    private static func listing(_ builders: [JSONValue]) -> OCMRequests.Listing {
        var listing = OCMRequests.Listing()
        for builder in builders {
            listing.limit = builder["limit"]?.int ?? listing.limit
            listing.offset = builder["startingAt"]?.int ?? listing.offset
            listing.totalResults = builder["totalResults"]?.bool ?? listing.totalResults
            listing.fields = list(builder["fields"]) ?? listing.fields
            listing.isPublishedChannel = builder["isPublishedChannel"]?.bool ?? listing.isPublishedChannel
            if let order = builder["order"]?.array {
                listing.orderBy = order.map { ($0.array ?? []).compactMap(\.string).joined(separator: ":") }
            }
        }
        return listing
    }

    /// A list of names; the word `none` stands for an empty one.
    private static func list(_ json: JSONValue?) -> [String]? {
        if let text = json?.string { return text == "none" ? [] : [text] }
        return json?.array?.compactMap(\.string)
    }
}
