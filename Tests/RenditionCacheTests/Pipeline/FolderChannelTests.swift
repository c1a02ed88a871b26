import Foundation
import TestSupport
import Testing

@testable import RenditionCache

@Suite struct FolderChannelTests {
    private static let small = RenditionRequest.Selection.named("Small", format: nil)

    private func request(_ asset: AssetReference, _ selection: RenditionRequest.Selection = small) -> RenditionRequest {
        RenditionRequest(channel: "photos", asset: asset, selection: selection)
    }

    private func channel(_ folder: TemporaryFolder) -> ChannelSettings {
        ChannelSettings(name: "photos", kind: .folder(path: folder.path))
    }

    @Test func `when the folder is missing what was rendered of it is served by every name, also after a restart`()
        async throws
    {
        let folder = try TemporaryFolder()
        try folder.write(TestPicture.gradient(width: 400, height: 300), to: "sub/harbour.png")
        let clock = ManualTime(1_800_000_000)
        let first = try await TestService([channel(folder)], clock: clock)
        let names: [AssetReference] = [
            .id("sub/harbour"), .id("sub/harbour.png"), .slug("sub-harbour"),
            .id(PublishedID.ocm(channel: "photos", path: "sub/harbour.png")),
        ]
        for name in names { #expect(try await first.service.rendition(for: request(name)).summary == "rendition") }
        // An unchanged file is confirmed by every look at it, however long ago it was first read.
        clock.advance(by: 30 * 86_400)
        #expect(try await first.service.rendition(for: request(names[0])).summary == "rendition")
        try FileManager.default.removeItem(atPath: folder.path)
        for name in names {
            #expect(try await first.service.rendition(for: request(name)).summary == "stale origin-down")
        }
        await first.service.shutDown()

        let second = try await TestService([channel(folder)], cache: first.cache, clock: clock)
        for name in names {
            #expect(try await second.service.rendition(for: request(name)).summary == "stale origin-down", "\(name)")
        }
        await second.service.shutDown()
    }

    @Test func `a file that comes after it was asked for is there a second later`() async throws {
        let folder = try TemporaryFolder()
        let test = try await TestService([channel(folder)])
        let missing = RenditionError.assetNotFound(channel: "photos", asset: "new")
        await #expect(throws: missing) { try await test.service.rendition(for: request(.id("new"))) }
        try folder.write(TestPicture.gradient(width: 40, height: 30), to: "new.png")
        test.advance(1.1)
        #expect(try await test.service.rendition(for: request(.id("new"))).summary == "rendition")
        await test.service.shutDown()
    }

    @Test func `a picture that cannot be read is looked at by one worker, however many ask for its size`() async throws
    {
        let folder = try TemporaryFolder()
        try folder.write(Array(TestPicture.gradient(width: 40, height: 30).prefix(20)), to: "broken.png")
        let test = try await TestService([channel(folder)])
        for _ in 0..<2 {
            try await withThrowingTaskGroup(of: PixelSize?.self) { group in
                for _ in 0..<20 { group.addTask { try await test.service.asset(.id("broken"), in: "photos").size } }
                for try await size in group { #expect(size == nil) }
            }
        }
        #expect(test.service.metrics[.renderRefusals] == 1)
        await test.service.shutDown()
    }

    @Test func `an edited file is another version at once`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(TestPicture.gradient(width: 40, height: 30), to: "a.png")
        let test = try await TestService([channel(folder)])
        let before = try await test.service.rendition(for: request(.id("a"))).rendition
        try folder.write(TestPicture.gradient(width: 50, height: 30, seed: 9), to: "a.png")
        #expect(test.service.cached(request(.id("a"))) == nil)
        let after = try await test.service.rendition(for: request(.id("a"))).rendition
        #expect(before.size?.width == 40 && after.size?.width == 50)
        #expect(before.entityTag != after.entityTag)
        await test.service.shutDown()
    }
}
