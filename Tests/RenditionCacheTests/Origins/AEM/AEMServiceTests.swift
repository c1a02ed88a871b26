import RenditionCache
import Synchronization
import TestSupport
import Testing

@testable import RenditionCache

/// An AEM channel behind the service: what a query names is warmed, found by every name, and there while AEM is not.
@Suite(.timeLimit(.minutes(1))) struct AEMServiceTests {
    private static let names = ["a b.png", "100%.png"]
    private static let picture = TestPicture.gradient(width: 40, height: 20)

    /// An instance with two pictures, one of them only for the delivery.
    private final class Instance: Sendable {
        let isDown = Mutex(false)
    }

    private func server(_ instance: Instance) throws -> LoopbackOrigin {
        let items = Self.names.enumerated().map { index, name in
            """
            {"image":{"_path":"/content/dam/x/\(name)","_dynamicUrl":
              "/adobe/dynamicmedia/deliver/dm-aid--u\(index)/p.png?width=\(10 + index)"}}
            """
        }
        return try LoopbackOrigin { request in
            if instance.isDown.withLock({ $0 }) { return .init(500, type: "text/html", body: "<html>".utf8) }
            switch request.target {
            case "/graphql/execute.json/site/all":
                return .json(#"{"data":{"pageList":{"items":[\#(items.joined(separator: ","))]}}}"#)
            case "/content/dam/x/a%20b.png", "/adobe/dynamicmedia/deliver/dm-aid--u1/100%25.png":
                return .init(type: "image/png", body: Self.picture)
            default: return .init(404)
            }
        }
    }

    private func request(_ reference: AssetReference, _ width: Int? = nil) -> RenditionRequest {
        let transform = width.map {
            RenditionRequest.Selection.transform(Transform(resize: .inside(width: $0, height: nil)))
        }
        return RenditionRequest(channel: "site", asset: reference, selection: transform ?? .native)
    }

    @Test func `what a query names is warmed once and found by path and by identifier`() async throws {
        let instance = Instance()
        let server = try server(instance)
        let channel = ChannelSettings(name: "site", kind: .aem(AEMSettings(url: server.url, queries: ["site/all"])))
        let test = try await TestService([channel])
        let summary = try await WarmRunner.run(test.service, WarmPlan(channel: "site", selections: [.native]))
        #expect(summary.done == 2 && summary.failed.isEmpty)
        #expect(
            Set(server.requests.map(\.target)) == [
                "/graphql/execute.json/site/all", "/content/dam/x/a%20b.png", "/content/dam/x/100%25.png",
                "/adobe/assets/urn:aaid:aem:u1/original/as/100%25.png",
                "/adobe/dynamicmedia/deliver/dm-aid--u1/100%25.png",
            ]
        )
        let asked = server.requests.count
        for (index, name) in Self.names.enumerated() {
            for reference in [AssetReference.id("content/dam/x/\(name)"), .slug("dm-aid--u\(index)")] {
                let native = try await test.service.rendition(for: request(reference)).rendition
                #expect(try native.body.bytes() == Self.picture)
            }
        }
        #expect(server.requests.count == asked)

        instance.isDown.withLock { $0 = true }
        test.advance(2 * 86_400)
        let later = try await test.service.rendition(for: request(.slug("dm-aid--u0")))
        #expect(later.summary == "stale origin-down")
        #expect(try later.rendition.body.bytes() == Self.picture)
        await test.service.shutDown()
    }

    @Test func `a picture that no query named is had by its path alone, and a missing one is missing`() async throws {
        let server = try server(Instance())
        let channel = ChannelSettings(name: "site", kind: .aem(AEMSettings(url: server.url, queries: ["site/all"])))
        let test = try await TestService([channel])
        let small = try await test.service.rendition(for: request(.id("content/dam/x/a b.png"), 10)).rendition
        #expect(small.size == PixelSize(width: 10, height: 5))
        #expect(server.requests.map(\.target) == ["/content/dam/x/a%20b.png"])
        await #expect(throws: RenditionError.assetNotFound(channel: "site", asset: "content/dam/x/none.png")) {
            try await test.service.rendition(for: request(.id("content/dam/x/none.png")))
        }
        await test.service.shutDown()
    }
}
