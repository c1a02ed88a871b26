import Foundation
import Synchronization
import TestSupport

@testable import RenditionCache

/// An OCM on loopback with the blog of the fixtures: it reads queries of `eq` conditions, pages, leaves out what listings
/// leave out, and serves a picture for every digital asset.
final class BlogCMS: Sendable {
    typealias Override = @Sendable (LoopbackOrigin.Request) -> LoopbackOrigin.Response?

    private final class Script: Sendable {
        let items: Mutex<[JSONValue]>
        let override = Mutex<Override?>(nil)
        init(_ items: [JSONValue]) { self.items = Mutex(items) }
    }

    static let token = "0123456789abcdef0123456789abcdef"
    static let prefix = "/content/published/api/v1.1/"
    static let home = "COREA1B2C3D4E5F60718293A4B5C6D7E8F90", topic = "CORE10A1B2C3D4E5F60718293A4B5C6D7E8F"
    static let article = "CORE51A1B2C3D4E5F60718293A4B5C6D7E8F", author = "CORE40A1B2C3D4E5F60718293A4B5C6D7E8F"
    static let logo = "CONT0A0B0C0D0E0F10111213141516171819", thumbnail = "CONT1A1B1C1D1E1F20212223242526272829"
    static let avatar = "CONT3A3B3C3D3E3F40414243444546474849", hero = "CONT2B2B2C2D2E2F30313233343536373839"
    static let inText = "CONT2A2B2C2D2E2F30313233343536373839"
    /// Shown by articles; the fixtures have no items for them.
    static let made = [avatar, hero, "CONT4A4B4C4D4E4F50515253545556575859", "CONT5A5B5C5D5E5F60616263646566676869"]
    /// What the blog's content shows, and what lies beside it unused.
    static let used = Set(made + [logo, thumbnail, inText, "CONT9A9B9C9D9E9FA0A1A2A3A4A5A6A7A8A9"])
    static let unused = "CONTAAABACADAEAFB0B1B2B3B4B5B6B7B8B9"

    private let script: Script
    let server: LoopbackOrigin

    init() throws {
        let script = Script(Self.fixtures())
        self.script = script
        server = try LoopbackOrigin { request in
            if let answer = script.override.withLock({ $0 })?(request) { return answer }
            return Self.answer(request, script.items.withLock { $0 })
        }
    }

    /// Answers in the CMS's place wherever it returns something.
    func answer(with override: Override?) { script.override.withLock { $0 = override } }

    /// Takes an item out, as when it is no longer published.
    func remove(_ id: String) { script.items.withLock { $0.removeAll { $0["id"]?.string == id } } }

    /// Every target that was asked for, below the API's root, in order.
    var targets: [String] {
        server.requests.map { String($0.target.removingPercentEncoding?.dropFirst(Self.prefix.count) ?? "") }
    }

    /// A picture of its own for every asset.
    static func picture(_ id: String, form: String) -> [UInt8] {
        TestPicture.gradient(width: 64, height: 48, seed: (id + form).utf8.reduce(7) { ($0 * 31 + Int($1)) & 0xFF })
    }

    private static func fixtures() -> [JSONValue] {
        let listed = ["home-listing.json", "articles-listing.json"].flatMap {
            OCMFixtures.json($0)["items"]?.array ?? []
        }
        let single = [
            "topic-item.json", "article-item.json", "author-item.json", "image-item.json", "image-png-item.json",
            "image-small-item.json", "image-legacy-digitalasset-item.json", "video-item.json", "file-item.json",
        ].map(OCMFixtures.json)
        let image = String(decoding: OCMFixtures.bytes("image-item.json"), as: UTF8.self)
        let copies = made.compactMap { JSONValue(Array(image.replacing(inText, with: $0).utf8)) }
        // The expanded picture of the topic is an item too.
        let thumbnail = OCMFixtures.json("topic-item.json")["fields"]?["thumbnail"]
        var items: [JSONValue] = []
        for item in single + [thumbnail].compactMap(\.self) + copies + listed
        where !items.contains(where: { $0["id"] == item["id"] }) {
            items.append(item)
        }
        return items
    }

