import Synchronization
import TestSupport

@testable import RenditionCache

/// An OCM on loopback whose assets and failures a test writes down.
final class ScriptedCMS: Sendable {
    /// One asset of it.
    struct Item: Sendable {
        var name = "picture.png"
        /// When it was last published; nil for a CMS that does not say.
        var updated: String? = "2026-01-01T00:00:00.000Z"
        var native: [UInt8]
        /// Its own renditions: name and format as in `Medium?format=jpg`.
        var renditions: [String: [UInt8]] = [:]
        var type = "Image"
        var mediaType = "image/png"
        /// The native's entity tag, with its quotes.
        var entityTag: String?
    }

    typealias Override = @Sendable (LoopbackOrigin.Request) -> LoopbackOrigin.Response?

    private struct State {
        var items: [String: Item]
        var override: Override?
    }

    /// Outlives the server's handler, which may still run when the server goes.
    private final class Script: Sendable {
        let state: Mutex<State>
        let nativesSent = Atomic(0)
        init(_ items: [String: Item]) { state = Mutex(State(items: items)) }
    }

    private static let prefix = "/content/published/api/v1.1/"
    private let script: Script
    let server: LoopbackOrigin

    init(_ items: [String: Item]) throws {
        let script = Script(items)
        self.script = script
        server = try LoopbackOrigin { request in
            let (items, override) = script.state.withLock { ($0.items, $0.override) }
            let answer = override?(request) ?? Self.answer(request, items)
            if request.path.hasSuffix("/native"), answer.status == 200 {
                script.nativesSent.add(1, ordering: .relaxed)
            }
            return answer
        }
    }

    /// Changes what the CMS holds.
    func edit(_ id: String, _ change: (inout Item) -> Void) {
        script.state.withLock { state in
            if var item = state.items[id] {
                change(&item)
                state.items[id] = item
            }
        }
    }

    func add(_ id: String, _ item: Item) { script.state.withLock { $0.items[id] = item } }

    func remove(_ id: String) { script.state.withLock { $0.items[id] = nil } }

    /// Answers in the CMS's place wherever it returns something.
    func answer(with override: Override?) { script.state.withLock { $0.override = override } }

    /// How many natives were sent whole.
    var nativesSent: Int { script.nativesSent.load(ordering: .relaxed) }

    /// Everything is answered 503.
    func goDown() { answer { _ in .json(#"{"title":"Service Unavailable","status":503}"#, status: 503) } }

    /// How many bodies of pictures were asked for.
    var downloads: Int { server.requests.count { $0.path.hasPrefix(Self.prefix + "assets/") } }

    private static func answer(_ request: LoopbackOrigin.Request, _ items: [String: Item]) -> LoopbackOrigin.Response {
        guard request.path.hasPrefix(prefix) else { return missing }
        let parts = request.path.dropFirst(prefix.count).split(separator: "/").map(String.init)
        switch (parts.first, parts.count) {
        case ("items", 1): return listing(request, items)
        case ("items", 2):
            guard let item = items[parts[1]] else { return missing }
            return .json(json(parts[1], item, isWhole: true))
        case ("assets", 3...4):
            guard let item = items[parts[1]] else { return missing }
            if parts[2] == "native" { return native(of: item, request) }
            let wanted = request.query["format"].map { "\(parts[2])?format=\($0)" }
            let found = item.renditions.first { $0.key == wanted || (wanted == nil && $0.key.hasPrefix(parts[2])) }
            return found.map { .init(type: "image/jpeg", body: $0.value) } ?? missing
        default: return missing
        }
    }

    /// With the entity tag that the item has, and 304 for who names it.
    private static func native(of item: Item, _ request: LoopbackOrigin.Request) -> LoopbackOrigin.Response {
        guard let tag = item.entityTag else { return .init(type: item.mediaType, body: item.native) }
        guard request["If-None-Match"] != tag else { return .init(304, headers: [("ETag", tag)]) }
        return .init(type: item.mediaType, headers: [("ETag", tag)], body: item.native)
    }

    private static let missing = LoopbackOrigin.Response.json(
        #"{"title":"Item Not Found","detail":"Item not found","status":404}"#,
        status: 404
    )

    private static func listing(_ request: LoopbackOrigin.Request, _ items: [String: Item]) -> LoopbackOrigin.Response {
        let ids = items.keys.sorted()
        let offset = Int(request.query["offset"] ?? "") ?? 0
        let limit = Int(request.query["limit"] ?? "") ?? 100
        let page = ids.dropFirst(offset).prefix(limit)
        let rows = page.compactMap { id in items[id].map { json(id, $0, isWhole: false) } }
        return .json(
            """
            {"hasMore":\(offset + page.count < ids.count),"offset":\(offset),"count":\(page.count),"limit":\(ids.count),
             "totalResults":\(ids.count),"items":[\(rows.joined(separator: ","))],"links":[]}
            """
        )
    }

    private static func json(_ id: String, _ item: Item, isWhole: Bool) -> String {
        var names: [String: [String]] = [:]
        for key in item.renditions.keys.sorted() {
            let parts = key.split(separator: "?format=", maxSplits: 1).map(String.init)
            names[parts[0], default: []].append(parts.count > 1 ? parts[1] : "jpg")
        }
        let renditions = names.map { name, formats in
            let entries = formats.map { #"{"format":"\#($0)","size":0,"links":[]}"# }
            return #"{"name":"\#(name)","type":"responsiveimage","formats":[\#(entries.joined(separator: ","))]}"#
        }
        let fields =
            #","fields":{"size":\#(item.native.count),"native":{"links":[]},"renditions":[\#(renditions.joined(separator: ","))]}"#
        return """
            {"id":"\(id)","type":"\(item.type)","typeCategory":"DigitalAssetType","name":"\(item.name)",
             "slug":"slug-\(id)",\(item.updated.map { "\"updatedDate\":{\"value\":\"\($0)\",\"timezone\":\"UTC\"}," } ?? "")
             "mimeType":"\(item.mediaType)","fileGroup":"Images"\(isWhole ? fields : "")}
            """
    }
}

extension ScriptedCMS {
    /// The native of `A`.
    static let picture = TestPicture.gradient(width: 400, height: 300)
    /// The rendition of `A` that the CMS has.
    static let medium = TestPicture.gradient(width: 40, height: 30, seed: 3)

    /// A CMS with `A`, of which it has a `Medium`, and `B`, of which it has the native only.
    static func twoPictures() throws -> ScriptedCMS {
        try ScriptedCMS([
            "A": .init(native: picture, renditions: ["Medium?format=jpg": medium]),
            "B": .init(name: "b.png", native: TestPicture.gradient(width: 300, height: 200, seed: 1)),
        ])
    }
}

extension RenditionRequest {
    /// A request to the channel `blog`, which is that of `TestService.ocm`.
    static func blog(_ id: String, _ selection: Selection) -> RenditionRequest {
        RenditionRequest(channel: "blog", asset: .id(id), selection: selection)
    }
}
