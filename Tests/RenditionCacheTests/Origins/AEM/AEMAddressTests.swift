import RenditionCache
import Testing

@testable import RenditionCache

@Suite struct AEMAddressTests {
    private static let uuid = "a38886f7-4537-4791-aa20-3f6ef0ac3fcd"
    private static var identifier: AEMIdentifier { get throws { try #require(AEMIdentifier(uuid: uuid)) } }

    // MARK: Inputs of a query

    private static let cases = AEMFixtures.cases("dynamic-url-cases.json")

    @Test func `the cases are there`() {
        #expect(Self.cases.count == 19)
    }

    @Test(arguments: cases) func `the inputs of a query become an address, and the address the inputs`(
        _ test: AEMCase
    ) throws {
        let asset = try #require(test.json["asset"])
        let identifier = try #require(AEMIdentifier(uuid: asset["uuid"]?.string ?? ""))
        let input = try AEMAssetTransform(input: try #require(test.json["assetTransform"]))
        let delivery = AEMDelivery(identifier, assetName: asset["node"]?.string ?? "", transform: input)
        let parts = delivery.target.split(separator: "?", omittingEmptySubsequences: false)
        #expect(parts.first.map(String.init) == test.json["expect"]?["path"]?.string)
        var query: [String: JSONValue] = [:]
        for pair in (parts.count > 1 ? parts[1] : "").split(separator: "&") {
            let halves = pair.split(separator: "=")
            query[String(halves[0])] = .string(String(halves[1]))
        }
        #expect(.object(query) == test.json["expect"]?["query"])

        guard case .delivery(let read)? = AEMAddress(target: delivery.target) else {
            Issue.record("\(delivery.target) is not read")
            return
        }
        #expect(read == delivery)
        var expected = input
        expected.seoName = delivery.name
        #expect(try AEMAssetTransform(read) == expected)
    }

    @Test(arguments: [
        (#"{"width":5}"#, "format"), (#"{"format":"TIFF"}"#, "format"), (#"{"format":"JPG","quality":0}"#, "quality"),
        (#"{"format":"JPG","width":-1}"#, "width"), (#"{"format":"JPG","rotation":"R45"}"#, "rotation"),
        (#"{"format":"JPG","flip":"UP"}"#, "flip"), (#"{"format":"JPG","size":{}}"#, "size"),
        (#"{"format":"JPG","crop":{"xOrigin":1,"width":2}}"#, "crop"),
    ])
    func `an input that makes no sense is named`(_ input: String, _ name: String) throws {
        let json = try #require(JSONValue(Array(input.utf8)))
        #expect(throws: AEMAssetTransform.BadValue(name: name)) { try AEMAssetTransform(input: json) }
    }

    // MARK: Parameters of an address

    private func transform(_ query: String, _ file: String = "a.jpg") throws -> AEMAssetTransform {
        let address = AEMAddress(target: "/adobe/dynamicmedia/deliver/dm-aid--\(Self.uuid)/\(file)?\(query)")
        guard case .delivery(let delivery)? = address else { throw AEMAssetTransform.BadValue(name: "address") }
        return try AEMAssetTransform(delivery)
    }

    @Test(arguments: [
        ("width=100&width=50", "width=50"), ("c=1,2,3,4&r=90&sz=5,6", "crop=1,2,3,4&size=5,6&rotate=90"),
        ("rotate=180&r=90", "rotate=180"), ("flip=HORIZONTAL_AND_VERTICAL", "flip=hv"), ("rotate=0", ""),
        ("crop=10.0,20.0,90.0,180.0", "crop=10,20,90,180"), ("crop=10.5p,0p,50p,99.25p", "crop=10.5p,0p,50p,99.25p"),
        ("crop=1%2C2%2C3%2C4", "crop=1,2,3,4"), ("preferwebp=yes&unknown=1&format=png", ""),
        (
            "smartcrop=Wide%20One&height=9&width=8&preferwebp=true",
            "preferwebp=true&smartcrop=Wide%20One&height=9&width=8"
        ),
    ])
    func `an address is read with every spelling there is`(_ query: String, _ canonical: String) throws {
        #expect(try transform(query).query == canonical)
    }

    @Test(arguments: [
        ("width=0", "width"), ("width=99999999", "width"), ("height=x", "height"), ("quality=101", "quality"),
        ("size=1", "size"), ("size=1,0", "size"), ("crop=1,2,3", "crop"), ("crop=1p,2,3p,4p", "crop"),
        ("crop=1e2,2,3,4", "crop"), ("crop=nan,2,3,4", "crop"), ("rotate=45", "rotate"), ("flip=x", "flip"),
        ("width=%zz", "width"),
    ])
    func `a parameter that makes no sense is named`(_ query: String, _ name: String) {
        #expect(throws: AEMAssetTransform.BadValue(name: name)) { try transform(query) }
    }

    @Test func `the extension is the format, whatever the name has in it`() throws {
        #expect(try transform("", "photo.app.PNG8").format == .png8)
        #expect(try transform("", "x.jpeg").format == .jpg)
        #expect(throws: AEMAssetTransform.BadValue(name: "format")) { try transform("", "x.tiff") }
    }

    // MARK: Addresses

    @Test(arguments: [
        "/content/dam/wknd-shared/en/a.jpg", "/content/dam/a%20b/100%25.jpg", "/content/dam/%C3%A9/a%2520b.jpg",
        "/content/dam/a.jpg/_jcr_content/renditions/cq5dam.web.1280.1280.jpeg",
        "/adobe/dynamicmedia/deliver/dm-aid--\(uuid)/a.jpg?preferwebp=true&width=1200&quality=80",
        "/adobe/dynamicmedia/deliver/urn:aaid:aem:\(uuid)/a.b.webp", "/adobe/assets/urn:aaid:aem:\(uuid)",
        "/adobe/assets/urn:aaid:aem:\(uuid)/as/a.jpg?width=100", "/adobe/assets/urn:aaid:aem:\(uuid)/metadata",
        "/adobe/assets/urn:aaid:aem:\(uuid)/original/as/a%20b.svg",
        "/adobe/assets/urn:aaid:aem:\(uuid)/renditions/web.jpg/as/a.jpg",
    ])
    func `an address is read and written`(_ target: String) throws {
        #expect(try #require(AEMAddress(target: target)).target == target)
    }

    @Test(arguments: [
        ("/adobe/assets/urn%3Aaaid%3aaem%3A\(uuid)", "/adobe/assets/urn:aaid:aem:\(uuid)"),
        ("/content/dam/a.jpg/jcr:content/renditions/x.png", "/content/dam/a.jpg/_jcr_content/renditions/x.png"),
        ("/content/dam/a.jpg/jcr%3Acontent/renditions/x.png", "/content/dam/a.jpg/_jcr_content/renditions/x.png"),
        ("/content/dam/a.jpg/_jcr_content/renditions/original", "/content/dam/a.jpg"),
        ("/content/dam/a.jpg?width=5", "/content/dam/a.jpg"),
    ])
    func `other spellings are the same address`(_ target: String, _ written: String) throws {
        #expect(try #require(AEMAddress(target: target)).target == written)
    }

    @Test(arguments: [
        "", "content/dam/a.jpg", "/content/dam", "/content/dam/", "/content/dam/../a.jpg", "/content/dam//a.jpg",
        "/content/dam/a%2Fb.jpg", "/content/dam/a%00.jpg", "/content/dam/a%zz.jpg", "/content/site/a.jpg",
        "/adobe/dynamicmedia/deliver/dm-aid--/a.jpg", "/adobe/dynamicmedia/deliver/dm-aid--\(uuid)",
        "/adobe/dynamicmedia/deliver/dm-aid--\(uuid)/a", "/adobe/dynamicmedia/deliver/dm-aid--a%2Fb/a.jpg",
        "/adobe/dynamicmedia/other/dm-aid--\(uuid)/a.jpg", "/adobe/assets/\(uuid)", "/adobe/assets/urn:aaid:aem:x/play",
        "/adobe/assets/urn:aaid:aem:\(uuid)/original/as/..", "/graphql/execute.json/a/b",
    ])
    func `anything else is no picture's address`(_ target: String) {
        #expect(AEMAddress(target: target) == nil)
    }

    @Test(arguments: [
        ("/content/dam/a b.jpg", "/content/dam/a%20b.jpg"), ("content/dam/100%.jpg", "/content/dam/100%25.jpg"),
        ("/content/dam/a%20b.jpg", "/content/dam/a%2520b.jpg"),
        ("/content/dam/é/[1].jpg", "/content/dam/%C3%A9/%5B1%5D.jpg"),
    ])
    func `a path in JSON is not encoded yet`(_ path: String, _ target: String) throws {
        let address = try #require(AEMAddress.node(path))
        #expect(address.target == target)
        #expect(AEMAddress(target: target) == address)
    }

    @Test(arguments: ["/content/dam/../x", "/content/dam/", "/content/x", "/content/dam/a//b", "/content/dam/a\u{0}b"])
    func `a path outside of the DAM is none`(_ path: String) {
        #expect(AEMAddress.node(path) == nil)
    }

    // MARK: For commands

    @Test(
        arguments: [
            ("/content/dam/a%20b.jpg", .id("content/dam/a b.jpg"), "native"),
            (
                "/content/dam/a.jpg/_jcr_content/renditions/cq5dam.zoom.2048.2048.jpeg", .id("content/dam/a.jpg"),
                "cq5dam.zoom.2048.2048.jpeg"
            ),
            (
                "/adobe/dynamicmedia/deliver/dm-aid--\(uuid)/a.JPG?width=5&format=png&quality=80",
                .slug("dm-aid--\(uuid)"),
                "width=5&quality=80&format=jpg"
            ),
            ("/adobe/assets/urn:aaid:aem:\(uuid)/as/a.webp", .slug("dm-aid--\(uuid)"), "format=webp"),
            ("/adobe/assets/urn:aaid:aem:\(uuid)/original/as/a.webp", .slug("dm-aid--\(uuid)"), "native"),
            ("/adobe/assets/urn:aaid:aem:\(uuid)", .slug("dm-aid--\(uuid)"), "width=1024&quality=65"),
        ] as [(String, AssetReference, String)]
    )
    func `an address names an asset and a form`(_ target: String, _ reference: AssetReference, _ form: String) throws {
        let address = try #require(AEMPictureAddress(target: target))
        #expect(address.reference == reference && address.form == form)
    }
}
