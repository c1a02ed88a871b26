import Foundation
import RenditionCache
import TestSupport
import Testing

@testable import RenditionServer

@Suite struct OCMSurfaceTests {
    private static let token = "0123456789abcdef0123456789abcdef"
    private let base = "/content/published/api/v1.1"

    private func service() -> FakeService {
        let service = FakeService()
        service.setAssets(
            (1...7).map { index in
                Asset(
                    id: "p\(index)",
                    slug: "p-\(index)",
                    name: "p \(index) (1).jpg",
                    fileGroup: "Images",
                    mediaType: "image/jpeg",
                    updatedSeconds: 1_677_657_607.495,
                    size: PixelSize(width: 1440, height: 540),
                    byteCount: 528_070,
                    path: "p \(index) (1).jpg"
                )
            }
        )
        return service
    }

    private var firstID: String { PublishedID.ocm(channel: "photos", path: "p 1 (1).jpg") }

    @Test func `an item has the shape of OCM's own, key by key`() async throws {
        let fixture = try #require(Fixtures.ocm("image-item.json"))
        try await withServer(service()) { server in
            let response = try await get("\(base)/items/\(firstID)?channelToken=\(Self.token)", port: server.port)
            #expect(response.status == 200)
            #expect(response["Content-Type"] == "application/json")
            let ours = try Shape(response.body)
            // Ours says all that the fixture says, with the same kinds; descriptions and texts differ.
            #expect(try ours.paths == Shape(fixture).paths)
            let json = try response.json()
            #expect(json["id"] as? String == firstID)
            #expect(json["slug"] as? String == "p-1")
            let fields = try #require(json["fields"] as? [String: Any])
            #expect(fields["metadata"] as? [String: String] == ["width": "1440", "height": "540"])
            let renditions = try #require(fields["renditions"] as? [[String: Any]])
            #expect(renditions.map { $0["name"] as? String } == ["Thumbnail", "Medium", "Large", "Small"])
            let sizes = renditions.map { rendition in
                (rendition["formats"] as? [[String: Any]])?.first?["metadata"] as? [String: String]
            }
            #expect(sizes.map { $0?["width"] } == ["150", "1024", "1440", "300"])
            #expect(sizes.map { $0?["height"] } == ["56", "384", "540", "112"])
            #expect(
                response.text.contains(
                    "http://localhost\(base)/assets/\(firstID)/Small/p+1+%281%29.jpg?format=webp&type=responsiveimage&channelToken=\(Self.token)"
                )
            )
            #expect(
                response.text.contains("\"updatedDate\":{\"value\":\"2023-03-01T08:00:07.495Z\",\"timezone\":\"UTC\"}")
            )
        }
    }

    @Test(arguments: [("channel-listing-page1.json", 0), ("channel-listing-page2.json", 4)])
    func `a page of a listing is OCM's but for the items' names`(file: String, offset: Int) async throws {
        let fixture = try #require(Fixtures.ocm(file))
        try await withServer(service()) { server in
            let target = "\(base)/items?limit=4&totalResults=true&channelToken=\(Self.token)&offset=\(offset)"
            let response = try await get(target, port: server.port)
            let ours = try response.json()
            let theirs = try #require(JSONSerialization.jsonObject(with: Data(fixture)) as? [String: Any])
            for key in ["hasMore", "offset", "count", "limit", "totalResults"] {
                #expect(ours[key] as? NSNumber == theirs[key] as? NSNumber, "\(key)")
            }
            let links = { (json: [String: Any]) in
                (json["links"] as? [[String: String]] ?? []).map { link in
                    (link["href"] ?? "").replacing("http://localhost", with: "https://ocm.example.com")
                        + (link["rel"] ?? "")
                }
            }
            #expect(links(ours) == links(theirs))
            #expect(try Shape(response.body).order == Shape(fixture).order)
        }
    }

    @Test(arguments: [
        ("limit=4", 4, true, 4), ("", 7, false, 7), ("limit=0&totalResults=true", 0, true, 0),
        ("offset=6", 1, false, 1), ("offset=7", 0, false, 0), ("offset=100", 0, false, 0), ("limit=9999", 7, false, 7),
        ("offset=9223372036854775807&limit=9223372036854775807", 0, false, 0), ("offset=-1&limit=x", 7, false, 7),
    ])
    func `paging always says where it stands`(query: String, count: Int, hasMore: Bool, items: Int) async throws {
        try await withServer(service()) { server in
            let json = try await get("\(base)/items?\(query)", port: server.port).json()
            #expect(json["count"] as? Int == count)
            #expect(json["hasMore"] as? Bool == hasMore)
            #expect((json["items"] as? [Any])?.count == items)
        }
    }

    @Test func `walking a listing by its own counts meets every item once`() async throws {
        try await withServer(service()) { server in
            var ids: [String] = []
            var offset = 0
            while true {
                let json = try await get("\(base)/items?limit=3&offset=\(offset)&fields=all", port: server.port).json()
                ids += (json["items"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
                guard json["hasMore"] as? Bool == true, let count = json["count"] as? Int else { break }
                offset += count
            }
            #expect(ids == (1...7).map { PublishedID.ocm(channel: "photos", path: "p \($0) (1).jpg") })
        }
    }

    @Test func `links are left out or chosen as asked`() async throws {
        try await withServer(service()) { server in
            let none = try await get("\(base)/items/\(firstID)?links=none", port: server.port)
            #expect(!none.text.contains("href"))
            let some = try await get("\(base)/items/\(firstID)?links=self,describedBy", port: server.port).json()
            #expect((some["links"] as? [[String: String]])?.map { $0["rel"] } == ["self", "describedby"])
            #expect((some["links"] as? [[String: String]])?[0]["href"]?.hasSuffix("?links=self,describedBy") == true)
        }
    }

    @Test(
        arguments: [
            ("items/CONTFF", 404, "Item not found: CONTFF"),
            ("items/.by.slug/p-9", 404, "Item not found: p-9"),
            ("items?q=type eq \"Image\"", 400, nil),
            ("items?default=coffee", 400, nil),
            ("taxonomies", 404, nil),
            ("widgets/1", 404, nil),
            ("assets/CONTFF/Medium?format=bmp", 404, "Rendition not found: Medium"),
        ] as [(String, Int, String?)]
    )
    func `errors have OCM's body`(path: String, status: Int, detail: String?) async throws {
        try await withServer(service()) { server in
            let response = try await get("\(base)/\(path)", port: server.port)
            let json = try response.json()
            #expect(response.status == status)
            #expect(response["Content-Type"] == "application/json")
            #expect(json["status"] as? Int == status)
            #expect(json["title"] is String && json["type"] is String)
            if let detail { #expect(json["detail"] as? String == detail) }
        }
    }

    @Test(arguments: [
        ("error-403-channel-token.json", Refusal.tokenRefused),
        (
            "error-404-item.json",
            .rendition(.assetNotFound(channel: "c", asset: "COREFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFINVALID"))
        ),
        ("error-404-rendition.json", .rendition(.renditionNotFound(channel: "c", asset: "a", rendition: "Huge"))),
    ])
    func `recorded error bodies are matched to the letter`(file: String, refusal: Refusal) throws {
        let fixture = try #require(Fixtures.ocm(file))
        let ours = ErrorResponse.answer(refusal, surface: .ocm)
        let left = try JSONSerialization.jsonObject(with: Data(ours.body)) as? NSDictionary
        let right = try JSONSerialization.jsonObject(with: Data(fixture)) as? NSDictionary
        #expect(left == right)
    }

    struct TokenCase: Sendable, CustomTestStringConvertible {
        var tokens: [String?]
        var given: String?
        var chosen: Int?
        var testDescription: String { "\(tokens.map { $0 ?? "-" }) given \(given ?? "-")" }
    }

    @Test(arguments: [
        TokenCase(tokens: ["a", "b"], given: "b", chosen: 1),
        TokenCase(tokens: ["a", "b"], given: "c", chosen: nil),
        TokenCase(tokens: ["a", "b"], given: nil, chosen: nil),
        TokenCase(tokens: ["a", nil], given: "c", chosen: 1),
        TokenCase(tokens: [nil, "a"], given: "a", chosen: 1),
        TokenCase(tokens: [nil, nil], given: nil, chosen: 0),
        TokenCase(tokens: ["a", "a"], given: "a", chosen: 0),
        TokenCase(tokens: [], given: "a", chosen: nil),
    ])
    func `the token selects the channel, the first that fits`(_ tokens: TokenCase) {
        let channels = tokens.tokens.enumerated().map { index, token in
            let kind: ChannelSettings.Kind =
                token.map { .ocm(OCMSettings(url: "https://cms", channelToken: $0)) } ?? .folder(path: "/p")
            return ChannelSettings(name: String(index), kind: kind)
        }
        let surface = OCMSurface(FakeService(channels: channels))
        // The reason for a refusal is the server's to tell; see below.
        let chosen = try? surface.channel(for: Caller(channelToken: tokens.given))
        #expect(chosen?.name == tokens.chosen.map(String.init))
    }

    @Test func `a wrong or missing token is refused and one in a header accepted`() async throws {
        let settings = OCMSettings(url: "https://cms.example", channelToken: Self.token)
        let service = FakeService(channels: [ChannelSettings(name: "blog", kind: .ocm(settings))])
        let request = RenditionRequest(channel: "blog", asset: .id("C1"))
        service.keep(picture(), for: request)
        try await withServer(service) { server in
            let target = "\(base)/assets/C1/native"
            #expect(try await get(target, port: server.port, ["channelToken: \(Self.token)"]).status == 200)
            // What the header opened must not stay open for others.
            for query in ["", "?channelToken=wrong"] {
                let refused = try await get(target + query, port: server.port)
                #expect(refused.status == 403)
                #expect(
                    try refused.json()["detail"] as? String == "Channel Token is incorrect or missing in the request"
                )
            }
            #expect(try await get("\(target)?channelToken=\(Self.token)", port: server.port).status == 200)
        }
    }

    struct Download: Sendable, CustomTestStringConvertible {
        var path: String
        var asset: AssetReference
        var selection: RenditionRequest.Selection
        var testDescription: String { path }
    }

    @Test(arguments: [
        Download(path: "/content/published/api/v1.1/assets/C1/native", asset: .id("C1"), selection: .native),
        Download(
            path: "/content/published/api/v1.1/assets/C1/native/x+y.jpg?cb=1",
            asset: .id("C1"),
            selection: .native
        ),
        Download(
            path: "/content/published/api/v1.1/assets/C1/Medium?format=webp",
            asset: .id("C1"),
            selection: .named("Medium", format: .webp)
        ),
        Download(
            path: "/content/published/api/v1.1/assets/C1/Medium",
            asset: .id("C1"),
            selection: .named("Medium", format: .jpeg)
        ),
        Download(
            path: "/content/published/api/v1.1/assets/C1/thumbnail?type=uithumbnail",
            asset: .id("C1"),
            selection: .named("Thumbnail", format: .jpeg)
        ),
        Download(
            path: "/content/published/api/v1.1/assets/.by.slug/s-1/Small/x.jpg?format=jpg",
            asset: .slug("s-1"),
            selection: .named("Small", format: .jpeg)
        ),
        Download(path: "/content/assets/s-1/native", asset: .slug("s-1"), selection: .native),
    ])
    func `downloads reach the service as what they mean`(_ download: Download) async throws {
        let service = FakeService()
        let request = RenditionRequest(channel: "photos", asset: download.asset, selection: download.selection)
        service.keep(picture(), for: request)
        try await withServer(service) { server in
            let response = try await get(download.path, port: server.port)
            #expect(response.status == 200)
            let window = download.path.contains("cb=") ? 1_296_000 : 900
            #expect(response["Cache-Control"] == "public, max-age=\(window)")
        }
    }

    @Test func `a name that was encoded twice is found, and from then on without a wait`() async throws {
        let service = FakeService()
        let plain = RenditionRequest(
            channel: "photos",
            asset: .id("C1"),
            selection: .named("Square Crop", format: .png)
        )
        service.give(.rendition(picture(format: .png)), for: plain)
        try await withServer(service) { server in
            let response = try await get("\(base)/assets/C1/Square%2520Crop?format=png", port: server.port)
            #expect(response.status == 200)
            let names = service.asked.map(\.selection)
            #expect(names == [.named("Square%20Crop", format: .png), .named("Square Crop", format: .png)])
        }
    }

    @Test func `download chooses between showing and saving`() async throws {
        let service = FakeService()
        let request = RenditionRequest(channel: "photos", asset: .id("C1"))
        service.keep(picture(), for: request)
        try await withServer(service) { server in
            let saved = try await get("\(base)/assets/C1/native?download=true", port: server.port)
            #expect(saved["Content-Disposition"] == "attachment; filename=\"harbour.jpg\"")
            let shown = try await get("\(base)/assets/C1/native?download=false", port: server.port)
            #expect(shown["Content-Disposition"] == "inline; filename=\"harbour.jpg\"")
        }
    }

    @Test func `a channel whose CMS wants to know who asks is not for shared caches`() async throws {
        var settings = OCMSettings(url: "https://cms.example", channelToken: Self.token)
        settings.authentication = .bearer(token: "t")
        let service = FakeService(channels: [ChannelSettings(name: "blog", kind: .ocm(settings))])
        service.keep(picture(), for: RenditionRequest(channel: "blog", asset: .id("C1")))
        try await withServer(service) { server in
            let token = "channelToken=\(Self.token)"
            for target in ["\(base)/assets/C1/native?cb=1&\(token)", "/v1/blog/C1/native?\(token)"] {
                let response = try await get(target, port: server.port, ["Authorization: Bearer t"])
                #expect(response.status == 200)
                #expect(response["Cache-Control"] == "private, no-store")
            }
        }
    }

    @Test(arguments: [
        ("X-Forwarded-Proto: https", "https"), ("Forwarded: for=192.0.2.1;proto=https;by=x", "https"),
        ("Forwarded: For=\"[::1]\"; Proto=\"HTTPS\", for=10.0.0.1;proto=http", "https"),
        ("X-Forwarded-Proto: http", "http"), ("X-Forwarded-Proto: https://evil", "http"), ("X-Other: https", "http"),
    ])
    func `links have the scheme that a proxy in front was asked by`(field: String, scheme: String) async throws {
        try await withServer(service()) { server in
            let json = try await get("\(base)/items?limit=1", port: server.port, [field]).json()
            let links = try #require(json["links"] as? [[String: String]])
            #expect(links.allSatisfy { $0["href"]?.hasPrefix("\(scheme)://localhost\(base)/") == true })
        }
    }

    @Test func `a document is revalidated by its bytes`() async throws {
        try await withServer(service()) { server in
            let client = try RawClient(port: server.port)
            let first = try await client.get("\(base)/items")
            let tag = try #require(first["ETag"])
            #expect(try await client.get("\(base)/items", ["If-None-Match: \(tag)"]).status == 304)
            #expect(try await client.get("\(base)/items?limit=1", ["If-None-Match: \(tag)"]).status == 200)
        }
    }

    @Test(
        arguments: [
            ("id eq \"A\"", "A"), ("(id eq \"A\")", "A"), ("id eq \"A\" or id eq \"B\"", nil), ("type eq \"A\"", nil),
            ("id eq \"\"", nil), ("id eq \"", nil), ("", nil), ("(((", nil),
        ] as [(String, String?)]
    )
    func `only a query for one identifier is read`(query: String, id: String?) {
        #expect(OCMSurface.soleIdentifier(query) == id)
    }
}
