import RenditionCache
import Testing

@testable import RenditionCache

@Suite struct AEMPictureTests {
    private func picture(_ text: String) -> AEMPicture? {
        JSONValue(Array(text.utf8))?.object.flatMap { AEMPicture($0) }
    }

    private func search(_ text: String) throws -> [AEMPicture] {
        try search(try #require(JSONValue(Array(text.utf8)))).pictures
    }

    private func search(_ value: JSONValue) throws -> AEMPictureSearch {
        try AEMPictureSearch(value, root: "https://publish.example")
    }

    // MARK: What an app loads

    @Test(arguments: [
        (
            #"{"_path":"/content/dam/a b.jpg","_dynamicUrl":"/adobe/dynamicmedia/deliver/dm-aid--u/a.jpg?width=5"}"#,
            "/adobe/dynamicmedia/deliver/dm-aid--u/a.jpg?width=5"
        ),
        (#"{"_path":"/content/dam/a b.jpg","_dynamicUrl":null}"#, "/content/dam/a%20b.jpg"),
        (#"{"_path":"/content/dam/a.jpg","_dynamicUrl":""}"#, "/content/dam/a.jpg"),
        (
            #"{"repositoryId":"delivery-p1-e2.adobeaemcloud.com","assetId":"urn:aaid:aem:u"}"#,
            "https://delivery-p1-e2.adobeaemcloud.com/adobe/assets/urn:aaid:aem:u"
        ),
    ])
    func `the picture made for the query comes first, then the original`(_ text: String, _ url: String) {
        #expect(picture(text)?.url == url)
    }

    // MARK: What is a picture

    @Test(arguments: [
        (#"{"_path":"/content/dam/a.jpg"}"#, "content/dam/a.jpg"),
        (#"{"_path":"/content/dam/a","mimeType":"image/jpeg"}"#, "content/dam/a"),
        (#"{"_path":"/content/dam/a","__typename":"ImageRef"}"#, "content/dam/a"),
        (#"{"_path":"/content/dam/a","_dynamicUrl":null}"#, "content/dam/a"),
        (#"{"_path":"/content/dam/100%.jpg"}"#, "content/dam/100%.jpg"),
        (#"{"_path":"/content/dam/a%20b.jpg"}"#, "content/dam/a%20b.jpg"),
        (#"{"_publishUrl":"https://p.example/content/dam/a%20b.jpg"}"#, "content/dam/a b.jpg"),
        (#"{"_authorUrl":"https://a.example:4502/content/dam/a.png?x#y"}"#, "content/dam/a.png"),
        (#"{"_dynamicUrl":"/adobe/dynamicmedia/deliver/dm-aid--u1/a.jpg?width=5"}"#, "urn:aaid:aem:u1"),
        (#"{"repositoryId":"delivery-p1-e2.adobeaemcloud.com","assetId":"urn:aaid:aem:u1"}"#, "urn:aaid:aem:u1"),
        (#"{"nodeType":"reference","data":{"path":"/content/dam/a","mimetype":"image/png"}}"#, "content/dam/a"),
        (#"{"nodeType":"reference","data":{"path":"/content/dam/a.png"}}"#, "content/dam/a.png"),
    ])
    func `a reference to a picture is one`(_ text: String, _ id: String) throws {
        #expect(try #require(picture(text)).asset.id == id)
    }

    @Test(arguments: [
        #"{"_path":"/content/dam/fragment"}"#, #"{"_path":"/content/dam/a.pdf"}"#,
        #"{"_path":"/content/dam/a.jpg","mimeType":"application/pdf"}"#,
        #"{"_path":"/content/dam/a.jpg","__typename":"DocumentRef"}"#,
        #"{"_path":"/content/site/a.jpg"}"#, #"{"_path":"/content/dam/../a.jpg"}"#, #"{"_dynamicUrl":null}"#,
        #"{"_dynamicUrl":"/other/a.jpg"}"#, #"{"repositoryId":"a/b","assetId":"urn:aaid:aem:u1"}"#,
        #"{"repositoryId":"u@h","assetId":"urn:aaid:aem:u1"}"#, #"{"repositoryId":"h","assetId":"u1"}"#,
        #"{"nodeType":"reference","data":{"href":"/content/dam/a","type":"fragment"},"value":"a"}"#,
        #"{"nodeType":"reference","data":{"path":"/content/dam/a.mp4","mimetype":"video/mp4"}}"#,
    ])
    func `anything else is none`(_ text: String) {
        #expect(picture(text) == nil)
    }

    @Test func `a picture without a path is found by its identifier`() throws {
        let local = try #require(picture(#"{"_dynamicUrl":"/adobe/dynamicmedia/deliver/dm-aid--u1/a.b.webp?width=5"}"#))
        #expect(
            local.asset
                == Asset(
                    id: "urn:aaid:aem:u1",
                    slug: "dm-aid--u1",
                    name: "a.b.webp",
                    address: "/adobe/dynamicmedia/deliver/dm-aid--u1/a.b.webp",
                    requested: ["width=5&format=webp"]
                )
        )
        let remote = try #require(picture(#"{"repositoryId":"Delivery.example","assetId":"urn:aaid:aem:u1"}"#))
        #expect(
            remote.asset
                == Asset(
                    id: "urn:aaid:aem:u1",
                    slug: "dm-aid--u1",
                    name: "u1",
                    address: "https://delivery.example/adobe/assets/urn:aaid:aem:u1/original/as/original"
                )
        )
    }

    // MARK: Where pictures are

    @Test func `pictures are found anywhere, in an order that does not change`() throws {
        let text = """
            {"list":{"items":[
              {"z":{"_path":"/content/dam/2.jpg"},"a":{"deep":[[{"_path":"/content/dam/1.jpg"}]]}},
              {"main":{"json":[{"nodeType":"paragraph","content":[
                {"nodeType":"text","value":"/content/dam/no.jpg"},
                {"nodeType":"reference","data":{"path":"/content/dam/3.png","mimetype":"image/png"}}]}]}}
            ],"_references":[{"__typename":"ImageRef","_path":"/content/dam/0.jpg"},{"__typename":"X","_path":"/content/dam/x"}]}}
            """
        #expect(try search(text).map { $0.asset.name } == ["0.jpg", "1.jpg", "2.jpg", "3.png"])
    }

    @Test func `pictures in texts are told by their addresses`() throws {
        let html = """
            <p><img src="/content/dam/a%20b.jpg"><img src=" https://publish.example/content/dam/c.png#x ">
            <img src="/content/dam/page"><img src="x.jpg"><img src="https://other.example/content/dam/d.jpg">
            <img src="/adobe/dynamicmedia/deliver/dm-aid--u1/e.jpg?width=5&amp;quality=7">
            <img src="//Delivery.example/adobe/assets/urn:aaid:aem:u2/as/f.webp?width=9"><img src="https://publish.example">
            <picture><source srcset="/content/dam/g.jpg/_jcr_content/renditions/cq5dam.web.1280.1280.jpeg 2x"></picture></p>
            """
        let main = JSONValue.object(["html": .string(html), "plaintext": .string(#"<img src="/content/dam/no.jpg">"#)])
        let found = try search(.object(["main": main])).pictures
        #expect(
            found.map(\.assetID) == [
                "content/dam/a b.jpg", "content/dam/c.png", "urn:aaid:aem:u1", "urn:aaid:aem:u2", "content/dam/g.jpg",
            ]
        )
        #expect(found.map(\.repository) == [nil, nil, nil, "delivery.example", nil])
        #expect(found[2].asset.requested == ["width=5&quality=7&format=jpg"])
        #expect(found[3].asset.requested == ["width=9&format=webp"])
        #expect(found[3].url == "https://delivery.example/adobe/assets/urn:aaid:aem:u2/as/f.webp?width=9")
        #expect(
            found[3].asset.address == "https://delivery.example/adobe/assets/urn:aaid:aem:u2/original/as/original"
        )
    }

    @Test func `a text that cannot be read hides no other picture`() throws {
        let long = "<img src=\"/content/dam/a.jpg\">" + String(repeating: " ", count: HTMLReader.maxBytes)
        let value = JSONValue.array([
            .object(["html": .string(long)]), .object(["_path": .string("/content/dam/b.jpg")]),
        ])
        let found = try search(value)
        #expect(found.pictures.map(\.assetID) == ["content/dam/b.jpg"])
        #expect(found.unread == [.tooLong(limit: HTMLReader.maxBytes)])
    }

    // MARK: Limits

    @Test func `an absolute delivery address is understood and kept`() throws {
        let url = "https://publish.example/adobe/dynamicmedia/deliver/dm-aid--u1/a.jpg"
        let found = try #require(picture(#"{"_dynamicUrl":"\#(url)?width=5"}"#))
        #expect(found.url == "\(url)?width=5" && found.urn == "urn:aaid:aem:u1")
        #expect(found.asset.address == url && found.asset.requested == ["width=5&format=jpg"])
        let plan = AEMFetchPlan(base: try #require(WebURL("https://publish.example")))
        #expect(plan.natives(of: found.asset).last?.url == url)
    }

    @Test func `names and paths have a limit`() throws {
        let long = String(repeating: "é", count: 200) + ".jpg"
        let name = try #require(picture(#"{"_path":"/content/dam/\#(long)"}"#)).asset.name
        #expect(name.utf8.count <= 255 && name.hasSuffix("é.jpg"))
        #expect(picture(#"{"_path":"/content/dam/\#(String(repeating: "a/", count: 600))b.jpg"}"#) == nil)
    }

    @Test func `no more forms of an asset are remembered than a site asks for`() {
        let one = Asset(id: "a", name: "a", requested: (0..<50).map { "width=\($0)" })
        let other = Asset(id: "a", name: "a", requested: (25..<100).map { "width=\($0)" })
        #expect(one.joined(with: other).requested == (0..<64).map { "width=\($0)" })
    }
}
