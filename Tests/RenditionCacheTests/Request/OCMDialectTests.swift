import Foundation
import Testing

@testable import RenditionCache

@Suite struct OCMDialectTests {
    struct Route: Sendable, CustomTestStringConvertible {
        var id: String
        var target: String
        /// The expected object as sorted JSON text.
        var expected: String
        var testDescription: String { id }
    }

    static let routes: [Route] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Fixtures/ocm/route-cases.json")
        let json = (try? Data(contentsOf: file)).flatMap { try? JSONSerialization.jsonObject(with: $0) }
        let cases = (json as? [String: Any])?["cases"] as? [[String: Any]] ?? []
        return cases.compactMap { route in
            guard let id = route["id"] as? String, let target = route["target"] as? String,
                var expected = route["expect"] as? [String: Any]
            else { return nil }
            // The fixtures state a missing token; the others are left out when not given.
            if expected["channelToken"] is NSNull { expected["channelToken"] = nil }
            return Route(id: id, target: target, expected: text(expected))
        }
    }()

    @Test func `the route cases are there`() {
        #expect(Self.routes.count == 33)
    }

    @Test(arguments: routes)
    func `a request line is read as the fixture says`(_ route: Route) throws {
        let target = try RequestTarget(Array(route.target.utf8))
        let operation = OCMDialect.operation(target)
        var actual = Self.described(operation)
        if operation != .notFound { actual.merge(Self.described(OCMDialect.parameters(target))) { left, _ in left } }
        #expect(Self.text(actual) == route.expected)
    }

    @Test(arguments: [
        "/content/published/api/v1/items", "/content/published/api/v1.1/", "/content/published/api/v1.1/Items",
        "/content/published/api/v1.1/items/", "/content/published/api/v1.1/items/.by.slug",
        "/content/published/api/v1.1/items/a/b", "/content/published/api/v1.1/items/a/variations",
        "/content/published/api/v1.1/items/a/variations/language/fr/x", "/content/published/api/v1.1/assets",
        "/content/published/api/v1.1/assets/a", "/content/published/api/v1.1/assets/a/native/b/c",
        "/content/published/api/v1.1/assets/.by.slug/native", "/content/published/api/v1.1/assets/../native",
        "/content/published/api/v1.1/assets/%2e%2e/native", "/content/published/api/v1.1/assets/%252e%252e/%2e",
        "/content/published/api/v1.1/assets/%/native", "/content/published/api/v1.1/assets/%00/native",
        "/content/published/api/v1.1/assets/%ff/native", "/content/published/api/v1.1/taxonomies/a/b",
        "/content/management/api/v1.1/items", "/content/assets", "/content/assets/a", "/content/assets//native",
        "/", "/content",
    ])
    func `what is no path of OCM's is not found`(path: String) throws {
        #expect(try OCMDialect.operation(RequestTarget(Array(path.utf8))) == .notFound)
    }

    @Test func `native is a keyword in lower case only and an encoded slash makes no segment`() throws {
        func operation(_ path: String) throws -> OCMDialect.Operation {
            try OCMDialect.operation(RequestTarget(Array("/content/published/api/v1.1/assets/\(path)".utf8)))
        }
        #expect(try operation("A/native") == .native([.id("A")], filename: nil))
        #expect(try operation("A/Native") == .rendition([.id("A")], names: ["Native"], filename: nil))
        #expect(try operation("a%2Fb/native") == .native([.id("a/b")], filename: nil))
        #expect(try operation("100%25/native") == .native([.id("100%")], filename: nil))
        #expect(try operation("%25C3%25A9/native") == .native([.id("%C3%A9"), .id("é")], filename: nil))
    }

    private static func described(_ operation: OCMDialect.Operation) -> [String: Any] {
        func references(_ name: String, _ all: [AssetReference]) -> [String: Any] {
            var described: [String: Any] = ["operation": name]
            for case .id(let id) in all { described["id"] = (described["id"] as? [String] ?? []) + [id] }
            for case .slug(let slug) in all { described["slug"] = (described["slug"] as? [String] ?? []) + [slug] }
            return described
        }
        func adding(_ extra: [String: Any?], to described: [String: Any]) -> [String: Any] {
            described.merging(extra.compactMapValues { $0 }) { _, new in new }
        }
        switch operation {
        case .apiInfo: return ["operation": "apiInfo"]
        case .search: return ["operation": "search"]
        case .item(let all): return references("item", all)
        case .languageVariations(let all): return references("languageVariations", all)
        case .languageVariation(let all, let language):
            return adding(["language": language], to: references("languageVariation", all))
        case .native(let all, let filename): return adding(["filename": filename], to: references("native", all))
        case .rendition(let all, let names, let filename):
            return adding(["rendition": names, "filename": filename], to: references("rendition", all))
        case .taxonomies: return ["operation": "taxonomies"]
        case .taxonomy(let ids): return ["operation": "taxonomy", "taxonomyId": ids]
        case .taxonomyCategories(let ids): return ["operation": "taxonomyCategories", "taxonomyId": ids]
        case .taxonomyCategory(let ids, let category):
            return ["operation": "taxonomyCategory", "taxonomyId": ids, "categoryId": category]
        case .notFound: return ["operation": "notFound"]
        }
    }

    private static func described(_ parameters: OCMDialect.Parameters) -> [String: Any] {
        func described(_ names: OCMDialect.Names?) -> Any? {
            switch names {
            case .all?: "all"
            case .list(let list)?: list
            case nil: nil
            }
        }
        let all: [String: Any?] = [
            "channelToken": parameters.channelToken, "q": parameters.query, "default": parameters.freeText,
            "fields": described(parameters.fields),
            "orderBy": parameters.orderBy?.map { [$0.field, $0.isDescending ? "desc" : "asc"] },
            "limit": parameters.limit, "offset": parameters.offset, "totalResults": parameters.totalResults,
            "links": parameters.links, "expand": described(parameters.expand), "format": parameters.format,
            "type": parameters.type, "download": parameters.download, "cb": parameters.cacheBuster,
        ]
        return all.compactMapValues { $0 }
    }

    private static func text(_ json: [String: Any]) -> String {
        let data = try? JSONSerialization.data(withJSONObject: json, options: [.sortedKeys, .withoutEscapingSlashes])
        return String(decoding: data ?? Data(), as: UTF8.self)
    }
}
