import Testing

@testable import RenditionCache

@Suite struct HTTPNamingTests {
    private func naming(_ root: String = "https://img.example.com/") throws -> HTTPNaming {
        HTTPNaming(root: try #require(WebURL(root)))
    }

    struct Name: Sendable, CustomTestStringConvertible {
        let listed: String
        let id: String
        var root = "https://img.example.com/pics/"
        /// The URL that is asked for when the identifier alone is known.
        let url: String
        var testDescription: String { listed }
    }

    @Test(arguments: [
        Name(listed: "a b.jpg", id: "a b.jpg", url: "https://img.example.com/pics/a%20b.jpg"),
        Name(listed: "a%20b.jpg", id: "a b.jpg", url: "https://img.example.com/pics/a%20b.jpg"),
        Name(listed: "a%2520b.jpg", id: "a%20b.jpg", url: "https://img.example.com/pics/a%2520b.jpg"),
        Name(listed: "100%.jpg", id: "100%.jpg", url: "https://img.example.com/pics/100%25.jpg"),
        Name(listed: "100%25.jpg", id: "100%.jpg", url: "https://img.example.com/pics/100%25.jpg"),
        Name(listed: "/pics/2026/港.jpg", id: "2026/港.jpg", url: "https://img.example.com/pics/2026/%E6%B8%AF.jpg"),
        Name(
            listed: "https://IMG.example.com:443/pics/x.jpg#top",
            id: "x.jpg",
            url: "https://img.example.com/pics/x.jpg"
        ),
        Name(listed: "//img.example.com/pics/x.jpg", id: "x.jpg", url: "https://img.example.com/pics/x.jpg"),
        Name(listed: "../pics/./x.jpg", id: "x.jpg", url: "https://img.example.com/pics/x.jpg"),
        Name(
            listed: "photo?id=5&s=a%20b",
            id: "photo?id=5&s=a%20b",
            url: "https://img.example.com/pics/photo?id=5&s=a%20b"
        ),
        Name(listed: "?id=5", id: "?id=5", url: "https://img.example.com/pics/?id=5"),
        Name(listed: "a//b.jpg", id: "a//b.jpg", url: "https://img.example.com/pics/a//b.jpg"),
        Name(listed: "x%23y%3B.jpg", id: "x#y;.jpg", url: "https://img.example.com/pics/x%23y%3B.jpg"),
        Name(listed: "x.jpg", id: "x.jpg", root: "http://127.0.0.1:8080/", url: "http://127.0.0.1:8080/x.jpg"),
    ])
    func `an identifier is the decoded path, and finds its way back`(_ name: Name) throws {
        let naming = try self.naming(name.root)
        let listed = try naming.picture(listed: name.listed)
        #expect(listed.id == name.id)
        let named = try #require(naming.picture(named: name.id))
        #expect(named.id == name.id && named.query == listed.query)
        #expect(named.address + (named.query.map { "?\($0)" } ?? "") == name.url)
        #expect(naming.picture(named: name.url) == named)
    }

    @Test(arguments: [
        ("", HTTPNaming.Refusal.nameless), ("https://img.example.com/pics/", .nameless), ("ftp://x/y", .noURL),
        ("https://u:p@img.example.com/pics/x", .noURL),
        ("https://else.example.com/pics/x", .notBelow("https://img.example.com/pics/")),
        ("http://img.example.com/pics/x", .notBelow("https://img.example.com/pics/")),
        ("https://img.example.com:8443/pics/x", .notBelow("https://img.example.com/pics/")),
        ("/other/x", .notBelow("https://img.example.com/pics/")),
        ("/picsx/y", .notBelow("https://img.example.com/pics/")),
        ("../x", .notBelow("https://img.example.com/pics/")), ("a%2Fb", .ambiguous), ("a%3Fb", .ambiguous),
        ("a%00b", .ambiguous),
        ("a/%2e%2e/b", .ambiguous), ("%ff.jpg", .ambiguous),
        (String(repeating: "x", count: 8193), .tooLong(limit: 8192)),
    ])
    func `what is no picture of the channel is refused with the reason`(text: String, refusal: HTTPNaming.Refusal)
        throws
    {
        let naming = try self.naming("https://img.example.com/pics/")
        #expect(throws: refusal) { try naming.picture(listed: text) }
    }

    @Test(arguments: ["", "..", "a/../b", "a/./b", "a\0b", "https://else.example.com/pics/x", "/other/x"])
    func `what is no name is none`(_ text: String) throws {
        #expect(try naming("https://img.example.com/pics/").picture(named: text) == nil)
    }

    @Test func `a long name of many bytes is a name`() throws {
        let name = String(repeating: "港", count: 1300) + ".jpg"
        let picture = try #require(try naming().picture(named: name))
        #expect(picture.id == name)
        #expect(HTTPCatalogue.asset(picture).name.utf8.count <= 255)
    }
}
