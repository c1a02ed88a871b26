import RenditionCache
import Testing

@testable import RenditionCache

@Suite struct AEMDocumentTests {
    private static let root = "https://publish.example"

    private func document(_ text: String) throws -> AEMDocument {
        try AEMDocument(try #require(JSONValue(Array(text.utf8))), root: Self.root)
    }

    // MARK: Answers

    struct Answer: Sendable, CustomTestStringConvertible {
        var fixture: String
        var root: String
        var shape: AEMDocument.Root.Shape
        var nodes: Int
        var pictures: Int
        var dynamic: Int
        var testDescription: String { fixture }
    }

    @Test(arguments: [
        Answer(fixture: "adventures-all", root: "adventureList", shape: .list, nodes: 16, pictures: 16, dynamic: 13),
        Answer(
            fixture: "adventures-all.cloud",
            root: "adventureList",
            shape: .list,
            nodes: 16,
            pictures: 16,
            dynamic: 16
        ),
        Answer(fixture: "adventures-all.sdk", root: "adventureList", shape: .list, nodes: 16, pictures: 16, dynamic: 0),
        Answer(
            fixture: "adventures-all.w50-q100",
            root: "adventureList",
            shape: .list,
            nodes: 16,
            pictures: 16,
            dynamic: 16
        ),
        Answer(
            fixture: "adventures-all.png-w262",
            root: "adventureList",
            shape: .list,
            nodes: 16,
            pictures: 16,
            dynamic: 16
        ),
        Answer(
            fixture: "adventures-all.offset5-limit5",
            root: "adventureList",
            shape: .list,
            nodes: 5,
            pictures: 5,
            dynamic: 5
        ),
        Answer(
            fixture: "adventures-by-activity.surfing",
            root: "adventureList",
            shape: .list,
            nodes: 2,
            pictures: 2,
            dynamic: 2
        ),
        Answer(
            fixture: "adventure-by-slug.bali-surf-camp",
            root: "adventureList",
            shape: .list,
            nodes: 1,
            pictures: 1,
            dynamic: 1
        ),
        Answer(
            fixture: "adventure-by-slug.bali-surf-camp.sdk",
            root: "adventureList",
            shape: .list,
            nodes: 1,
            pictures: 1,
            dynamic: 0
        ),
        Answer(
            fixture: "adventure-by-slug.climbing-new-zealand",
            root: "adventureList",
            shape: .list,
            nodes: 1,
            pictures: 1,
            dynamic: 1
        ),
        Answer(
            fixture: "adventure-by-slug.surf-camp-costa-rica",
            root: "adventureList",
            shape: .list,
            nodes: 1,
            pictures: 1,
            dynamic: 1
        ),
        Answer(
            fixture: "adventure-by-slug.not-found",
            root: "adventureList",
            shape: .list,
            nodes: 0,
            pictures: 0,
            dynamic: 0
        ),
        Answer(
            fixture: "adventure-by-path.bali-surf-camp",
            root: "adventureByPath",
            shape: .item,
            nodes: 1,
            pictures: 1,
            dynamic: 1
        ),
        Answer(
            fixture: "adventure-image-by-path.all-urls",
            root: "adventureByPath",
            shape: .item,
            nodes: 1,
            pictures: 1,
            dynamic: 1
        ),
        Answer(
            fixture: "adventures-paginated.first7.page1",
            root: "adventurePaginated",
            shape: .paginated,
            nodes: 7,
            pictures: 7,
            dynamic: 7
        ),
        Answer(
            fixture: "adventures-paginated.first7.page2",
            root: "adventurePaginated",
            shape: .paginated,
            nodes: 7,
            pictures: 7,
            dynamic: 7
        ),
        Answer(
            fixture: "adventures-paginated.first7.page3",
            root: "adventurePaginated",
            shape: .paginated,
            nodes: 2,
            pictures: 2,
            dynamic: 2
        ),
    ])
    func `an answer gives its fragments and their pictures`(_ answer: Answer) throws {
        let document = try AEMFixtures.document("\(answer.fixture).json")
        let root = try #require(document.roots.first)
        #expect(document.roots.count == 1 && root.name == answer.root && root.shape == answer.shape)
        #expect(document.nodes.count == answer.nodes && root.count == answer.nodes)
        #expect(document.pictures.count == answer.pictures)
        #expect(document.pictures.count { $0.dynamicURL != nil } == answer.dynamic)
        #expect(document.errors.isEmpty)
        let known = try #require(AEMFixtures.json("assets.json")["assets"]?.array)
        for picture in document.pictures {
            let asset = try #require(known.first { $0["path"]?.string == picture.path })
            if picture.dynamicURL != nil { #expect(picture.urn == asset["assetId"]?.string) }
        }
    }

    @Test func `the fragments that texts refer to are told apart from the items`() throws {
        let document = try AEMFixtures.document("adventure-by-slug.climbing-new-zealand.json")
        #expect(
            document.references.compactMap { $0["slug"]?.string } == ["colorado-rock-climbing", "yosemite-backpacking"]
        )
        #expect(document.nodes.compactMap { $0["slug"]?.string } == ["climbing-new-zealand"])
        let beside = try self.document(#"{"data":{"aByPath":{"item":null},"_references":[{"_path":"/x"},null]}}"#)
        #expect(beside.references.count == 1 && beside.nodes.isEmpty)
    }

    @Test(arguments: [
        ("graphql-error.validation", "Validation error (FieldUndefined@[adventureList/items/subtitle])"),
        ("graphql-error.missing-variable", "Variable 'slug' has an invalid value"),
        ("graphql-error.bad-variable-type", "Variable 'imageWidth' has an invalid value"),
        ("graphql-error.exception", "Query execution failed"),
    ])
    func `errors without data are the error`(_ fixture: String, _ message: String) throws {
        let refusal = try #require(throws: AEMDocument.Refusal.self) { try AEMFixtures.document("\(fixture).json") }
        guard case .noData(let messages) = refusal else {
            Issue.record("\(refusal)")
            return
        }
        #expect(messages.count == 1 && messages.allSatisfy { $0.hasPrefix(message) })
    }

    @Test func `errors beside data are kept, and what could not be read is left out`() throws {
        let document = try AEMFixtures.document("graphql-error.with-partial-data.json")
        #expect(document.errors.count == 1)
        #expect(document.nodes.count == 1 && document.roots.first?.count == 2)
        #expect(document.pictures.count == 1)
    }

    @Test(
        arguments: [
            (#"{"data":null}"#, .noData([])), (#"{"data":{"a":null},"errors":[{"message":"m"}]}"#, .noData(["m"])),
            (#"{"errors":["plain",{"message":"m"},{}]}"#, .noData(["plain", "m"])), ("[]", .notGraphQL),
            (#"{"items":[]}"#, .notGraphQL), ("\"x\"", .notGraphQL),
        ] as [(String, AEMDocument.Refusal)]
    )
    func `what is no answer is refused`(_ text: String, _ refusal: AEMDocument.Refusal) {
        #expect(throws: refusal) { try document(text) }
    }

    @Test func `a paginated answer says where its next page begins`() throws {
        let cursors = try (1...3).map { page in
            try AEMFixtures.document("adventures-paginated.first7.page\(page).json").nextCursor
        }
        #expect(
            cursors == [
                "ODNiZjYxZjQtOTA4OC00YWVlLTgxMWItNTU3N2U0YzliYjRj", "ZWIwMTc1ZDMtYjAxMS00MjFiLWIxYmUtMGVmNWIyYjY0NTE4",
                nil,
            ]
        )
        #expect(try AEMFixtures.document("adventures-all.json").nextCursor == nil)
    }

    // MARK: Assets

    @Test func `an asset has what the answer says of it`() throws {
        let asset = try #require(try AEMFixtures.document("adventure-image-by-path.all-urls.json").assets.first)
        #expect(
            asset
                == Asset(
                    id: "content/dam/wknd-shared/en/adventures/bali-surf-camp/adobestock-175749320.jpg",
                    slug: "dm-aid--a38886f7-4537-4791-aa20-3f6ef0ac3fcd",
                    name: "adobestock-175749320.jpg",
                    mediaType: "image/jpeg",
                    size: PixelSize(width: 1600, height: 899),
                    requested: ["preferwebp=true&width=1000&quality=80&format=jpg"]
                )
        )
    }

    @Test func `one asset comes once, with everything that is asked of it`() throws {
        let url = "/adobe/dynamicmedia/deliver/dm-aid--u1/a"
        let document = try document(
            """
            {"data":{"aList":{"items":[
              {"teaser":{"_path":"/content/dam/a.jpg","_dynamicUrl":"\(url).jpg?width=50"}},
              {"hero":{"_path":"/content/dam/a.jpg","_dynamicUrl":"\(url).png","width":4,"height":3}},
              {"hero":{"_path":"/content/dam/a.jpg","_dynamicUrl":"\(url).jpg?width=50"}}
            ]}}}
            """
        )
        #expect(document.pictures.count == 2)
        let asset = try #require(document.assets.first)
        #expect(document.assets.count == 1 && asset.size == PixelSize(width: 4, height: 3))
        #expect(asset.requested == ["width=50&format=jpg", "format=png"])
    }

    @Test(arguments: [true, false]) func `a picture by its identifier is the asset whose path came with it`(
        _ isFirst: Bool
    ) throws {
        let url = "/adobe/dynamicmedia/deliver/dm-aid--u1/seo.jpg"
        let byPath = #"{"_path":"/content/dam/a.png","_dynamicUrl":"\#(url)?width=1"}"#
        let text = #"{"html":"<img src='\#(url)?width=2'>"}"#
        let items = isFirst ? "\(byPath),\(text)" : "\(text),\(byPath)"
        let document = try document(#"{"data":{"aList":{"items":[\#(items)]}}}"#)
        let asset = try #require(document.assets.first)
        #expect(document.assets.count == 1 && document.pictures.count == 2)
        #expect(asset.id == "content/dam/a.png" && asset.slug == "dm-aid--u1" && asset.address == nil)
        #expect(asset.name == "a.png")
        #expect(Set(asset.requested ?? []) == ["width=1&format=jpg", "width=2&format=jpg"])

        let known = AEMKnownAssets()
        let alone = Asset(id: "urn:aaid:aem:u1", slug: "dm-aid--u1", name: "u1")
        for listed in isFirst ? [asset, alone] : [alone, asset] { known.learn([listed]) }
        #expect(known.asset("urn:aaid:aem:u1") == asset && known.asset("content/dam/a.png") == asset)
    }
}
