import Testing

@testable import RenditionCache

@Suite struct MicroCMSPictureTests {
    private static let expected = MicroCMSFixtures.json("expected-images.json")
    private static let naming = naming(expected["imageHosts"]?.array?.compactMap(\.string) ?? [])

    private static func naming(_ hosts: [String], allow: [String] = []) -> MicroCMSNaming {
        MicroCMSNaming(imageHosts: hosts.compactMap { WebURL("https://\($0)") }, allow: allow)
    }

    private func pictures(_ json: String, naming: MicroCMSNaming = naming) throws -> [MicroCMSPicture] {
        try MicroCMSPictureWalk(try #require(JSONValue(Array(json.utf8))), naming: naming).pictures
    }

    @Test(arguments: (expected["files"]?.object ?? [:]).keys.sorted())
    func `every picture of a content is found, and nothing else`(_ file: String) throws {
        let document = MicroCMSFixtures.json(file)
        #expect(document != .null)
        let wanted = try #require(Self.expected["files"]?[file]?.array).map { entry in
            MicroCMSPicture(
                url: entry["url"]?.string ?? "?",
                pointer: entry["pointer"]?.string ?? "?",
                kind: entry["kind"]?.string.flatMap(MicroCMSPicture.Kind.init) ?? .object,
                host: entry["host"]?.string.flatMap(MicroCMSPicture.Host.init) ?? .external,
                width: entry["width"]?.int,
                height: entry["height"]?.int,
                alt: entry["alt"]?.string,
                query: entry["query"]?.string
            )
        }
        let walk = try MicroCMSPictureWalk(document, naming: Self.naming)
        #expect(walk.unread.isEmpty)
        #expect(Set(wanted).subtracting(walk.pictures) == [] && Set(walk.pictures).subtracting(wanted) == [])
        #expect(walk.pictures.count == wanted.count)
    }

    @Test func `the fixtures are there`() {
        #expect(Self.expected["files"]?.object?.count == 9)
    }

    @Test(arguments: [
        ("article-depth0.json", ["ref-a.jpg"]),
        ("article-depth1.json", ["ref-a.jpg", "ref-b.jpg", "tag-1.svg", "tag-2.svg"]),
        ("article-depth2.json", ["ref-a.jpg", "ref-b.jpg", "ref-c.jpg", "tag-1.svg", "tag-2.svg"]),
        ("list-fields-id-title.json", []), ("list-limit0.json", []), ("list-offset30-limit10.json", []),
    ])
    func `a content shows the pictures of what is expanded in it, and none that it was not asked for`(
        _ file: String,
        _ names: [String]
    ) throws {
        let document = MicroCMSFixtures.json(file)
        #expect(document != .null)
        let catalogue = MicroCMSCatalogue(
            try MicroCMSPictureWalk(document, naming: Self.naming),
            naming: Self.naming
        )
        #expect(catalogue.assets.map(\.name).sorted() == names && catalogue.skipped.isEmpty)
    }

    @Test func `a link is no picture, whatever its host`() throws {
        let json = """
            {"a": {"url": "https://example.org/x.jpg"}, "b": {"url": "https://example.org/x.jpg", "width": "5"},
             "c": {"url": "/assets/a/b/c.jpg", "width": 5}, "d": {"url": "mailto:a@b", "width": 5},
             "e": "https://images.microcms-assets.io/other/a/b.jpg", "f": "see https://images.microcms-assets.io/assets/a/b/c",
             "g": {"url": "https://images.microcms-assets.io/assets/a/%2e%2e/c.jpg"}, "h": "https://example.org/assets/a/b/c.jpg",
             "i": {"url": "https://files.microcms-assets.io/assets/a/b/c.jpg", "width": 5},
             "j": "<a href='https://images.microcms-assets.io/assets/a/b/c'>x</a>"}
            """
        #expect(try pictures(json) == [])
    }

