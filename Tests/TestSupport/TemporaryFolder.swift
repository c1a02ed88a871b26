import Foundation

/// A folder of one test's own, removed with its last reference.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        _ = DescriptorLimit.isRaised
        path = FileManager.default.temporaryDirectory.appendingPathComponent("rcache-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package func file(_ name: String) -> String { path + "/" + name }

    @discardableResult
    package func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
        let target = URL(fileURLWithPath: file(name))
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(bytes).write(to: target)
        return target.path
    }

    /// Writes an executable shell script; returns its path.
    package func script(_ body: String, named name: String) throws -> String {
        let path = try write("#!/bin/sh\n\(body)\n".utf8, to: name)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return path
    }
}
