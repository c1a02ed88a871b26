import Foundation
import TestSupport
import Testing

@testable import RenditionCache

@Suite struct FolderTests {
    static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 0]

    private func origin(_ folder: TemporaryFolder, now: @escaping @Sendable () -> Double = { 1000 }) -> FolderOrigin {
        FolderOrigin(channel: "photos", root: folder.path, pool: BlockingPool(threads: 1), now: now)
    }

    struct IDCase: Sendable, CustomTestStringConvertible {
        let paths: [String]
        let ids: [String]
        var testDescription: String { paths.joined(separator: " ") }
    }

    static let idCases: [IDCase] = [
        IDCase(paths: ["a.jpg"], ids: ["a"]),
        IDCase(paths: ["a.jpg", "a.png"], ids: ["a", "a.png"]),
        IDCase(paths: ["a.png", "a.webp"], ids: ["a", "a.webp"]),
        IDCase(paths: ["a.avif", "a.webp"], ids: ["a.avif", "a"]),
        IDCase(paths: ["a.jpeg", "a.jpg"], ids: ["a", "a.jpg"]),
        IDCase(paths: ["a", "a.jpg"], ids: ["a", "a.jpg"]),
        IDCase(paths: ["x/a.jpg", "y/a.jpg"], ids: ["x/a", "y/a"]),
        IDCase(paths: [".jpg"], ids: [".jpg"]),
        IDCase(paths: ["a.b.jpg", "a.b/c.jpg"], ids: ["a.b", "a.b/c"]),
        IDCase(paths: ["x.y/a"], ids: ["x.y/a"]),
        // They look the same, and are two files.
        IDCase(paths: ["e\u{301}.jpg", "\u{E9}.jpg"], ids: ["e\u{301}", "\u{E9}"]),
    ]

    @Test(arguments: idCases)
    func `an id is the path without extension, unless another file has it`(_ item: IDCase) {
        #expect(FolderCatalogue.ids(of: item.paths) == item.ids)
    }

    @Test func `a picture answers to its id, its path, its published id and its slug`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.jpeg, to: "Trips/My Photo 100%.jpg")
        let origin = origin(folder)
        let asset = try await origin.asset(.id("Trips/My Photo 100%"))
        #expect(asset.name == "My Photo 100%.jpg")
        #expect(asset.path == "Trips/My Photo 100%.jpg")
        #expect(asset.byteCount == Self.jpeg.count)
        #expect(asset.slug == "trips-my-photo-100")
        let published = PublishedID.ocm(channel: "photos", path: "Trips/My Photo 100%.jpg")
        #expect(published.wholeMatch(of: /CONT[0-9A-F]{32}/) != nil)
        for reference in [AssetReference.id("Trips/My Photo 100%.jpg"), .id(published), .slug("trips-my-photo-100")] {
            #expect(try await origin.asset(reference) == asset)
        }
        await #expect(throws: OriginError.notFound("nope")) { try await origin.asset(.id("nope")) }
    }

    @Test func `files that are no pictures by content are left out with their reason, whatever their names say`()
        async throws
    {
        let folder = try TemporaryFolder()
        try folder.write(Self.jpeg, to: "picture.txt")
        try folder.write(Array("hello".utf8), to: "text.jpg")
        try folder.write([], to: "empty.png")
        try folder.write(Self.jpeg, to: ".hidden.jpg")
        let page = try await origin(folder).page(at: .start, limit: 10)
        #expect(page.assets.map(\.id) == ["picture"])
        #expect(page.assets.first?.mediaType == "image/jpeg")
        #expect(
            page.skipped == [
                SkippedFile(name: "empty.png", reason: "an empty file"),
                SkippedFile(name: "text.jpg", reason: "not a picture by its content"),
            ]
        )
    }

    @Test func `what cannot be looked at is left out with what stands in its way`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.jpeg, to: "picture.jpg")
        try FileManager.default.createSymbolicLink(atPath: folder.file("link.jpg"), withDestinationPath: "picture.jpg")
        try folder.write(Self.jpeg, to: "b")
        var odd = Array(folder.file("odd").utf8CString.dropLast())
        odd += [CChar(bitPattern: 0xFF), 0]
        try #require(mkfifo(folder.file("pipe"), 0o600) == 0)
        try #require(rename(folder.file("b"), odd) == 0)
        let page = try await origin(folder).page(at: .start, limit: 10)
        #expect(page.assets.map(\.id) == ["picture"])
        #expect(
            page.skipped == [
                SkippedFile(name: "link.jpg", reason: "a symbolic link, which is not followed"),
                SkippedFile(name: "odd\u{FFFD}", reason: "a name that is not UTF-8"),
            ]
        )
    }

    @Test func `pages cut the sorted list, and later pages keep to the first one's scan`() async throws {
        let folder = try TemporaryFolder()
        for name in ["c.jpg", "a.jpg", "b.jpg"] { try folder.write(Self.jpeg, to: name) }
        let origin = origin(folder)
        let first = try await origin.page(at: .start, limit: 2)
        try folder.write(Self.jpeg, to: "0.jpg")
        let second = try await origin.page(at: CatalogueCursor(offset: 2), limit: 2)
        #expect(first.assets.map(\.id) == ["a", "b"] && first.next?.offset == 2 && first.total == 3)
        #expect(second.assets.map(\.id) == ["c"] && second.next == nil)
        #expect(try await origin.page(at: .start, limit: 0).next == nil)
    }

    @Test func `no link leads out of the folder, and none is followed inside it`() async throws {
        let folder = try TemporaryFolder()
        let outside = try TemporaryFolder()
        let secret = try outside.write(Self.jpeg, to: "secret.jpg")
        try folder.write(Self.jpeg, to: "real.jpg")
        try FileManager.default.createSymbolicLink(atPath: folder.file("link.jpg"), withDestinationPath: secret)
        try FileManager.default.createSymbolicLink(atPath: folder.file("sub"), withDestinationPath: outside.path)
        #expect(try await origin(folder).page(at: .start, limit: 10).assets.map(\.id) == ["real"])
        for path in ["link.jpg", "sub/secret.jpg", "../x.jpg", "./real.jpg", "", "real.jpg/", "/real.jpg", "a\0.jpg"] {
            #expect(throws: OriginError.notFound(path)) { try FolderFile.open(path, below: folder.path) }
        }
        #expect(try FolderFile.open("real.jpg", below: folder.path).file.byteCount == Self.jpeg.count)
    }

    @Test func `a missing root is down, a missing file is gone`() async throws {
        let folder = try TemporaryFolder()
        await #expect(throws: OriginError.notFound("a")) { try await origin(folder).asset(.id("a")) }
        try FileManager.default.removeItem(atPath: folder.path)
        await #expect {
            try await origin(folder).asset(.id("a"))
        } throws: { error in
            if case OriginError.folderMissing = error { true } else { false }
        }
    }

    @Test func `a change to a file changes its identity`() throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.jpeg, to: "a.jpg")
        let before = try FolderFile.open("a.jpg", below: folder.path).identity
        #expect(try FolderFile.open("a.jpg", below: folder.path).identity == before)
        try folder.write(Self.jpeg + [1], to: "a.jpg")
        #expect(try FolderFile.open("a.jpg", below: folder.path).identity != before)
    }
}
