import Testing

@testable import RenditionCache

@Suite struct OCMPicturesTests {
    private func ids(_ fields: String) throws -> [String] {
        let json = try #require(JSONValue(Array(fields.utf8)))
        return OCMPictures(in: try #require(json.object)).all.map(\.reference.description)
    }

    private static let a = #"{"id":"A","type":"Image","typeCategory":"DigitalAssetType"}"#
    private static let b = #"{"id":"B","type":"BrandImage","typeCategory":"DigitalAssetType","links":[]}"#

    @Test(
        arguments: [
            (#"{"x":\#(a)}"#, ["A"]), (#"{"x":[\#(b),3,null,\#(a),\#(b)],"y":\#(a)}"#, ["B", "A"]),
            (#"{"x":null,"y":"text","z":{"value":"2020-01-01T00:00:00.000Z"}}"#, []),
            (#"{"x":{"id":"C","typeCategory":"ContentType"}}"#, []),
            (#"{"x":{"id":"C","typeCategory":"ContentType","fields":{"avatar":\#(a)}}}"#, ["A"]),
            (#"{"x":{"id":"D","type":"DigitalAsset"}}"#, ["D"]), (#"{"x":{"id":"D","type":"Image"}}"#, []),
            (#"{"x":{"id":"V","type":"Video","typeCategory":"DigitalAssetType"}}"#, []),
            (#"{"x":{"id":"P","type":"Custom","typeCategory":"DigitalAssetType","mimeType":"application/pdf"}}"#, []),
            // What a JSON field holds is the author's own.
            (#"{"x":{"picture":\#(a)}}"#, []),
        ]
    )
    func `references to pictures are found, alone, in lists and in expanded items`(
        _ fields: String,
        _ expected: [String]
    ) throws {
        #expect(try ids(fields) == expected)
    }

    @Test func `rich text shows pictures by macros`() throws {
        let text =
            "<p>[!--$CEC_DIGITAL_ASSET--]A[/!--$CEC_DIGITAL_ASSET--] [!--$CEC_DIGITAL_ASSET--]B,true[/!--$CEC_DIGITAL_ASSET--]"
        #expect(try ids(#"{"x":"\#(text) [!--$CEC_DIGITAL_ASSET--]C"}"#) == ["A", "B"])
        #expect(OCMRichText.macros(in: "[!--$CEC_DIGITAL_ASSET--][/!--$CEC_DIGITAL_ASSET--]").isEmpty)
    }

    @Test func `rich text shows pictures by their URLs`() {
        let root = "https://h/content/published/api/v1.1/assets"
        let html = """
            <!DOCTYPE html><p><img alt="a" src="\(root)/A/Medium/a.jpg?format=jpg&amp;channelToken=t"></p>
            <a href="\(root)/B/native">no picture</a><!-- <img src="\(root)/C/native"> -->
            <img src='/content/published/api/v1.1/assets/D/native'><img src="https://elsewhere.example.com/x.jpg">
            <img src="[!--$CEC_DIGITAL_ASSET--]E[/!--$CEC_DIGITAL_ASSET--]"/>
            """
        let pictures = OCMPictures(in: ["text": .string(html)])
        #expect(pictures.all.map(\.reference) == [.id("E"), .id("A"), .id("D")] && pictures.unread == nil)
    }

    @Test(
        arguments: [
            ("https://h/content/published/api/v1.1/assets/A/native/a%20b.jpg?channelToken=t", .id("A")),
            ("/content/published/api/v1.1/assets/A/Medium?format=jpg", .id("A")),
            ("https://h/content/published/api/v1.1/assets/.by.slug/a-(1)/native", .slug("a-(1)")),
            ("https://h/content/assets/some%20slug/Small/x.jpg", .slug("some slug")),
            ("https://h/content/published/api/v1.1/assets/A", nil),
            ("https://h/content/published/api/v1.1/items/A/x", nil),
            ("https://h/picture.jpg", nil), ("data:image/png;base64,AAAA", nil), ("", nil),
            ("https://h/content/published/api/v1.1/assets/%zz/native", nil),
            ("https://h/content/published/api/v1.1/assets//native", nil),
            ("https://h/content/management/api/v1.1/assets", nil),
        ] as [(String, AssetReference?)]
    )
    func `a picture's URL names an asset`(_ source: String, _ expected: AssetReference?) {
        #expect(OCMRichText.asset(at: source) == expected)
    }

    @Test func `of HTML that is too odd to be read the macros are found`() {
        let attributes = (0..<20_000).map { "a\($0)=1" }.joined(separator: " ")
        let html = "[!--$CEC_DIGITAL_ASSET--]E[/!--$CEC_DIGITAL_ASSET--]<img \(attributes)>"
        let pictures = OCMPictures(in: ["text": .string(html)])
        #expect(pictures.all.map(\.reference) == [.id("E")] && pictures.unread != nil)
    }

    @Test func `endless nesting ends`() throws {
        let depth = 40
        let opening = String(repeating: #"{"id":"C","typeCategory":"ContentType","fields":{"x":"#, count: depth)
        #expect(try ids(#"{"x":\#(opening)\#(Self.a)\#(String(repeating: "}}", count: depth))}"#) == [])
    }
}
