import Foundation
import RenditionCache
import TestSupport
import Testing

@testable import RenditionServer

/// The server in front of the library itself: real pictures in a real folder, and a second library as its client.
@Suite struct FolderServiceTests {
    private let folder: TemporaryFolder
    private let cache: TemporaryFolder
    private let pictures: [String: [UInt8]]

    init() throws {
        folder = try TemporaryFolder()
        cache = try TemporaryFolder()
        pictures = [
            "a.png": TestPicture.gradient(width: 40, height: 30, seed: 1),
            "100%.png": TestPicture.gradient(width: 41, height: 30, seed: 2),
            "sub/b c (1).png": TestPicture.gradient(width: 42, height: 30, seed: 3),
            "sub/é.png": TestPicture.gradient(width: 43, height: 30, seed: 4),
        ]
        for (name, bytes) in pictures { try folder.write(bytes, to: name) }
        try folder.write(Array("no picture".utf8), to: "notes.txt")
    }

    private func open(_ channel: ChannelSettings, in directory: String) async throws -> RenditionService {
        var configuration = Configuration()
        configuration.cache.directory = cache.file(directory)
        configuration.cache.keepFreeBytes = 0
        configuration.channels = [channel]
        configuration.server.port = 0
        configuration.presets = ["smart": Transform(resize: .inside(width: 30, height: nil), format: .auto(avif: true))]
        return try await RenditionService.open(configuration)
    }

