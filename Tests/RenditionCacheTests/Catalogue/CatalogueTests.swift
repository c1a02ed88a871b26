import RenditionCache
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct CatalogueTests {
    private let cms: BlogCMS
    private let blog: BlogService
    private let catalogue: Catalogue

    init() async throws {
        cms = try BlogCMS()
        blog = try await BlogService(cms)
        catalogue = try blog.service.catalogue(of: "blog")
    }

    @Test func `an item is read by slug, with what its type is made of`() async throws {
        let article = try await catalogue.item(.slug("1481786063001-the-slow-pour"), expand: [])
        #expect(article.id == BlogCMS.article && article.type == "OCEGettingStartedArticle")
        #expect(article.language == "en-US" && !article.isDigitalAsset && article.picture == nil)
        #expect(article.createdSeconds == 1_676_393_440.032 && article.updatedSeconds == 1_678_812_640.032)
        #expect(article.fields?["image_caption"]?.string == "A slow pour")
        #expect(throws: ContentFieldError.fieldNotFound("nope")) { try article.string("nope") }
        #expect(throws: ContentFieldError.couldNotParse("author")) { try article.int("author") }
        #expect(cms.targets.last == "items/.by.slug/1481786063001-the-slow-pour?channelToken=\(BlogCMS.token)")
    }

    @Test func `every item comes once, page after page`() async throws {
        var search = OCMSearch()
        search.limit = 4
        var ids: [String] = []
        for try await item in catalogue.allItems(search) { ids.append(item.id) }
        #expect(ids.count == 17 && Set(ids).count == 17)
        #expect(cms.targets.count == 5)
    }

    @Test func `a listing that never ends is left`() async throws {
        cms.answer { _ in .json(#"{"items":[{"id":"A"}],"hasMore":true,"count":1}"#) }
        var ids: [String] = []
        await #expect(throws: RenditionError.self) {
            for try await item in catalogue.allItems() { ids.append(item.id) }
        }
        #expect(ids == ["A"] && cms.targets.count <= 6)
    }

    @Test func `the pictures of a page are those of its items, each once`() async throws {
        let page = try await catalogue.items(.equals("type", "OCEGettingStartedArticle"), fields: ["all"])
        let ids = Set(page.pictures.map(\.reference.description))
        #expect(ids.isSubset(of: BlogCMS.used) && ids.count == page.pictures.count && ids.contains(BlogCMS.hero))
    }

    @Test func `languages are listed, and one is read`() async throws {
        let languages = try await catalogue.variations(of: .id(BlogCMS.article))
        #expect(languages.masterID == BlogCMS.article && languages.setID == "B34F43212D1C1285E053020011AC3652")
        #expect(languages.variations.map(\.language) == ["en-US", "fr"])
        let slug = AssetReference.slug("1481786063001-the-slow-pour")
        #expect(try await catalogue.item(slug, language: "fr-CA").id == BlogCMS.article)
        let path = "items/.by.slug/1481786063001-the-slow-pour/variations/language/fr-CA"
        #expect(cms.targets.last == "\(path)?channelToken=\(BlogCMS.token)&fields=all")
    }

    @Test func `taxonomies are listed`() async throws {
        let page = try await catalogue.taxonomies()
        #expect(page.total == 1 && page.nextOffset == nil)
        let taxonomy = try #require(page.items.first)
        #expect(taxonomy.name == "Menu" && taxonomy.shortName == "MNU" && taxonomy.summary == "")
        #expect(taxonomy.customProperties == ["region": "north"] && taxonomy.createdSeconds == 1_676_393_440.032)
    }

    @Test func `categories are read with their path and children`() async throws {
        cms.answer { _ in
            .json(
                """
                {"id":"C1","name":"Hot","apiName":"hot","position":2,"nodes":[{"id":"R","name":"Root"},{"id":"C1"}],
                 "children":{"items":[{"id":"C2","name":"Tea"},{"name":"without an identifier"}]},"keywords":["a"]}
                """
            )
        }
        let category = try await catalogue.category("C1", of: "T", fields: ["keywords"])
        #expect(category.name == "Hot" && category.position == 2 && category.nodes.map(\.id) == ["R", "C1"])
        #expect(category.children.map(\.name) == ["Tea"] && category.json["keywords"]?.array?.count == 1)
    }

    @Test func `a query or page that cannot be sent is refused before any request`() async throws {
        await #expect(throws: RenditionError.self) { try await catalogue.items(.equals("name", "a\"b")) }
        for (limit, offset) in [(501, 0), (-1, 0), (1, -1)] {
            await #expect(throws: RenditionError.self) { try await catalogue.items(limit: limit, offset: offset) }
        }
        #expect(cms.targets.isEmpty)
    }

    @Test func `a channel of another kind has no content items, a channel that is not there no catalogue`() async throws
    {
        let photos = try blog.service.catalogue(of: "photos")
        await #expect(throws: RenditionError.request(.notOffered(what: "content items", kind: "folder"))) {
            try await photos.items()
        }
        await #expect(throws: RenditionError.request(.notOffered(what: "taxonomies", kind: "folder"))) {
            try await photos.taxonomies()
        }
        #expect(throws: RenditionError.unknownChannel("nope", known: ["blog", "photos"])) {
            try blog.service.catalogue(of: "nope")
        }
    }

    @Test func `what the CMS says of a refusal is told`() async throws {
        cms.answer { _ in .json(#"{"title":"Invalid Query","detail":"Type with name x is not found"}"#, status: 400) }
        let error = await #expect(throws: RenditionError.self) { try await catalogue.items(.equals("type", "x")) }
        #expect(error.map { "\($0)" }?.contains("Type with name x is not found") == true)
    }

    @Test func `one call may have another token, version and header fields`() async throws {
        var call = OCMCall()
        (call.channelToken, call.version, call.additionalHeaders) = ("other", .v1, ["X-Extra": "1"])
        cms.answer { _ in .json(#"{"id":"A"}"#) }
        _ = try await catalogue.item(.id("A"), call: call)
        let request = try #require(cms.server.requests.last)
        #expect(request.path == "/content/published/api/v1/items/A" && request.query["channelToken"] == "other")
        #expect(request["X-Extra"] == "1" && request["X-Requested-With"] == "XMLHttpRequest")
    }

    @Test func `another instance gets neither the channel's credential nor its header fields`() async throws {
        let other = try LoopbackOrigin { _ in .json(#"{"id":"A"}"#) }
        let secure = try await BlogService(cms) {
            ($0.authentication, $0.headers) = (.bearer(token: "t0ken-of-7-days"), ["X-Site": "7"])
        }
        var call = OCMCall()
        call.url = other.url
        _ = try await secure.service.catalogue(of: "blog").item(.id("A"), call: call)
        let request = try #require(other.requests.last)
        #expect(request["Authorization"] == nil && request["X-Site"] == nil)
    }
}
