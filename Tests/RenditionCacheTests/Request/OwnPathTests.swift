import Testing

@testable import RenditionCache

@Suite struct OwnPathTests {
    private static let presets = [
        "hero": Transform(resize: .inside(width: 1600, height: nil), quality: 80),
        "card": Transform(resize: .inside(width: 320, height: nil), format: .fixed(.webp)),
    ]

    private func request(_ target: String) throws -> RenditionRequest? {
        try OwnDialect.request(RequestTarget(Array(target.utf8)), presets: Self.presets)
    }

    struct Path: Sendable, CustomTestStringConvertible {
        var target: String
        var asset: String
        var selection: RenditionRequest.Selection
        var testDescription: String { target }

        init(_ target: String, _ asset: String, _ selection: RenditionRequest.Selection) {
            self.target = target
            self.asset = asset
            self.selection = selection
        }
    }

    @Test(arguments: [
        Path("/v1/c/a/native", "a", .native),
        Path("/v1/c/a/native.webp", "a", .transform(Transform(format: .fixed(.webp)))),
        Path("/v1/c/a/b/c.jpg/Medium", "a/b/c.jpg", .named("Medium", format: nil)),
        Path("/v1/c/a/Medium.png", "a", .named("Medium", format: .png)),
        Path("/v1/c/a/Medium.JPG", "a", .named("Medium", format: .jpeg)),
        Path("/v1/c/a/thumbnail", "a", .named("Thumbnail", format: nil)),
        Path("/v1/c/a/thumbnail.webp", "a", .named("Thumbnail", format: .webp)),
        Path("/v1/c/a/Square%20Crop", "a", .named("Square Crop", format: nil)),
        Path("/v1/c/a/cq5dam.web", "a", .named("cq5dam.web", format: nil)),
        Path("/v1/c/a/hero", "a", .transform(Transform(resize: .inside(width: 1600, height: nil), quality: 80))),
        Path(
            "/v1/c/a/hero.webp",
            "a",
            .transform(Transform(resize: .inside(width: 1600, height: nil), format: .fixed(.webp), quality: 80))
        ),
        Path(
            "/v1/c/a/card.png",
            "a",
            .transform(Transform(resize: .inside(width: 320, height: nil), format: .fixed(.png)))
        ),
        Path("/v1/c/a/image", "a", .transform(Transform())),
        Path(
            "/v1/c/a/image?width=640&height=480&quality=70&format=png",
            "a",
            .transform(Transform(resize: .inside(width: 640, height: 480), format: .fixed(.png)))
        ),
        Path(
            "/v1/c/a/image.webp?width=640&format=webp",
            "a",
            .transform(Transform(resize: .inside(width: 640, height: nil), format: .fixed(.webp)))
        ),
        Path("/v1/c/100%25.jpg/native", "100%.jpg", .native),
        Path("/v1/c/a%2520b.jpg/native", "a%20b.jpg", .native),
        Path("/v1/c/a%20b.jpg/native", "a b.jpg", .native),
    ])
    func `a path of rcache's own is read`(_ path: Path) throws {
        let request = try request(path.target)
        #expect(request == RenditionRequest(channel: "c", asset: .id(path.asset), selection: path.selection))
    }

    @Test(arguments: [
        "/v1/c/native", "/v1/c", "/v1", "/v2/c/a/native", "/v1/c//native", "/v1/c/a/", "/v1/c/../native",
        "/v1/c/%2e%2e/native", "/v1/c/a%2Fb/native", "/v1/c/100%/native",
    ])
    func `a path that names nothing is none`(target: String) throws {
        #expect(try request(target) == nil)
    }

    @Test(arguments: [
        ("/v1/c/a/image?widht=3", "unknown parameter \"widht\"; did you mean \"width\"?"),
        ("/v1/c/a/image?width=0", "width takes 1…8192 px or 1%…400%, not \"0\""),
        ("/v1/c/a/image?width=1&width=2", "\"width\" is given twice"),
        ("/v1/c/a/image.webp?format=png", "the path asks for webp, the parameters for png"),
        ("/v1/c/a/Medium.tiff", "format takes one of jpeg, png, webp, avif, jxl, gif, not \"tiff\""),
        ("/v1/c/a/Medium?width=3", "\"Medium\" takes no parameters; \"image\" does, as in image?width=640"),
        ("/v1/c/a/native?x=1", "\"native\" takes no parameters; \"image\" does, as in image?width=640"),
    ])
    func `a mistake is named together with what was probably meant`(target: String, message: String) {
        let error = #expect(throws: RequestError.self) { try request(target) }
        #expect(error?.description == message)
    }

    @Test func `published identifiers have OCM's form and tell channels and paths apart`() {
        let id = PublishedID.ocm(channel: "photos", path: "a/b.jpg")
        #expect(id.wholeMatch(of: /CONT[0-9A-F]{32}/) != nil)
        #expect(id == PublishedID.ocm(channel: "photos", path: "a/b.jpg"))
        #expect(id != PublishedID.ocm(channel: "photosa", path: "/b.jpg"))
        #expect(PublishedID.ocm(channel: "ab", path: "c") != PublishedID.ocm(channel: "a", path: "bc"))
    }
}
