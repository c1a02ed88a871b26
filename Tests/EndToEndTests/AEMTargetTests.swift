import RenditionCache
import Testing

@testable import rcache

@Suite struct AEMTargetTests {
    struct Address: Sendable, CustomTestStringConvertible {
        var path: String
        var reference: AssetReference
        var rendition: String
        var testDescription: String { path }
    }

    private static let channels = [
        ChannelSettings(name: "photos", kind: .folder(path: "/p")),
        ChannelSettings(name: "wknd", kind: .aem(AEMSettings(url: "https://publish-p1-e2.adobeaemcloud.com"))),
        ChannelSettings(name: "local", kind: .aem(AEMSettings(url: "http://localhost:4503"))),
    ]
    private static let asset = AssetReference.slug("dm-aid--u1")

    @Test(arguments: [
        Address(path: "/content/dam/a%20b.jpg", reference: .id("content/dam/a b.jpg"), rendition: "native"),
        Address(
            path: "/content/dam/a.jpg/_jcr_content/renditions/cq5dam.web.1280.1280.jpeg",
            reference: .id("content/dam/a.jpg"),
            rendition: "cq5dam.web.1280.1280.jpeg"
        ),
        Address(
            path: "/adobe/dynamicmedia/deliver/dm-aid--u1/a.jpg?width=50&quality=100#x",
            reference: asset,
            rendition: "width=50&quality=100&format=jpg"
        ),
        Address(path: "/adobe/assets/urn:aaid:aem:u1/as/a.webp", reference: asset, rendition: "format=webp"),
    ])
    func `a URL of AEM names channel, asset and form`(_ address: Address) throws {
        for (host, channel) in [
            ("https://publish-p1-e2.adobeaemcloud.com", "wknd"), ("https://delivery-p1-e2.adobeaemcloud.com", "wknd"),
            ("http://localhost:4503", "local"),
        ] {
            let target = try AssetTarget(host + address.path, channels: Self.channels)
            #expect(target.candidates == [AssetTarget.Candidate(channel: channel, reference: address.reference)])
            #expect(target.rendition == address.rendition)
        }
    }

    @Test(
        arguments: [
            ("/content/dam/a b.jpg", .id("content/dam/a b.jpg"), nil),
            ("content/dam/a.jpg", .id("content/dam/a.jpg"), nil),
            ("urn:aaid:aem:u1", asset, nil), ("x", .id("x"), nil),
            ("/adobe/dynamicmedia/deliver/dm-aid--u1/a.jpg?width=5", asset, "width=5&format=jpg"),
        ] as [(String, AssetReference, String?)]
    )
    func `an operand may be a path or an identifier of AEM`(
        _ text: String,
        _ reference: AssetReference,
        _ form: String?
    ) throws {
        let target = try AssetTarget(text, channels: Self.channels)
        #expect(target.candidates.map(\.reference) == [.id(text), reference, reference])
        #expect(target.candidates.map(\.channel) == ["photos", "wknd", "local"])
        #expect(target.rendition == form)
        #expect(try AssetTarget(text, channels: [Self.channels[0]]).rendition == nil)
    }

    @Test func `a URL of AEM that is no picture is refused`() throws {
        let url = "http://localhost:4503/graphql/execute.json/a/b?x"
        let failure = try #require(throws: Failure.self) { try AssetTarget(url, channels: Self.channels) }
        #expect(failure == .usage("the URL's path \"/graphql/execute.json/a/b\" is no picture of AEM"))
    }
}