    private func withFolderServer(_ body: (Server) async throws -> Void) async throws {
        let service = try await open(ChannelSettings(name: "photos", kind: .folder(path: folder.path)), in: "first")
        let server = try Server.start(service)
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body(server)) } catch { outcome = .failure(error) }
        await server.stop(within: .seconds(1))
        await service.shutDown()
        try outcome.get()
    }

    @Test(arguments: [
        ("a", "a.png"), ("a.png", "a.png"), ("100%25", "100%.png"), ("100%25.png", "100%.png"),
        ("sub/b%20c%20(1)", "sub/b c (1).png"), ("sub/%C3%A9.png", "sub/é.png"),
    ])
    func `a native is byte for byte the file, whatever stands in its name`(id: String, name: String) async throws {
        try await withFolderServer { server in
            let client = try RawClient(port: server.port)
            // A miss or a file read in place, then a hit, then what is ready.
            for _ in 0..<3 {
                let response = try await client.get("/v1/photos/\(id)/native")
                #expect(response.status == 200)
                #expect(response.body == pictures[name])
                #expect(response["Content-Type"] == "image/png")
                #expect(response["RCache-Provenance"] == "origin")
                let tag = try #require(response["ETag"])
                #expect(try await client.get("/v1/photos/\(id)/native", ["If-None-Match: \(tag)"]).status == 304)
            }
        }
    }

    @Test func `what is not there, or no picture, or outside the folder, is 404`() async throws {
        try await withFolderServer { server in
            for id in ["b", "sub/a", "%2e%2e/first/index", "..%2Ffirst", "sub%2Fb", "/etc/passwd"] {
                let response = try await get("/v1/photos/\(id)/native", port: server.port)
                #expect(response.status == 404, "\(id)")
            }
        }
    }

    @Test func `a second rcache reads the folder through OCM's own interface`() async throws {
        try await withFolderServer { server in
            let settings = OCMSettings(url: "http://127.0.0.1:\(server.port)", channelToken: "any")
            let client = try await open(ChannelSettings(name: "blog", kind: .ocm(settings)), in: "second")
            let page = try await client.assets(in: "blog", limit: 100)
            #expect(page.assets.map(\.name).sorted() == ["100%.png", "a.png", "b c (1).png", "é.png"])
            for asset in page.assets {
                #expect(asset.id.wholeMatch(of: /CONT[0-9A-F]{32}/) != nil)
                let request = RenditionRequest(channel: "blog", asset: .id(asset.id))
                let outcome = try await client.rendition(for: request)
                let original = pictures.first { $0.key.hasSuffix(asset.name) }?.value
                #expect(try outcome.rendition.body.bytes() == original)
                // The whole item says what the listing could not.
                let whole = try await client.asset(.id(asset.id), in: "blog")
                #expect(whole.slug == asset.slug && whole.fileGroup == "Images" && whole.byteCount == original?.count)
                #expect(whole.renditions?.map(\.name) == ["Thumbnail", "Medium", "Large", "Small"])
            }
            await client.shutDown()
        }
    }

    @Test func `renditions and transforms are made once, then ready, on both surfaces`() async throws {
        try folder.write(TestPicture.gradient(width: 1440, height: 540), to: "wide.png")
        try await withFolderServer { server in
            let client = try RawClient(port: server.port)
            let id = PublishedID.ocm(channel: "photos", path: "wide.png")
            let base = "/content/published/api/v1.1/assets/\(id)"
            let forms: [(target: String, mediaType: String, signature: [UInt8])] = [
                ("/v1/photos/wide/Medium", "image/png", [0x89, 0x50, 0x4E, 0x47]),
                ("/v1/photos/wide/image.webp?width=300", "image/webp", Array("RIFF".utf8)),
                ("\(base)/Small?format=jpg", "image/jpeg", [0xFF, 0xD8, 0xFF]),
                ("\(base)/thumbnail?type=uithumbnail", "image/jpeg", [0xFF, 0xD8, 0xFF]),
            ]
            var tags: Set<String> = []
            for form in forms {
                let first = try await client.get(form.target)
                let second = try await client.get(form.target)
                #expect(first.status == 200 && second.status == 200)
                #expect(first["Content-Type"] == form.mediaType)
                #expect(first.body.starts(with: form.signature))
                #expect(first.body == second.body)
                #expect(first["RCache-Provenance"] == "local")
                tags.insert(try #require(first["ETag"]))
            }
            #expect(tags.count == forms.count)
            let metrics = try await client.get("/metrics").text
            #expect(metrics.contains("rcache_renders_total \(forms.count)\n"))
            let item = try await client.get("/content/published/api/v1.1/items/\(id)").json()
            let fields = try #require(item["fields"] as? [String: Any])
            #expect(fields["metadata"] as? [String: String] == ["width": "1440", "height": "540"])
        }
    }

    @Test(arguments: ["smart", "image?width=30&format=auto", "image?width=30&format=smallest"])
    func `every client gets what it can show, made once for its kind`(_ form: String) async throws {
        try await withFolderServer { server in
            let client = try RawClient(port: server.port)
            var tags: [String: String] = [:]
            for _ in 0..<2 {
                for accept in [nil, "*/*", "image/webp", "image/webp,image/png;q=0.5"] {
                    let fields = accept.map { ["Accept: \($0)"] } ?? []
                    let response = try await client.get("/v1/photos/a/\(form)", fields)
                    #expect(response.status == 200 && response["Vary"] == "Accept")
                    let type = try #require(response["Content-Type"])
                    let format = response.body.withUnsafeBytes { ImageFormat(signature: $0) }
                    #expect(type == format?.mediaType)
                    #expect(type == "image/jpeg" || accept?.contains("webp") == true)
                    let tag = try #require(response["ETag"])
                    let kind = accept?.contains("webp") == true ? "webp" : "neither"
                    #expect(tags[kind] ?? tag == tag)
                    tags[kind] = tag
                    #expect(
                        try await client.get("/v1/photos/a/\(form)", fields + ["If-None-Match: \(tag)"]).status == 304
                    )
                }
            }
            #expect(Set(tags.values).count == 2)
            #expect(try await client.get("/metrics").text.contains("rcache_renders_total 2\n"))
        }
    }

    @Test(arguments: [
        ("image?crop=100,100,10,10", "the crop leaves nothing of a picture of 40×30"),
        ("image.webp?width=8000&enlarge=true", "output pixels 48000000 passes the limit of 16000000"),
        ("image?dpr=4&width=8000", "dpr takes no more than keeps sides within 8192 px, not \"4\""),
    ])
    func `what cannot be made is the request's fault, and says why`(_ form: String, _ reason: String) async throws {
        try await withFolderServer { server in
            for _ in 0..<2 {
                let response = try await get("/v1/photos/a/\(form)", port: server.port)
                #expect(response.status == 400)
                #expect(try response.json()["error"] as? String == reason)
                #expect(response["Cache-Control"] == "no-store")
            }
        }
    }

    @Test func `an animation that keeps its frames says nothing of them, a still of it does`() async throws {
        try folder.write(Self.twoFrames, to: "film.gif")
        try await withFolderServer { server in
            let client = try RawClient(port: server.port)
            let expected: [(form: String, accept: String, type: String, provenance: String)] = [
                ("image", "*/*", "image/gif", "local"),
                ("image?format=auto", "*/*", "image/gif", "local"),
                ("image?format=auto", "image/webp", "image/webp", "local"),
                ("image.jpg", "*/*", "image/jpeg", "local;frames=\"1/2\""),
                ("image.webp?animated=false", "*/*", "image/webp", "local;frames=\"1/2\""),
                ("native", "*/*", "image/gif", "origin"),
            ]
            for item in expected {
                let response = try await client.get("/v1/photos/film/\(item.form)", ["Accept: \(item.accept)"])
                #expect(response["Content-Type"] == item.type, "\(item.form)")
                #expect(response["RCache-Provenance"] == item.provenance, "\(item.form)")
            }
        }
    }

    /// A GIF of one pixel that is black, then white.
    private static let twoFrames: [UInt8] = {
        func frame(_ code: UInt8) -> [UInt8] {
            [0x21, 0xF9, 4, 0, 10, 0, 0, 0] + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0] + [2, 2, code, 1, 0]
        }
        let head = Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0] + [0, 0, 0, 255, 255, 255]
        // Codes of three bits: clear, the pixel, end.
        return head + frame(0b01_000_100) + frame(0b01_001_100) + [0x3B]
    }()
}
