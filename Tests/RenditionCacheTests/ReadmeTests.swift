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

// Catalogue begins
func showBlog(_ service: RenditionService) async throws {
    let blog = try service.catalogue(of: "blog")  // Oracle Content Management
    let articles = try await blog.items(.equals("type", "Article"), fields: ["all"], orderBy: [.descending("name")])
    for article in articles.items {
        print(article.name ?? "", try article.string("image_caption"))
        guard let image = try article.asset("image").picture else { continue }
        _ = try await service.rendition(for: image.request(.named("Medium", format: .webp)))
    }
    let answer = try await service.catalogue(of: "wknd").run(PersistedQuery("wknd-shared/adventures-all"))  // AEM
    print(answer.nodes.count, answer.pictures.map(\.url))
    let trends = try await service.catalogue(of: "news").list("trends")  // microCMS
    print(trends.contents?.count ?? 0, trends.pictures.map(\.url))
}
// Catalogue ends
import Testing

@Suite struct ReadmeTests {
    @Test func `the README shows the example that is compiled here`() throws {
        let here = URL(fileURLWithPath: #filePath)
        let source = try String(contentsOf: here, encoding: .utf8)
        let root = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
        for name in ["README", "Catalogue"] {
            let begin = try #require(source.range(of: "// \(name) begins\n"))
            let end = try #require(source.range(of: "// \(name) ends"))
            #expect(readme.contains("```swift\n" + source[begin.upperBound..<end.lowerBound] + "```"), "\(name)")
        }
    }
}
