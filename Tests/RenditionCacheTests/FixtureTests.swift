import Foundation
import TestSupport
import Testing

/// The fixtures here are those that came with the specification, to the byte; checked where those are at hand.
@Suite(.enabled(if: Corpus.folder != nil)) struct FixtureTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Fixtures")

    private static func names(_ cms: String) -> [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(cms).path)) ?? []
        return all.filter { $0 != "README.md" }.sorted()
    }

    @Test(arguments: [("ocm", 35), ("aem", 43), ("microcms", 36)])
    func `every fixture is what the specification has under its name`(_ cms: String, _ count: Int) throws {
        let names = Self.names(cms)
        #expect(names.count == count)
        for name in names {
            let here = Array(try Data(contentsOf: Self.folder.appendingPathComponent("\(cms)/\(name)")))
            #expect(try Corpus.fixture("\(cms)/\(name)") == here, "\(cms)/\(name)")
        }
    }
}
