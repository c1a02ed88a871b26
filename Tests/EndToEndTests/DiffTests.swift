import Foundation
import TestSupport
import Testing

/// `rcache diff`.
@Suite struct DiffTests {
    private let folder: TemporaryFolder
    private static let picture = TestPicture.gradient(width: 40, height: 20, seed: 1)

    init() throws {
        folder = try TemporaryFolder()
        for name in ["kept", "edited", "deleted"] { try folder.write(Self.picture, to: "photos/\(name).png") }
        try folder.write(Self.picture.prefix(600), to: "photos/broken.png")
    }

    private func run(_ arguments: String...) async throws -> CommandRun {
        try await CommandRun(arguments + ["--folder", "photos"], in: folder.path)
    }

    /// What is listed, by sort and identifier, and the line behind it.
    private func differences() async throws -> (Set<String>, [String: Any]) {
        let run = try await run("diff", "--json")
        #expect(run.status == 0, "\(run.messages)")
        let objects = try run.objects()
        let listed = objects.dropLast().map { "\($0["difference"] ?? "") \($0["id"] ?? "")" }
        return (Set(listed), try #require(objects.last))
    }

    @Test func `diff tells what the next warm would find, before the first one and after`() async throws {
        let before = try await run("diff")
        #expect(before.status == 0 && before.messages.contains("photos was never warmed: 0 added"))
        #expect(before.output.split(separator: "\n").count { $0.hasPrefix("never warmed") } == 4)
        #expect(try await run("warm", "--rendition", "Thumbnail").status == 1)
        let (same, first) = try await differences()
        #expect(same == ["never warmed broken"])
        #expect(first["unchanged"] as? Int == 3 && first["lastWarmFinished"] as? Bool == true)
        try folder.write(Self.picture, to: "photos/new.png")
        try folder.write(TestPicture.gradient(width: 60, height: 20, seed: 2), to: "photos/edited.png")
        try FileManager.default.removeItem(atPath: folder.file("photos/deleted.png"))
        let (changed, second) = try await differences()
        #expect(changed == ["added new", "changed edited", "removed deleted", "never warmed broken"])
        #expect(
            ["added", "changed", "removed", "neverWarmed", "unchanged"].map { second[$0] as? Int } == [1, 1, 1, 1, 1]
        )
        #expect(try await run("warm", "--rendition", "Thumbnail").status == 1)
        #expect(try await differences().0 == ["never warmed broken"])
    }
}
