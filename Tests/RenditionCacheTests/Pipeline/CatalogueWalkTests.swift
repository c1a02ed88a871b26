import Testing

@testable import RenditionCache

@Suite struct CatalogueWalkTests {
    private func page(_ ids: [Int], next: Int?) -> AssetPage {
        AssetPage(assets: ids.map { Asset(id: "\($0)", name: "") }, next: next.map { CatalogueCursor(offset: $0) })
    }

    private func isEndless(_ body: () throws(RenditionError) -> Void) -> Bool {
        do throws(RenditionError) {
            try body()
            return false
        } catch .origin(.unusable(host: "blog", status: 200, detail: _)) {
            return true
        } catch {
            return false
        }
    }

    @Test func `each asset comes once, and items may shift between pages`() throws {
        var walk = CatalogueWalk(channel: "blog")
        #expect(walk.cursor?.offset == 0)
        #expect(try walk.take(page([1, 2], next: 2)).map(\.id) == ["1", "2"])
        #expect(try walk.take(page([2, 1], next: 4)) == [])
        #expect(try walk.take(page([2, 3], next: 6)).map(\.id) == ["3"])
        #expect(walk.cursor?.offset == 6)
        #expect(try walk.take(page([], next: nil)) == [])
        #expect(walk.cursor == nil && walk.count == 3)
    }

    @Test func `names that look the same are two if their bytes differ`() throws {
        var walk = CatalogueWalk(channel: "blog")
        let ids = ["\u{E9}", "e\u{301}", "\u{E9}"]
        let assets = try walk.take(AssetPage(assets: ids.map { Asset(id: $0, name: "") }))
        #expect(assets.map { Array($0.id.utf8) } == ids.prefix(2).map { Array($0.utf8) })
    }

    @Test func `a listing that repeats itself for ever is left`() throws {
        var walk = CatalogueWalk(channel: "blog")
        _ = try walk.take(page([1], next: 1))
        for next in 2...4 { _ = try walk.take(page([1], next: next)) }
        #expect(isEndless { () throws(RenditionError) in _ = try walk.take(page([1], next: 5)) })
    }

    @Test func `a listing that goes on for ever with nothing is left, one that ends is not`() throws {
        var walk = CatalogueWalk(channel: "blog")
        for next in 1...3 { _ = try walk.take(page([], next: next)) }
        var other = walk
        #expect(try other.take(page([], next: nil)) == [])
        #expect(isEndless { () throws(RenditionError) in _ = try walk.take(page([], next: 4)) })
    }

    @Test func `many pages without anything new mean nothing where the origin sees to their end`() throws {
        var walk = CatalogueWalk(channel: "blog")
        for next in 1...50 {
            var page = page([1], next: next)
            page.endsByItself = true
            _ = try walk.take(page)
        }
        #expect(walk.count == 1 && walk.cursor?.offset == 50)
    }

    @Test func `more assets than can be are not believed`() throws {
        var walk = CatalogueWalk(channel: "blog", maxAssets: 3)
        _ = try walk.take(page([1, 2, 3], next: 3))
        #expect(isEndless { () throws(RenditionError) in _ = try walk.take(page([4], next: 4)) })
    }
}
