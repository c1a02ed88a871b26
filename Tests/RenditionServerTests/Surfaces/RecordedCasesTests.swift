import Foundation
import RenditionCache
import TestSupport
import Testing

@testable import RenditionServer

/// The recorded request lines, over a socket, against the server in front of the library, whose CMS answers with recordings.
@Suite struct RecordedCasesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var id: String
        var target: String
        var operation: String
        /// Whether a query or a text to look for is given, which is not answered yet.
        var isQuery: Bool
        /// Whether other fields or links than usual are asked for.
        var isPlain: Bool
        var testDescription: String { id }
    }

    static let cases: [Case] = {
        let bytes = Fixtures.ocm("route-cases.json") ?? []
        let file = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
        return (file?["cases"] as? [[String: Any]] ?? []).map { entry in
            let expect = entry["expect"] as? [String: Any] ?? [:]
            return Case(
                id: entry["id"] as? String ?? "",
                target: entry["target"] as? String ?? "",
                operation: expect["operation"] as? String ?? "",
                isQuery: expect["q"] != nil || expect["default"] != nil,
                isPlain: expect["fields"] == nil && expect["links"] == nil
            )
        }
    }()

    /// What a download yields: the status is 200 wherever there is an entry.
    private static let downloads: [String: (type: String, body: [UInt8]?)] = [
        "native": ("image/jpeg", RecordedCMS.photo), "native-filename": ("image/jpeg", RecordedCMS.photo),
        "native-filename-plus": ("application/pdf", RecordedCMS.document),
        "native-by-slug": ("image/jpeg", RecordedCMS.photo), "vanity-native": ("image/jpeg", RecordedCMS.photo),
        "rendition": ("image/jpeg", RecordedCMS.made), "rendition-cb-first": ("image/webp", nil),
        "rendition-filename-type": ("image/webp", nil),
        "rendition-by-slug-filename": ("image/jpeg", RecordedCMS.made),
        "rendition-space": ("image/png", RecordedCMS.crop),
        "rendition-space-encoded-twice": ("image/png", RecordedCMS.crop),
        "thumbnail-ui": ("image/jpeg", RecordedCMS.made), "thumbnail-advanced": ("image/jpeg", RecordedCMS.made),
        "vanity-rendition": ("image/jpeg", RecordedCMS.made),
    ]

    private func withServer(_ body: (RawClient) async throws -> Void) async throws {
        let (cms, cache) = (try RecordedCMS(), try TemporaryFolder())
        var configuration = Configuration()
        configuration.cache.directory = cache.file("cache")
        configuration.cache.keepFreeBytes = 0
        configuration.channels = [cms.channel]
        configuration.server.port = 0
        let service = try await RenditionService.open(configuration)
        let server = try Server.start(service)
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body(try RawClient(port: server.port))) } catch { outcome = .failure(error) }
        await server.stop(within: .seconds(1))
        await service.shutDown()
        withExtendedLifetime(cms) {}
        try outcome.get()
    }

    private func shape(_ file: String) throws -> Set<String> { try Shape(try #require(Fixtures.ocm(file))).paths }

    @Test(arguments: cases)
    func `a recorded request line is answered in OCM's shape`(_ entry: Case) async throws {
        try await withServer { client in
            let response = try await client.get(entry.target)
            guard !["native", "rendition"].contains(entry.operation) else {
                let expected = try #require(Self.downloads[entry.id])
                #expect(response.status == 200, "\(response.text)")
                #expect(response["Content-Type"] == expected.type)
                if let body = expected.body {
                    #expect(response.body == body)
                    #expect(response["RCache-Provenance"] == "origin")
                } else {
                    #expect(response.body.withUnsafeBytes { ImageFormat(signature: $0) } == .webp)
                    #expect(response["RCache-Provenance"] == "local")
                }
                #expect(response["ETag"] != nil && response["X-Content-Type-Options"] == "nosniff")
                return
            }
            #expect(response["Content-Type"] == "application/json")
            switch entry.operation {
            case "search" where entry.isQuery: #expect(response.status == 400)
            case "search":
                #expect(response.status == 200)
                let ours = try Shape(response.body).paths
                if entry.isPlain {
                    // The count of all is told to who asks for it.
                    #expect(ours == (try shape("channel-listing-page1.json")).subtracting(["/totalResults number"]))
                } else {
                    #expect(ours.isSuperset(of: ["/items array", "/items[]/id string", "/hasMore number"]))
                }
            case "item" where entry.id == "item-no-token":
                #expect(response.status == 403)
                #expect(try Shape(response.body).paths == shape("error-403-channel-token.json"))
            case "item":
                #expect(response.status == 200)
                let known = try shape("article-item.json").filter { !$0.hasPrefix("/fields") }
                #expect(try Shape(response.body).paths.subtracting(known) == [])
            case "apiInfo":
                #expect(response.status == 200)
                #expect(try Shape(response.body).paths == shape("api-info.json"))
            default:
                #expect(response.status == 404)
                #expect(try Shape(response.body).paths == shape("error-404-item.json"))
            }
        }
    }

    @Test(arguments: ["image-item.json", "image-small-item.json"])
    func `an item that a CMS described is described again, key by key`(_ file: String) async throws {
        let fixture = try #require(Fixtures.ocm(file))
        let json = try #require(try JSONSerialization.jsonObject(with: Data(fixture)) as? [String: Any])
        let id = try #require(json["id"] as? String), slug = try #require(json["slug"] as? String)
        try await withServer { client in
            for path in ["items/\(id)", "items/.by.slug/\(slug)"] {
                let target = "/content/published/api/v1.1/\(path)?channelToken=\(RecordedCMS.token)"
                let response = try await client.get(target)
                #expect(response.status == 200)
                #expect(try Shape(response.body).paths == Shape(fixture).paths)
                let ours = try response.json()
                for key in ["id", "type", "typeCategory", "name", "slug", "mimeType", "fileGroup", "fileExtension"] {
                    #expect(ours[key] as? String == json[key] as? String, "\(key)")
                }
            }
        }
    }

    @Test func `the channel's pages come one after the other, and what is not there is 404`() async throws {
        try await withServer { client in
            let base = "/content/published/api/v1.1"
            let token = "channelToken=\(RecordedCMS.token)"
            var ids: [String] = []
            for (offset, file) in [(0, "channel-listing-page1.json"), (4, "channel-listing-page2.json")] {
                let target = "\(base)/items?\(token)&limit=4&offset=\(offset)&totalResults=true"
                let response = try await client.get(target)
                #expect(response.status == 200)
                #expect(try Shape(response.body).paths == shape(file))
                ids += (try response.json()["items"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
            }
            #expect(ids.count == 7 && Set(ids).count == 7)
            for path in ["items/COREFF", "items/.by.slug/none", "assets/CONTFF/native", "assets/CONTFF/Medium"] {
                let response = try await client.get("\(base)/\(path)?\(token)")
                #expect(response.status == 404, "\(path)")
                #expect(try Shape(response.body).paths == shape("error-404-item.json"), "\(path)")
            }
            let id = "CONT2A2B2C2D2E2F30313233343536373839"
            let rendition = try await client.get("\(base)/assets/\(id)/Huge?format=jpg&\(token)")
            #expect(rendition.status == 404)
            #expect(try Shape(rendition.body).paths == shape("error-404-rendition.json"))
            for path in ["items", "items/\(id)", "assets/\(id)/native", "assets/\(id)/Medium?format=jpg"] {
                let response = try await client.get("\(base)/\(path)")
                #expect(response.status == 403, "\(path)")
                #expect(try Shape(response.body).paths == shape("error-403-channel-token.json"), "\(path)")
            }
        }
    }
}
