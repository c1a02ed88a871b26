import Testing

@testable import RenditionCache

@Suite struct HTTPListTests {
    private static func list(_ text: String, limit: Int = 1000) throws(HTTPList.Refusal) -> HTTPList {
        try HTTPList(Array(text.utf8), limit: limit)
    }

    @Test(arguments: ["\n", "\r\n", "\r"])
    func `a list has one entry a line, comments and empty lines apart`(_ end: String) throws {
        let text = [
            "\u{FEFF}# pictures", "", "a b.jpg ", "  /x/y.png # tall", "\t# more", "https://x/y?z\t#", "a#b.jpg",
            "last.gif",
        ]
        .joined(separator: end)
        #expect(
            try Self.list(text)
                == .entries([
                    .init(text: "a b.jpg", number: 3), .init(text: "/x/y.png", number: 4),
                    .init(text: "https://x/y?z", number: 6),
                    .init(text: "a#b.jpg", number: 7), .init(text: "last.gif", number: 8),
                ])
        )
    }

    @Test func `an empty list is a list`() throws {
        #expect(try Self.list("") == .entries([]))
        #expect(try Self.list("\u{FEFF}") == .entries([]))
    }

    @Test func `a sitemap gives its pages' images, or the pages where they name none`() throws {
        let xml = """
            \u{FEFF}
            <?xml version="1.0" encoding="UTF-8"?>
            <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
                    xmlns:i="http://www.google.com/schemas/sitemap-image/1.1">
              <!-- <url><loc>https://x/commented</loc></url> -->
              <url><loc>https://x/page</loc><lastmod>2026-01-01</lastmod>
                <i:image><i:loc>https://x/a.jpg?b=1&amp;c=2</i:loc><i:title>T</i:title></i:image>
                <i:image><i:loc> https://x/b.jpg
            </i:loc></i:image></url>
              <url><loc><![CDATA[https://x/c.jpg?d&e]]></loc></url>
              <url><loc/></url><url/>
              <url><loc>https://x/&#x6e2f;.jpg</loc></url>
            </urlset>
            """.replacing("\u{FEFF}\n", with: "\u{FEFF}")
        guard case .sitemap(let sitemap) = try Self.list(xml) else {
            Issue.record("no sitemap")
            return
        }
        #expect(
            sitemap.pictures == [
                "https://x/a.jpg?b=1&c=2", "https://x/b.jpg", "https://x/c.jpg?d&e", "https://x/港.jpg",
            ]
        )
        #expect(sitemap.children.isEmpty)
    }

    @Test func `prefixes may be missing or undeclared`() throws {
        let xml = "<urlset><url><loc>p</loc><image:image><image:loc>a</image:loc></image:image></url></urlset>"
        #expect(try Self.list(xml) == .sitemap(try Sitemap(Array(xml.utf8), limit: 5)))
        #expect(try Sitemap(Array(xml.utf8), limit: 5).pictures == ["a"])
    }

    @Test func `an index gives the sitemaps`() throws {
        let xml = """
            <sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
              <sitemap><loc>https://x/1.xml</loc></sitemap><sitemap><lastmod>x</lastmod><loc>https://x/2.xml</loc></sitemap>
            </sitemapindex>
            """
        #expect(try Sitemap(Array(xml.utf8), limit: 5).children == ["https://x/1.xml", "https://x/2.xml"])
        #expect(try Sitemap(Array(xml.utf8), limit: 5).pictures.isEmpty)
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let refusal: HTTPList.Refusal

        init(_ name: String, _ text: String, _ refusal: HTTPList.Refusal) {
            (testDescription, bytes, self.refusal) = (name, Array(text.utf8), refusal)
        }
    }

    @Test(arguments: [
        Refused("HTML", "<!DOCTYPE html><html><body><p>x<br></html>", .sitemap(.otherDocument("html"))),
        Refused("another document", "<rss><channel/></rss>", .sitemap(.otherDocument("rss"))),
        Refused("cut short", "<urlset><url><loc>x</loc></url>", .sitemap(.malformed)),
        Refused("broken", "<urlset><url></urlset>", .sitemap(.malformed)),
        Refused("nothing but a declaration", "<?xml version='1.0'?>", .sitemap(.malformed)),
        Refused("too many lines", String(repeating: "x\n", count: 101), .tooLong(limit: 100)),
        Refused(
            "too many URLs",
            "<urlset>" + String(repeating: "<url><loc>x</loc></url>", count: 102) + "</urlset>",
            .sitemap(.tooLong(limit: 100))
        ),
        Refused("too deep", "<urlset>" + String(repeating: "<a>", count: 300), .sitemap(.malformed)),
    ])
    func `what is no list is refused with the reason`(_ test: Refused) {
        #expect(throws: test.refusal) { try HTTPList(test.bytes, limit: 100) }
        #expect(!test.refusal.description.isEmpty)
    }

    @Test func `a compressed list is told from a list`() {
        #expect(throws: HTTPList.Refusal.compressed) { try HTTPList([0x1F, 0x8B, 8, 0], limit: 5) }
    }

    @Test(.timeLimit(.minutes(1)))
    func `entities are neither fetched nor expanded without end`() throws {
        var xml = "<?xml version='1.0'?><!DOCTYPE urlset [<!ENTITY a0 'ha'>"
        for level in 1...30 { xml += "<!ENTITY a\(level) '&a\(level - 1);&a\(level - 1);'>" }
        xml += "<!ENTITY file SYSTEM 'file:///etc/passwd'>]><urlset><url><loc>x&a30;&file;y</loc></url></urlset>"
        let pictures = try? Sitemap(Array(xml.utf8), limit: 100).pictures
        #expect(pictures == nil || pictures == ["xy"])
    }

    @Test(.timeLimit(.minutes(1)))
    func `a tag of a hundred thousand attributes is refused at once`() {
        let names = (0..<100_000).map { "a\($0)=''" }.joined(separator: " ")
        let refusal = HTTPList.Refusal.sitemap(.unreadable(.tooManyAttributes(limit: 1024)))
        #expect(throws: refusal) { try Self.list("<urlset \(names)></urlset>") }
    }

    @Test func `a sitemap is UTF-8, whatever it declares`() throws {
        let xml = "<?xml version='1.0' encoding='UTF-16'?><urlset><url><loc>https://x/港.jpg</loc></url></urlset>"
        #expect(try Sitemap(Array(xml.utf8), limit: 5).pictures == ["https://x/港.jpg"])
        let wide = xml.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        #expect(throws: HTTPList.Refusal.sitemap(.malformed)) { try HTTPList(wide, limit: 5) }
    }
}
