import Foundation

/// The shared pictures, where they are at hand.
package enum Corpus {
    /// The folder beside the package, or nil.
    package static let folder: String? = {
        let package = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardized
        let folder = package.deletingLastPathComponent().appendingPathComponent("shared/corpus").path
        return FileManager.default.fileExists(atPath: folder) ? folder : nil
    }()

    /// The pictures in it, by name.
    package static let names: [String] =
        folder.map { folder in
            let all = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return all.filter { !$0.hasSuffix(".md") && !$0.hasSuffix(".tsv") }.sorted()
        } ?? []

    /// A picture's bytes.
    package static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: (folder ?? "") + "/" + name)))
    }

    /// A file of the shared fixtures; nil where they are not at hand.
    package static func fixture(_ path: String) throws -> [UInt8]? {
        guard let folder else { return nil }
        let file = URL(fileURLWithPath: folder).deletingLastPathComponent().appendingPathComponent("fixtures/" + path)
        return FileManager.default.fileExists(atPath: file.path) ? Array(try Data(contentsOf: file)) : nil
    }
}
