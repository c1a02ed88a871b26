import RenditionCache
import Testing

@testable import RenditionCache

@Suite struct OCMResponseTests {
    private static let all = OCMFixtures.cases("response-cases.json")
    private static func cases(_ kind: String) -> [OCMCase] { all.filter { $0.json["kind"]?.string == kind } }

    @Test func `the cases are there`() {
        #expect(Self.cases("listing").count == 7)
        #expect(Self.cases("item").count == 12)
        #expect(Self.cases("error").count == 13)
        #expect(Self.all.count == 32, "a case of another kind would be asked nothing")
    }

    @Test(arguments: cases("listing")) func `a listing gives its items and where to go on`(_ test: OCMCase) throws {
        let request = try #require(test.json["request"])
        let expect = try #require(test.json["expect"])
        let page = try #require(
            OCMListing(
                OCMFixtures.json(test.json["bodyFile"]?.string ?? ""),
                offset: request["offset"]?.int ?? 0,
                limit: request["limit"]?.int ?? 0
            )
        )
        #expect(page.items.map(\.id) == expect["ids"]?.array?.compactMap(\.string))
        #expect(page.total == expect["totalResults"]?.int)
        #expect(page.nextOffset == expect["next"]?["offset"]?.int)
        guard let probes = test.json["probes"]?.array else { return }
        for (item, answers) in zip(page.items, try #require(expect["probes"]?.array)) {
            check(item, probes, try #require(answers.array))
        }
    }

    @Test(arguments: cases("item")) func `an item answers what is asked of it`(_ test: OCMCase) throws {
        let item = try #require(OCMItem(OCMFixtures.json(test.json["bodyFile"]?.string ?? "")))
        let expect = try #require(test.json["expect"])
        #expect(item.id == expect["id"]?.string)
        check(item, try #require(test.json["probes"]?.array), try #require(expect["probes"]?.array))
    }

    @Test(arguments: cases("error")) func `an error is told apart and explained`(_ test: OCMCase) throws {
        let expect = try #require(test.json["expect"])
        let error = OCMError(status: test.json["status"]?.int ?? 0, body: test.body)
        #expect(error.kind.rawValue == expect["class"]?.string)
        #expect(error.title == expect["title"]?.string)
        #expect(error.detail == expect["detail"]?.string)
        #expect(error.code == expect["errorCode"]?.string)
        if let message = expect["message"]?.string {
            #expect("Error \(error.status): \(error.text ?? "Could not retrieve data")" == message)
        }
    }

    private func check(_ item: OCMItem, _ probes: [JSONValue], _ answers: [JSONValue]) {
        #expect(probes.count == answers.count)
        for (probe, answer) in zip(probes, answers) {
            do throws(ContentFieldError) {
                let found = try ask(item, probe)
                #expect(found == answer["value"], "\(probe)")
            } catch {
                let name =
                    switch error {
                    case .incompleteItem: "incompleteAsset"
                    case .fieldNotFound: "fieldNotFound"
                    case .couldNotParse: "couldNotParse"
                    }
                #expect(name == answer["error"]?.string, "\(probe)")
            }
        }
    }

    private func ask(_ item: OCMItem, _ probe: JSONValue) throws(ContentFieldError) -> JSONValue {
        func text(_ value: String?) -> JSONValue { value.map(JSONValue.string) ?? .null }
        func number(_ value: Int?) -> JSONValue { value.map(JSONValue.int) ?? .null }
        switch probe["probe"]?.string {
        case "isDigitalAsset": return .bool(item.isDigitalAsset)
        case "native": return text(item.nativeHref)
        case "rendition":
            return text(item.renditionHref(probe["name"]?.string ?? "", format: probe["format"]?.string))
        case "dimensions": return item.size.map { .array([.int($0.width), .int($0.height)]) } ?? .null
        case "thumbnailKind":
            let isAdvanced = item.fileGroup == "Videos" && item.hasAdvancedVideo
            return .string(isAdvanced ? "advancedvideo" : "uithumbnail")
        case "dates":
            let dates = ["created": number(item.createdMilliseconds), "updated": number(item.updatedMilliseconds)]
            return .object(dates)
        default: return try field(item, probe["field"]?.string ?? "", as: probe["as"]?.string)
        }
    }

    private func field(
        _ item: OCMItem,
        _ name: String,
        as kind: String?
    ) throws(ContentFieldError) -> JSONValue {
        switch kind {
        case "string": .string(try item.string(name))
        case "int": .int(try item.int(name))
        case "double": .double(try item.double(name))
        case "bool": .bool(try item.bool(name))
        case "dateMillis": .int(try item.dateMilliseconds(name))
        case "assetId": .string(try item.item(name).id)
        case "assetIds": .array(try item.items(name).map { .string($0.id) })
        default: .string("no such kind")
        }
    }
}