    private static func answer(_ request: LoopbackOrigin.Request, _ items: [JSONValue]) -> LoopbackOrigin.Response {
        let token = request.query["channelToken"] ?? request["channelToken"]
        guard token == Self.token else {
            return .init(403, type: "application/json", body: OCMFixtures.bytes("error-403-channel-token.json"))
        }
        guard request.path.hasPrefix(prefix) else { return missing }
        let parts = request.path.dropFirst(prefix.count).split(separator: "/").map(String.init)
        switch parts.first {
        case "items" where parts.count == 1: return listing(request, items)
        case "items" where parts.suffix(2) == ["variations", "language"]:
            return .init(type: "application/json", body: OCMFixtures.bytes("item-language-variations.json"))
        case "items": return item(parts, items)
        case "assets" where parts.count >= 3:
            guard items.contains(where: { $0["id"]?.string == parts[1] }) else { return missing }
            return .init(type: "image/png", body: picture(parts[1], form: parts[2]))
        case "taxonomies" where parts.count == 1:
            return .init(type: "application/json", body: OCMFixtures.bytes("taxonomies-listing.json"))
        default: return missing
        }
    }

    private static func item(_ parts: [String], _ items: [JSONValue]) -> LoopbackOrigin.Response {
        let found = items.first { item in
            parts[1] == ".by.slug" ? item["slug"]?.string == parts[2] : item["id"]?.string == parts[1]
        }
        return found.map { .init(type: "application/json", body: text($0).utf8) } ?? missing
    }

    private static let missing = LoopbackOrigin.Response(
        404,
        type: "application/json",
        body: OCMFixtures.bytes("error-404-item.json")
    )

    private static func listing(_ request: LoopbackOrigin.Request, _ items: [JSONValue]) -> LoopbackOrigin.Response {
        let conditions = conditions(of: request.query["q"] ?? "")
        let matching = items.filter { item in conditions.allSatisfy { matches(item, $0.key, $0.value) } }
        let offset = Int(request.query["offset"] ?? "") ?? 0
        let page = matching.dropFirst(offset).prefix(Int(request.query["limit"] ?? "") ?? 100)
        // A listing over several types has no fields (spec OCM §4.3).
        let rows = page.map { row in
            guard conditions["type"]?.count != 1, var members = row.object else { return row }
            members["fields"] = nil
            return .object(members)
        }
        let isMore = offset + page.count < matching.count
        return .json(
            text(
                .object([
                    "hasMore": .bool(isMore), "offset": .int(offset), "count": .int(page.count),
                    "limit": .int(matching.count), "totalResults": .int(matching.count), "items": .array(rows),
                ])
            )
        )
    }

    /// `field eq "value"`, joined by `and` where the fields differ and by `or` where they are the same.
    private static func conditions(of query: String) -> [String: [String]] {
        var conditions: [String: [String]] = [:]
        for match in query.matches(of: /([\w.]+) eq "([^"]*)"/) {
            conditions[String(match.1), default: []].append(String(match.2))
        }
        return conditions
    }

    private static func matches(_ item: JSONValue, _ field: String, _ values: [String]) -> Bool {
        let isOwn = field.hasPrefix("fields.")
        let found = isOwn ? item["fields"]?[String(field.dropFirst(7))] : item[field]
        return (found?.string ?? found?["id"]?.string).map(values.contains) ?? false
    }

    static func text(_ json: JSONValue) -> String {
        switch json {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .int(let value): "\(value)"
        case .double(let value): "\(value)"
        case .string(let value): quoted(value)
        case .array(let values): "[\(values.map(text).joined(separator: ","))]"
        case .object(let members):
            "{\(members.map { "\(quoted($0.key)):\(text($0.value))" }.joined(separator: ","))}"
        }
    }

    private static func quoted(_ text: String) -> String {
        let encoded = (try? JSONEncoder().encode(text)) ?? Data()
        return String(decoding: encoded, as: UTF8.self)
    }
}
