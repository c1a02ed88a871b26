import RenditionCache
import TestSupport
import Testing

@testable import RenditionCache

@Suite(.timeLimit(.minutes(1))) struct AEMFetchTests {
    private static let jpeg = [0xFF, 0xD8, 0xFF, 0xE0] + noise(3000)
    private static let path = "/content/dam/wknd/a.jpg"
    private static let urn = "urn:aaid:aem:u1"
    private static let asset = Asset(id: "content/dam/wknd/a.jpg", slug: "dm-aid--u1", name: "a.jpg")
    private static let original = "/adobe/assets/\(urn)/original/as/a.jpg"
    private static let delivery = "/adobe/dynamicmedia/deliver/dm-aid--u1/a.jpg"
    private static let zoom = "\(path)/_jcr_content/renditions/cq5dam.zoom.2048.2048.jpeg"
    private static let web = "\(path)/_jcr_content/renditions/cq5dam.web.1280.1280.jpeg"
    private static let places = [path, original, delivery, zoom, web]

    private func fetch(
        _ asset: Asset,
        _ origin: AEMOrigin,
        options: FetchOptions = FetchOptions()
    ) async throws(OriginError) -> (bytes: [UInt8], body: FetchedBody) {
        let sink = RecordingSink()
        let body = try await origin.fetchNative(asset, into: sink, options: options)
        return (sink.bytes, body)
    }

    // MARK: The native

    @Test(arguments: 0..<5, [404, 403]) func `the native is looked for where it may be, in order`(
        _ place: Int,
        _ status: Int
    ) async throws {
        let server = try LoopbackOrigin { request in
            if request.target == Self.places[place] { return .init(type: "image/jpeg", body: Self.jpeg) }
            return AEMFixtures.answer("error-\(status).delivery.json", status: status)
        }
        let fetched = try await fetch(Self.asset, try aemOrigin(server))
        #expect(fetched.bytes == Self.jpeg && fetched.body.mediaType == "image/jpeg")
        #expect(server.requests.map(\.target) == Array(Self.places.prefix(place + 1)))
    }

    @Test func `an asset that is nowhere is missing, and one that is refused first is refused`() async throws {
        for (status, expected) in [
            (404, OriginError.notFound("asset content/dam/wknd/a.jpg (No deliverable asset matches this address.)")),
            (
                403,
                .forbidden(
                    host: "127.0.0.1",
                    status: 403,
                    detail: "The credentials do not permit access to this resource."
                )
            ),
        ] {
            let server = try LoopbackOrigin { request in
                AEMFixtures.answer(
                    request.path == Self.path ? "error-\(status).delivery.json" : "error-404.delivery.json",
                    status: request.path == Self.path ? status : 404
                )
            }
            let origin = try aemOrigin(server)
            #expect(await originFailure { () throws(OriginError) in try await fetch(Self.asset, origin) } == expected)
            #expect(server.requests.map(\.target) == Self.places)
        }
    }

    @Test(
        arguments: [
            (401, .forbidden(host: "127.0.0.1", status: 401, detail: nil)),
            (500, .unusable(host: "127.0.0.1", status: 500, detail: nil)),
            (429, .busy(host: "127.0.0.1", status: 429, retryAfter: nil)),
            (200, .unusable(host: "127.0.0.1", status: 200, detail: "HTML instead of a picture")),
        ] as [(Int, OriginError)]
    )
    func `an instance that is down or asks who we are is not asked elsewhere`(
        _ status: Int,
        _ expected: OriginError
    ) async throws {
        let server = try LoopbackOrigin { _ in .init(status, type: "text/html", body: "<html><p>Sorry".utf8) }
        let origin = try aemOrigin(server)
        #expect(await originFailure { () throws(OriginError) in try await fetch(Self.asset, origin) } == expected)
        #expect(Set(server.requests.map(\.target)) == [Self.path])
    }

    @Test func `an asset that only has an identifier is delivered by it`() async throws {
        let server = try LoopbackOrigin { request in
            request.path.hasPrefix("/adobe/dynamicmedia/") ? .init(body: Self.jpeg) : .init(404)
        }
        let origin = try aemOrigin(server)
        #expect(try await fetch(try await origin.asset(.slug("dm-aid--u1")), origin).bytes == Self.jpeg)
        let listed = Asset(id: Self.urn, slug: "dm-aid--u1", name: "b.png", address: "\(Self.delivery.dropLast(3))webp")
        #expect(try await fetch(listed, origin).bytes == Self.jpeg)
        #expect(
            server.requests.map(\.target) == [
                "/adobe/assets/\(Self.urn)/original/as/u1", "/adobe/dynamicmedia/deliver/dm-aid--u1/u1.jpg",
                "/adobe/assets/\(Self.urn)/original/as/b.png", "/adobe/dynamicmedia/deliver/dm-aid--u1/a.webp",
            ]
        )
    }

    @Test(
        arguments: [
            ("image/png", "a.jpg", "png"), ("image/jpeg", "a", "jpg"), (nil, "a.webp", "webp"), (nil, "a.tiff", "jpg"),
            (nil, "a", "jpg"), ("image/svg+xml", "a.svg", "jpg"),
        ] as [(String?, String, String)]
    )
    func `the delivery is asked for the native's own format`(_ type: String?, _ name: String, _ suffix: String) throws {
        let base = try #require(WebURL("https://publish.example"))
        let asset = Asset(id: "content/dam/\(name)", slug: "dm-aid--u1", name: name, mediaType: type)
        let steps = AEMFetchPlan(base: base).natives(of: asset)
        #expect(steps[2].url == "https://publish.example/adobe/dynamicmedia/deliver/dm-aid--u1/a.\(suffix)")
        #expect(steps.map(\.isOriginal) == [true, true, false, false, false])
    }

    @Test(arguments: [
        ("https://publish-p1-e2.adobeaemcloud.com", "https://delivery-p1-e2.adobeaemcloud.com"),
        ("https://author-p1-e2.adobeaemcloud.com", "https://delivery-p1-e2.adobeaemcloud.com"),
        ("https://delivery-p1-e2.adobeaemcloud.com", "https://delivery-p1-e2.adobeaemcloud.com"),
        ("https://publish-p1-e2.example.com", "https://publish-p1-e2.example.com"),
        ("http://localhost:4503", "http://localhost:4503"),
    ])
    func `in Adobe's cloud originals are at the delivery host`(_ base: String, _ delivery: String) throws {
        let steps = AEMFetchPlan(base: try #require(WebURL(base))).natives(of: Self.asset)
        #expect(steps[0].url == base + Self.path && steps[1].url == delivery + Self.original)
        #expect(AEMPictureAddress.roots(of: AEMSettings(url: base)) == [base, delivery])
    }

    @Test func `a remote picture is fetched from its own host`() throws {
        let base = try #require(WebURL("https://publish.example"))
        let picture = AEMPicture(["repositoryId": .string("delivery.example"), "assetId": .string(Self.urn)])
        let asset = try #require(picture).asset
        #expect(
            AEMFetchPlan(base: base).natives(of: asset).map(\.url) == [
                "https://delivery.example/adobe/assets/\(Self.urn)/original/as/original",
                "https://delivery.example/adobe/assets/\(Self.urn)/as/u1.jpg",
            ]
        )
    }

    @Test func `a remote host at a private address is not connected to`() async throws {
        let server = try LoopbackOrigin { _ in .init(body: Self.jpeg) }
        let other = try LoopbackOrigin { _ in .init(body: Self.jpeg) }
        let origin = try aemOrigin(server)
        let asset = Asset(id: Self.urn, name: "a", address: "\(other.url)/adobe/assets/\(Self.urn)/original/as/a")
        let failure = await originFailure { () throws(OriginError) in try await fetch(asset, origin) }
        guard case .unreachable = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(other.requests.isEmpty && server.requests.isEmpty)
    }

    @Test func `names with spaces and percent signs are distinct and encoded once`() async throws {
        let server = try LoopbackOrigin { request in .init(body: Self.jpeg + Array(request.target.utf8)) }
        let origin = try aemOrigin(server)
        for (name, target) in [
            ("a%20b.jpg", "a%2520b.jpg"), ("100%.jpg", "100%25.jpg"), ("a b.jpg", "a%20b.jpg"),
            ("é?#.jpg", "%C3%A9%3F%23.jpg"),
        ] {
            let asset = try await origin.asset(.id("content/dam/x/\(name)"))
            #expect(try await fetch(asset, origin).bytes == Self.jpeg + Array("/content/dam/x/\(target)".utf8))
        }
    }

    @Test func `what is here already is only confirmed`() async throws {
        let server = try LoopbackOrigin { request in
            request["If-None-Match"] == "\"e1\"" ? .init(304) : .init(headers: [("ETag", "\"e1\"")], body: Self.jpeg)
        }
        let origin = try aemOrigin(server)
        let first = try await fetch(Self.asset, origin)
        let again = try await fetch(Self.asset, origin, options: FetchOptions(entityTag: first.body.entityTag))
        #expect(again.body.isNotModified && again.bytes.isEmpty)
    }

    @Test func `a file that is no picture is taken as it is`() async throws {
        let server = try LoopbackOrigin { _ in .init(type: "text/html", body: "<html></html>".utf8) }
        let asset = Asset(id: "content/dam/a.html", name: "a.html", mediaType: "text/html")
        #expect(try await fetch(asset, try aemOrigin(server)).bytes == Array("<html></html>".utf8))
    }

    // MARK: Stored renditions

    struct Stored: Sendable, CustomTestStringConvertible {
        var name: String
        var format: ImageFormat?
        var targets: [String]
        var testDescription: String { "\(name) \(format?.rawValue ?? "")" }
    }

    private static let renditions = "\(path)/_jcr_content/renditions/"

    @Test(arguments: [
        Stored(name: "cq5dam.web.1280.1280.jpeg", targets: ["cq5dam.web.1280.1280.jpeg"]),
        Stored(
            name: "cq5dam.web.1280.1280",
            format: .jpeg,
            targets: ["cq5dam.web.1280.1280.jpeg", "cq5dam.web.1280.1280.jpg"]
        ),
        Stored(name: "cq5dam.thumbnail.48.48", format: .png, targets: ["cq5dam.thumbnail.48.48.png"]),
        Stored(name: "web-large", format: .jpeg, targets: ["web-large.jpg", "web-large.jpeg"]),
        Stored(name: "web optimized", format: .webp, targets: ["web%20optimized.webp"]),
        Stored(name: "Thumbnail", targets: []), Stored(name: "medium", format: .webp, targets: []),
        Stored(name: "..", targets: []), Stored(name: "a/b", targets: []), Stored(name: "", targets: []),
    ])
    func `a stored rendition is asked for by its name, and may be missing`(_ stored: Stored) async throws {
        let server = try LoopbackOrigin { _ in .init(404) }
        let origin = try aemOrigin(server)
        let body = try await origin.fetchRendition(
            stored.name,
            format: stored.format,
            of: Self.asset,
            into: RecordingSink(),
            options: FetchOptions()
        )
        #expect(body == nil)
        #expect(server.requests.map(\.target) == stored.targets.map { Self.renditions + $0 })
    }

    @Test func `a stored rendition that is there is fetched`() async throws {
        let server = try LoopbackOrigin { request in
            request.path.hasSuffix(".jpeg") ? .init(body: Self.jpeg) : .init(404)
        }
        let origin = try aemOrigin(server)
        let sink = RecordingSink()
        let body = try await origin.fetchRendition(
            "web-large",
            format: .jpeg,
            of: Self.asset,
            into: sink,
            options: FetchOptions()
        )
        #expect(body != nil && sink.bytes == Self.jpeg)
        let remote = Asset(id: Self.urn, slug: "dm-aid--u1", name: "u1")
        _ = try await origin.fetchRendition("a.jpeg", format: nil, of: remote, into: sink, options: FetchOptions())
        #expect(server.requests.last?.target == "/adobe/assets/\(Self.urn)/renditions/a.jpeg/as/a.jpeg")
    }

    @Test func `a stored rendition that is refused is an error`() async throws {
        let server = try LoopbackOrigin { _ in .init(403) }
        let origin = try aemOrigin(server)
        let failure = await originFailure { () throws(OriginError) in
            try await origin.fetchRendition(
                "x",
                format: nil,
                of: Self.asset,
                into: RecordingSink(),
                options: FetchOptions()
            )
        }
        #expect(failure == .forbidden(host: "127.0.0.1", status: 403, detail: nil))
    }
}
