import Foundation
import RenditionCache

@testable import RenditionCache

/// The OCM cases that came with the specification.
enum OCMFixtures {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/ocm")

    /// The bytes of a fixture; empty if it is missing, which no test takes for a pass.
    static func bytes(_ name: String) -> [UInt8] {
        (try? Data(contentsOf: folder.appendingPathComponent(name))).map(Array.init) ?? []
    }

    static func json(_ name: String) -> JSONValue {
        JSONValue(bytes(name)) ?? .null
    }

    static func cases(_ name: String) -> [OCMCase] {
        (json(name)["cases"]?.array ?? []).map(OCMCase.init)
    }
}

/// One case, printed as its identifier.
struct OCMCase: Sendable, CustomStringConvertible {
    let json: JSONValue

    var id: String { json["id"]?.string ?? "?" }
    var description: String { id }

    /// The body of a response case.
    var body: [UInt8] {
        if let name = json["bodyFile"]?.string { return OCMFixtures.bytes(name) }
        return Array((json["bodyText"]?.string ?? "").utf8)
    }
}
