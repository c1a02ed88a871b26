import Foundation
import TestSupport
import Testing

/// `--used`: of an OCM channel, what its content refers to.
@Suite struct UsedPicturesTests {
    private let site: Site
    private let cms: LoopbackOrigin

    init() throws {
        site = try Site(pictures: 1)
        let picture = TestPicture.gradient(width: 30, height: 20)
        cms = try LoopbackOrigin { request in
            if request.path.contains("/assets/") { return .init(type: "image/png", body: picture) }
            let query = request.query["q"] ?? ""
            let rows = Self.items.filter { item in
                query.isEmpty
                    || query.contains(#"type eq "\#(item.type)""#) && (item.type != "Image" || query.contains(item.id))
            }
            return .json(#"{"hasMore":false,"items":[\#(rows.map(\.json).joined(separator: ","))]}"#)
        }
        try site.configure(#"channelToken: "t0ken", warm: ["native"]"#, cms: cms.url)
    }

    private static let items =
        ["A", "B", "C"].map { (id: $0, type: "Image", json: image($0)) } + [
            (
                id: "P", type: "Page",
                json: #"""
                {"id":"P","type":"Page","typeCategory":"ContentType","name":"page","fields":{
                 "hero":{"id":"B","type":"Image","typeCategory":"DigitalAssetType"}}}
                """#
            )
        ]

    private static func image(_ id: String) -> String {
        #"""
        {"id":"\#(id)","type":"Image","typeCategory":"DigitalAssetType","name":"\#(id).png","mimeType":"image/png",
         "updatedDate":{"value":"2026-01-01T00:00:00.000Z"},"fileGroup":"Images"}
        """#
    }

    @Test func `list and warm confine themselves to what content refers to`() async throws {
        let all = try await site.run("list", "--json")
        #expect(try all.objects().map { $0["id"] as? String } == ["A", "B", "C", "P"], "\(all.messages)")
        let used = try await site.run("list", "--used", "--json")
        #expect(try used.objects().map { $0["id"] as? String } == ["B"], "\(used.messages)")
        let warm = try await site.run("warm", "--used")
        #expect(warm.status == 0, "\(warm.messages)")
        #expect(Set(cms.requests.map(\.path).filter { $0.contains("/assets/") }).map { $0.suffix(8) } == ["B/native"])
    }
}
