import RenditionCache
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct UsedPicturesTests {
    private let cms: BlogCMS
    private let blog: BlogService

    init() async throws {
        cms = try BlogCMS()
        blog = try await BlogService(cms)
    }

    private func listed(_ scope: CatalogueScope, limit: Int = 100) async throws -> [Asset] {
        var assets: [Asset] = []
        var cursor: CatalogueCursor? = .start
        while let start = cursor {
            let page = try await blog.service.assets(in: "blog", of: scope, at: start, limit: limit)
            assets += page.assets
            cursor = page.next
        }
        return assets
    }

    @Test func `used are the pictures of fields, lists, expanded items and rich text, and no others`() async throws {
        let used = try await listed(.used)
        #expect(Set(used.map(\.id)) == BlogCMS.used && used.count == BlogCMS.used.count)
        let all = try await listed(.all).filter(\.isDigitalAsset)
        #expect(all.map(\.id).contains(BlogCMS.unused))
        #expect(Set(all.map(\.id)).isSuperset(of: BlogCMS.used))
    }

    @Test func `they come with version and, where content says their type, renditions`() async throws {
        let used = try await listed(.used)
        #expect(used.allSatisfy { $0.version != nil })
        #expect(used.filter { $0.renditions == nil }.map(\.id) == [BlogCMS.inText])
    }

    @Test func `later pages keep to the walk of the first, a new first page walks anew`() async throws {
        let paged = try await listed(.used, limit: 2)
        #expect(Set(paged.map(\.id)) == BlogCMS.used)
        let walks = cms.targets.filter { !$0.contains("q=") }.count
        #expect(walks == 1, "\(cms.targets)")
        _ = try await listed(.used)
        #expect(cms.targets.filter { !$0.contains("q=") }.count == 2)
    }

    @Test func `what content refers to and is not published is left out`() async throws {
        cms.remove(BlogCMS.logo)
        cms.remove(BlogCMS.hero)
        let used = try await listed(.used, limit: 1)
        #expect(Set(used.map(\.id)) == BlogCMS.used.subtracting([BlogCMS.logo, BlogCMS.hero]))
    }

    @Test func `a warm of what is used touches nothing else`() async throws {
        var plan = WarmPlan(channel: "blog", selections: [.native])
        plan.scope = .used
        var done: [String] = []
        for try await event in blog.service.warm(plan) {
            if case .done(let asset, _) = event { done.append(asset.id) }
        }
        #expect(Set(done) == BlogCMS.used)
        let natives = cms.targets.filter { $0.hasPrefix("assets/") }
        #expect(natives.count == BlogCMS.used.count)
        await blog.service.shutDown()
    }

    @Test func `in a folder everything is used`() async throws {
        let page = try await blog.service.assets(in: "photos", of: .used, limit: 10)
        #expect(page == (try await blog.service.assets(in: "photos", of: .all, limit: 10)))
    }
}
