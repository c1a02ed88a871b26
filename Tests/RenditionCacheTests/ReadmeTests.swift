import Foundation
// README begins
import RenditionCache

func showHarbour() async throws {
    let service = try await RenditionService.open(.folder("photos"))
    let harbour = RenditionRequest(channel: "photos", asset: .id("harbour"), selection: .named("Medium", format: .webp))
    switch try await service.rendition(for: harbour) {
    case .rendition(let picture): print(picture.mediaType, try picture.body.bytes().count)
    case .stale(let picture, let cause): print("last good version, because \(cause)", picture.fileName)
    case .placeholder(let picture, let cause): print("stand-in of", picture.size as Any, "because \(cause)")
    }
    for try await event in service.warm(WarmPlan(channel: "photos")) {
        if case .failed(let asset, let form, let reason) = event { print(asset.name, form, reason) }
    }
    await service.shutDown()
}
// README ends
import Testing

@Suite struct ReadmeTests {
    @Test func `the README shows the example that is compiled here`() throws {
        let here = URL(fileURLWithPath: #filePath)
        let source = try String(contentsOf: here, encoding: .utf8)
        let begin = try #require(source.range(of: "// README begins\n"))
        let end = try #require(source.range(of: "// README ends"))
        let root = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
        #expect(readme.contains("```swift\n" + source[begin.upperBound..<end.lowerBound] + "```"))
    }
}