    @Test func `what is inside an object with a URL is looked at too`() throws {
        let json = """
            {"url": "https://images.microcms-assets.io/assets/a/b/c.jpg?w=5#f", "width": 5.0, "height": "6", "alt": 7,
             "more~/x": [{"image": {"url": "https://images.microcms-assets.io/assets/a/b/d.jpg"}}]}
            """
        #expect(
            try pictures(json) == [
                MicroCMSPicture(
                    url: "https://images.microcms-assets.io/assets/a/b/c.jpg",
                    pointer: "",
                    kind: .object,
                    host: .cms,
                    width: 5,
                    query: "w=5"
                ),
                MicroCMSPicture(
                    url: "https://images.microcms-assets.io/assets/a/b/d.jpg",
                    pointer: "/more~0~1x/0/image",
                    kind: .object,
                    host: .cms
                ),
            ]
        )
    }

    @Test func `names keep their bytes, and http means the image host too`() throws {
        let json = """
            ["http://images.microcms-assets.io/assets/a/b/x@2%e6%b8%af%40.jpg", "https://images.microcms-assets.io:8443/assets/a/b/c",
             " https://IMAGES.microcms-assets.io:443/assets/a/b/image.png. "]
            """
        #expect(
            try pictures(json).map(\.url) == [
                "https://images.microcms-assets.io/assets/a/b/x@2%e6%b8%af%40.jpg",
                "https://images.microcms-assets.io/assets/a/b/image.png.",
            ]
        )
    }

    @Test func `a text that cannot be read is told, and the others are read`() throws {
        let long =
            "<img src='https://images.microcms-assets.io/assets/a/b/c'>"
            + String(repeating: "x", count: HTMLReader.maxBytes)
        let good = "<img src='//images.microcms-assets.io/assets/a/b/d'>"
        let walk = try MicroCMSPictureWalk(.object(["a": .string(long), "b": .string(good)]), naming: Self.naming)
        #expect(walk.unread == [.init(pointer: "/a", reason: .tooLong(limit: 2_000_000))])
        #expect(walk.pictures.map(\.url) == ["https://images.microcms-assets.io/assets/a/b/d"])
    }

    // MARK: Names

    struct Name: Sendable, CustomTestStringConvertible {
        let id: String
        let path: String
        var testDescription: String { id }
    }

    @Test(arguments: [
        Name(id: "s/m/a b.jpg", path: "/assets/s/m/a%20b.jpg"),
        Name(id: "s/m/a%20b.jpg", path: "/assets/s/m/a%2520b.jpg"),
        Name(id: "s/m/100%.jpg", path: "/assets/s/m/100%25.jpg"),
        Name(id: "s/m/a@2x+(1)!.png", path: "/assets/s/m/a%402x%2B(1)!.png"),
        Name(id: "s/m/港の橋.webp", path: "/assets/s/m/%E6%B8%AF%E3%81%AE%E6%A9%8B.webp"),
        Name(id: "s/m/image.png.", path: "/assets/s/m/image.png."),
        Name(id: "s/m/#&=;.png", path: "/assets/s/m/%23%26%3D%3B.png"),
    ])
    func `an identifier and a path as microCMS writes it say the same`(_ name: Name) throws {
        #expect(MicroCMSNaming.mediaPath(name.id) == name.path)
        #expect(MicroCMSNaming.mediaID(name.path) == name.id)
        let address = "https://images.microcms-assets.io" + name.path
        let picture = MicroCMSNaming.Picture(id: name.id, address: address)
        for text in [name.id, name.path, String(name.path.dropFirst()), address, address + "?w=5&h=6"] {
            #expect(Self.naming.picture(named: text) == picture, "\(text)")
        }
    }

    @Test(arguments: [
        "", "a", "a/b", "a/b/c/d", "a//c", "a/../c", "a/b/..", "a/b/", "/assets/a/b", "/assets/a/b/c/d",
        "/assets/a/%2e%2e/c",
        "/assets/a/b/c%2Fd", "/assets/a/b/%00", "/assets/a/b/%ff", "/assets/a/b/c%3Fd",
        "https://example.org/assets/a/b/c",
        "https://files.microcms-assets.io/assets/a/b/c", "https://images.microcms-assets.io/assets/a/b", "a/b/c\0",
        "file:///a/b/c",
        "https://user@images.microcms-assets.io/assets/a/b/c", "photos.example.org/x/y.jpg/z",
    ])
    func `what is no picture has no name`(_ text: String) {
        #expect(Self.naming.picture(named: text) == nil)
    }

    @Test(arguments: [
        ("https://Photos.example.org/x/a%20b.jpg?v=1", "photos.example.org/x/a b.jpg"),
        ("https://photos.example.org:8443/a.jpg", "photos.example.org:8443/a.jpg"),
        ("http://photos.example.org/a.jpg", "http:photos.example.org/a.jpg"),
        ("http://photos.example.org:81/x/a.jpg", "http:photos.example.org:81/x/a.jpg"),
    ])
    func `a picture on an allowed host is called by the host`(url: String, id: String) throws {
        let naming = Self.naming(["images.microcms-assets.io"], allow: ["photos.example.org"])
        let picture = try #require(naming.picture(named: url))
        #expect(picture.id == id)
        #expect(naming.picture(named: id) == picture)
        #expect(Self.naming(["images.microcms-assets.io"]).picture(named: url) == nil)
        let elsewhere = Self.naming(["images.microcms-assets.io"]).picture(named: id)?.address ?? ""
        #expect(elsewhere.isEmpty || elsewhere.hasPrefix("https://images.microcms-assets.io/assets/"))
    }

    @Test func `the first image host is asked for what is named without one`() {
        let naming = Self.naming(["media.example.com", "images.microcms-assets.io"])
        #expect(naming.picture(named: "a/b/c")?.address == "https://media.example.com/assets/a/b/c")
        #expect(
            naming.picture(named: "https://images.microcms-assets.io/assets/a/b/c")?.address
                == "https://images.microcms-assets.io/assets/a/b/c"
        )
    }

    // MARK: Catalogue

    @Test func `a picture that is named often is one asset with every form that is asked for`() throws {
        let walk = try MicroCMSPictureWalk(MicroCMSFixtures.json("article-richtext.json"), naming: Self.naming)
        let catalogue = MicroCMSCatalogue(walk, naming: Self.naming)
        let five = try #require(catalogue.assets.first { $0.name == "five.jpg" })
        #expect(five.id == "7d41c0e2f5a84b6f9c3d1e0a5b7f2846/b28b22d7d17b8c93cdb9968d78b4b543/five.jpg")
        let asked = ["fm=webp&w=400", "fm=webp&w=800", "w=800", "fit=crop&crop=top,left&w=800&h=600", "w=1600"]
        #expect(five.requested == asked)
        #expect(five.size == nil && five.version == nil && five.updatedSeconds == nil)
        #expect(catalogue.assets.count { $0.name == "one.jpg" } == 1)
        #expect(catalogue.assets.first { $0.name == "cover.png" }?.size == PixelSize(width: 1920, height: 1080))
        #expect(catalogue.assets.contains { $0.name == "港の橋@2x.webp" })
        #expect(
            catalogue.skipped == [
                SkippedFile(
                    name: "https://photos.example.org/outside.jpg",
                    reason: "on photos.example.org, which is neither in \"imageHosts\" nor in \"allow\""
                )
            ]
        )
    }

    @Test func `a picture on an allowed host is an asset without forms`() throws {
        let naming = Self.naming(
            ["images.microcms-assets.io"],
            allow: ["newsroom-media.s3.ap-northeast-1.amazonaws.com"]
        )
        let walk = try MicroCMSPictureWalk(MicroCMSFixtures.json("article-custom-domain.json"), naming: naming)
        let catalogue = MicroCMSCatalogue(walk, naming: naming)
        let hero = try #require(catalogue.assets.first { $0.id.hasPrefix("newsroom") })
        #expect(hero.id == "newsroom-media.s3.ap-northeast-1.amazonaws.com/media/hero.jpg")
        #expect(hero.address == "https://newsroom-media.s3.ap-northeast-1.amazonaws.com/media/hero.jpg")
        #expect(hero.size == PixelSize(width: 1200, height: 800) && hero.requested == nil)
        // Its own domain is not among the image hosts of this channel.
        #expect(Set(catalogue.skipped.map(\.name)).count == 2)
    }

    @Test func `long names are cut where they go into a header`() throws {
        let name = String(repeating: "港", count: 100) + ".jpg"
        let asset = MicroCMSCatalogue.asset(.init(id: "a/b/\(name)", address: "https://x"))
        #expect(asset.name.utf8.count <= 255 && asset.name.hasSuffix("港.jpg"))
    }
}
