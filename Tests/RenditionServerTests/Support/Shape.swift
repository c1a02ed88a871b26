import Foundation

/// The fixtures beside the package, where they are present.
enum Fixtures {
    static func ocm(_ name: String) -> [UInt8]? {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = package.appendingPathComponent("Tests/RenditionCacheTests/Fixtures/ocm/\(name)")
        return (try? Data(contentsOf: file)).map { Array($0) }
    }
}

/// What a JSON text is made of, apart from its values.
struct Shape {
    /// Every path with the kind of what is there, array indices left out.
    let paths: Set<String>
    /// Every key in the order of the text.
    let order: [String]

    init(_ bytes: [UInt8]) throws {
        let json = try JSONSerialization.jsonObject(with: Data(bytes))
        paths = Self.paths(of: json, at: "")
        let text = String(decoding: bytes, as: UTF8.self)
        order = text.matches(of: /"([A-Za-z:]+)"\s*:/).map { String($0.1) }
    }

    private static func paths(of json: Any, at path: String) -> Set<String> {
        switch json {
        case let object as [String: Any]:
            object.reduce(into: [path + " object"]) { $0.formUnion(paths(of: $1.value, at: "\(path)/\($1.key)")) }
        case let array as [Any]: array.reduce(into: [path + " array"]) { $0.formUnion(paths(of: $1, at: "\(path)[]")) }
        case is String: [path + " string"]
        case is NSNull: [path + " null"]
        default: [path + " number"]
        }
    }
}
