import Foundation
import RenditionCache
import TestSupport

@testable import RenditionCache

/// The AEM cases that came with the specification.
enum AEMFixtures {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Fixtures/aem")

    /// Where a fixture is.
    static func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// The bytes of a fixture; empty if it is missing, which no test takes for a pass.
    static func bytes(_ name: String) -> [UInt8] {
        (try? Data(contentsOf: folder.appendingPathComponent(name))).map(Array.init) ?? []
    }

    static func json(_ name: String) -> JSONValue { JSONValue(bytes(name)) ?? .null }

    static func cases(_ name: String) -> [AEMCase] { (json(name)["cases"]?.array ?? []).map(AEMCase.init) }

    /// A fixture as an answer.
    static func answer(_ name: String, status: Int = 200) -> LoopbackOrigin.Response {
        let isProblem = name.contains(".delivery.")
        return .init(status, type: isProblem ? "application/problem+json" : "application/json", body: bytes(name))
    }

    /// A document read from a fixture.
    static func document(_ name: String) throws -> AEMDocument {
        try AEMDocument(json(name), root: "https://publish.example")
    }
}

/// One case, printed as its identifier.
struct AEMCase: Sendable, CustomStringConvertible {
    let json: JSONValue
    var description: String { json["id"]?.string ?? "?" }
}

/// An origin of kind aem at a scripted server.
func aemOrigin(
    _ server: LoopbackOrigin,
    queries: [String] = ["wknd-shared/adventures-all"],
    authentication: OriginAuthentication = .none,
    allow: [String] = [],
    log: Log = .silent
) throws -> AEMOrigin {
    var settings = AEMSettings(url: server.url, queries: queries)
    settings.authentication = authentication
    let fetcher = Fetcher(settings: FetchSettings(), metrics: Metrics(), log: log)
    return try AEMOrigin(channel: "wknd", settings: settings, allow: allow, fetcher: fetcher, log: log)
}

/// The error that `body` throws; nil if it throws none.
func originFailure<T>(_ body: () async throws(OriginError) -> T) async -> OriginError? {
    do throws(OriginError) {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}
