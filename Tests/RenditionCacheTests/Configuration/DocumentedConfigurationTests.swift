import Foundation
import RenditionCache
import TestSupport
import Testing

/// The configurations that the documentation shows.
@Suite struct DocumentedConfigurationTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The texts between "```json5" and "```" of a page.
    private static func examples(_ page: String) throws -> [String] {
        let text = try String(contentsOf: root.appendingPathComponent(page), encoding: .utf8)
        return text.components(separatedBy: "```json5\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
    }

    /// Reads an example where the files of the sample apps lie beside it and every variable is set.
    private static func channels(_ text: String) throws -> [String] {
        let folder = try TemporaryFolder()
        let credentials = #"{ "url": "https://ocm.example.com", "channelToken": "t0ken" }"#
        try credentials.write(toFile: folder.file("credentials.json"), atomically: true, encoding: .utf8)
        try "AEM_SCHEME = https\nAEM_HOST = publish.example.com\n"
            .write(toFile: folder.file("Config.xcconfig"), atomically: true, encoding: .utf8)
        let configuration = try Configuration.parse(text, baseDirectory: folder.path, environment: { _ in "s3cret" })
        return configuration.channels.map(\.kind.name)
    }

    @Test func `the README's configuration is a good one, with a channel of every kind`() throws {
        let examples = try Self.examples("README.md")
        #expect(examples.count == 1)
        for example in examples {
            #expect(try Self.channels(example).sorted() == ["aem", "folder", "http", "microcms", "ocm"])
        }
    }

    @Test func `every channel of the page on channels is a good one`() throws {
        let kinds = try Self.examples("docs/channels.md").map { try Self.channels("{ channels: { \($0) } }") }
        #expect(kinds == [["ocm", "ocm"], ["aem", "aem"], ["microcms"], ["http", "http"], ["folder"]])
    }
}
