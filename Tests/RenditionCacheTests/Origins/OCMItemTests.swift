import RenditionCache
import Testing

@testable import RenditionCache

@Suite struct OCMItemTests {
    private func json(_ text: String) throws -> JSONValue { try #require(JSONValue(Array(text.utf8))) }

    private func item(_ text: String) throws -> OCMItem {
        try #require(OCMItem(try json(text)))
    }

    @Test func `an image becomes an asset with all that the catalogue knows`() throws {
        let asset = try #require(OCMItem(OCMFixtures.json("image-item.json"))).asset
        #expect(asset.id == "CONT2A2B2C2D2E2F30313233343536373839")
        #expect(asset.slug == "image-1481786088643-harbour-morning_1440x540")
        #expect(asset.name == "harbour-morning_1440x540.jpg")
        #expect(asset.isDigitalAsset)
        #expect(asset.fileGroup == "Images")
        #expect(asset.mediaType == "image/jpeg")
        #expect(asset.version == "2023-03-01T08:00:07.495Z")
        #expect(asset.updatedSeconds == 1_677_657_607.495)
        #expect(asset.size == PixelSize(width: 1440, height: 540))
        #expect(asset.byteCount == 528_070)
        #expect(asset.renditions?.map(\.name) == ["Thumbnail", "Medium", "Large", "Small"])
        #expect(asset.renditions?.first?.formats == ["jpg", "webp"])
        #expect(asset.renditions?.first?.type == "responsiveimage")
        #expect(asset.renditions?.map(\.pending) == [["webp"], ["jpg", "webp"], ["webp"], ["jpg", "webp"]])
        #expect(!asset.hasAdvancedVideo)
    }

    @Test func `the version is the date, which listings and reads both have, else an old server's number`() throws {
        let asset = try #require(OCMItem(OCMFixtures.json("image-legacy-digitalasset-item.json"))).asset
        #expect(asset.version?.hasSuffix("Z") == true)
        #expect(try item(#"{"id":"x","fields":{"version":"3"}}"#).asset.version == "3")
    }

    @Test func `a bare reference is an asset of which nothing else is known`() throws {
        let asset = try item(#"{"id":"CONT1","typeCategory":"DigitalAssetType"}"#).asset
        #expect(asset == Asset(id: "CONT1", name: "CONT1"))
    }

    @Test(arguments: [
        (#"{"value":"2020-04-01T21:12:12.045Z","timezone":"UTC"}"#, 1_585_775_532_045),
        (#""2020-04-01T21:12:12Z""#, 1_585_775_532_000), ("1585775532045", 1_585_775_532_045),
        (#"{"value":1585775532045}"#, 1_585_775_532_045), ("null", nil), (#""soon""#, nil), ("[]", nil), ("true", nil),
    ]) func `a date is an object, a text or a number, and a bad one harms nothing`(_ date: String, _ millis: Int?)
        throws
    {
        #expect(try item(#"{"id":"x","updatedDate":\#(date)}"#).updatedMilliseconds == millis)
    }

    @Test(arguments: [
        (#"{"width":"1440","height":"540"}"#, PixelSize(width: 1440, height: 540)),
        (#"{"width":640,"height":360.0}"#, PixelSize(width: 640, height: 360)),
        (
            #"{"width":"640.0","height":"1"}"#,
            PixelSize(width: 640, height: 1)
        ), (#"{"width":"-1","height":"-1"}"#, nil),
        (#"{"width":"0","height":"0"}"#, nil), (#"{"width":"10"}"#, nil), (#"{"width":null,"height":1}"#, nil),
        (#"{"width":"wide","height":"1"}"#, nil), (#"{"width":1e300,"height":1}"#, nil), ("null", nil), ("[]", nil),
    ]) func `dimensions are texts or numbers, or unknown`(_ metadata: String, _ size: PixelSize?) throws {
        #expect(try item(#"{"id":"x","fields":{"metadata":\#(metadata)}}"#).size == size)
    }

    @Test(arguments: [
        (#""typeCategory":"DigitalAssetType""#, true), (#""typeCategory":"ContentType","type":"DigitalAsset""#, false),
        (#""typeCategory":"","type":"DigitalAsset""#, true), (#""type":"DigitalAsset""#, true),
        (#""typeCategory":null,"type":"Image""#, false), (#""type":"Image""#, false),
    ]) func `what a digital asset is follows the CMS's own clients`(_ members: String, _ isAsset: Bool) throws {
        #expect(try item(#"{"id":"x",\#(members)}"#).isDigitalAsset == isAsset)
    }

    @Test(arguments: [#"{"name":"x"}"#, #"{"id":7}"#, #"{"id":""}"#, "[]", "null", "7"])
    func `without an identifier there is no item`(_ text: String) throws {
        #expect(OCMItem(try json(text)) == nil)
    }

    @Test func `fields are read by kind and fail by name`() throws {
        let item = try item(
            #"{"id":"x","fields":{"i":7,"d":7.5,"w":7.0,"t":"7","n":null,"b":true,"l":[{"id":"a"},3,{"id":"b"}]}}"#
        )
        #expect(try item.int("d") == 7 && item.int("w") == 7 && item.double("i") == 7)
        #expect(try item.bool("b"))
        #expect(try item.items("l").map(\.id) == ["a", "b"])
        #expect(try item.items("n").isEmpty)
        #expect(throws: ContentFieldError.couldNotParse("t")) { try item.int("t") }
        #expect(throws: ContentFieldError.couldNotParse("i")) { try item.bool("i") }
        #expect(throws: ContentFieldError.couldNotParse("n")) { try item.string("n") }
        #expect(throws: ContentFieldError.couldNotParse("l")) { try item.item("l") }
        #expect(throws: ContentFieldError.fieldNotFound("z")) { try item.string("z") }
        #expect(throws: ContentFieldError.incompleteItem) { try self.item(#"{"id":"x"}"#).string("z") }
    }

    @Test(arguments: [
        (#"{"items":[{"id":"a"}],"hasMore":true,"count":1}"#, 3, 11),
        (#"{"items":[{"id":"a"}],"hasMore":true}"#, 3, 11),
        (#"{"items":[{"id":"a"}],"hasMore":"yes","count":"1"}"#, 1, 11), (#"{"items":[{"id":"a"}]}"#, 2, nil),
        (#"{"items":[{"id":"a"}],"count":1}"#, 0, nil), (#"{"items":[],"hasMore":true,"count":0}"#, 3, nil),
        // A count of more than there is would pass over items.
        (#"{"items":[{"id":"a"}],"hasMore":true,"count":100000}"#, 1, 11),
        (#"{"items":[{"id":"a"}],"hasMore":true,"count":9223372036854775807}"#, 1, 11),
        // A count of nothing beside items would stand still; an item without an identifier still counts.
        (#"{"items":[{"id":"a"},{}],"hasMore":true,"count":0}"#, 2, 12), (#"{"items":[{},{}],"hasMore":true}"#, 2, 12),
    ]) func `paging goes on as long as there is more, whatever the server leaves out`(
        _ text: String,
        _ limit: Int,
        _ next: Int?
    ) throws {
        let json = try json(text)
        #expect(try #require(OCMListing(json, offset: 10, limit: limit)).nextOffset == next)
    }

    @Test func `a page that ends beyond all numbers is the last`() throws {
        let json = try json(#"{"items":[{"id":"a"}],"hasMore":true}"#)
        #expect(try #require(OCMListing(json, offset: .max - 1, limit: 1)).nextOffset == .max)
        #expect(try #require(OCMListing(json, offset: .max, limit: 1)).nextOffset == nil)
    }

    @Test(arguments: [
        ("7", 7), ("0", 0), ("-9223372036854775808", nil), ("9223372036854775807", nil), (#""7""#, nil),
    ]) func `a total that cannot be is none`(_ text: String, _ total: Int?) throws {
        let json = try json(#"{"items":[{"id":"a"}],"totalResults":\#(text)}"#)
        #expect(try #require(OCMListing(json, offset: 0, limit: 1)).total == total)
    }

    @Test func `of endless renditions the first are remembered`() throws {
        let many = (0..<1000).map { #"{"name":"R\#($0)"}"# }.joined(separator: ",")
        let asset = try item(#"{"id":"x","fields":{"renditions":[\#(many)]}}"#).asset
        #expect(asset.renditions?.map(\.name) == (0..<256).map { "R\($0)" })
    }

    @Test func `names of any length become names that fit`() throws {
        let long = String(repeating: "é", count: 100_000)
        #expect(OCMItem(try json(#"{"id":"\#(long)"}"#)) == nil)
        let asset = try item(#"{"id":"x","slug":"\#(long)","name":"\#(long).jpeg","updatedDate":"\#(long)"}"#).asset
        #expect(asset.slug == nil)
        #expect(
            asset.name.hasPrefix("éé") && asset.name.hasSuffix("é.jpeg") && (250...255).contains(asset.name.utf8.count)
        )
        #expect(asset.version?.utf8.count == 64)
    }
}
