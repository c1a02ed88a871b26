import Foundation
import TestSupport
import Testing

@testable import RenditionCache

/// The microCMS cases that came with the specification.
enum MicroCMSFixtures {
    private static let folder = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Fixtures/microcms")
        .standardized

    /// The bytes of a fixture; empty if it is missing, which no test takes for a pass.
    static func bytes(_ name: String) -> [UInt8] {
        (try? Data(contentsOf: folder.appendingPathComponent(name))).map(Array.init) ?? []
    }

    static func json(_ name: String) -> JSONValue { JSONValue(bytes(name)) ?? .null }

    /// The names of all that begin so.
    static func names(_ prefix: String) -> [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return all.filter { $0.hasPrefix(prefix) }.sorted()
    }

    /// An error as the server would send it.
    static func answer(_ name: String) throws -> LoopbackOrigin.Response {
        let json = json(name)
        let headers = (json["headers"]?.object ?? [:]).compactMap { name, value in value.string.map { (name, $0) } }
        let body =
            if let raw = json["rawBody"]?.string { Array(raw.utf8) } else {
                Array(try #require(json["body"]).text.utf8)
            }
        let sent = headers.filter { $0.0.lowercased() != "content-length" }
        return .init(try #require(json["status"]?.int), headers: sent.map { (name: $0.0, value: $0.1) }, body: body)
    }
}

extension JSONValue {
    /// Written out again; members by name.
    var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .int(let value): "\(value)"
        case .double(let value): "\(value)"
        case .string(let value): Self.quoted(value)
        case .array(let elements): "[\(elements.map(\.text).joined(separator: ","))]"
        case .object(let members):
            "{\(members.sorted { $0.key < $1.key }.map { "\(Self.quoted($0.key)):\($0.value.text)" }.joined(separator: ","))}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var shown = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": shown += "\\\(scalar)"
            case _ where scalar.value < 0x20:
                shown += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: shown.unicodeScalars.append(scalar)
            }
        }
        return shown + "\""
    }
}
