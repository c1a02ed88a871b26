import RenditionCache
import TestSupport
import Testing

/// AEM's and microCMS' content and pictures as a Swift program sees them: through the public library alone.
@Suite struct OtherKindsTests {
    private static let picture = TestPicture.gradient(width: 300, height: 200)

    private func open(_ kind: ChannelSettings.Kind, in folder: TemporaryFolder) async throws -> RenditionService {
        var configuration = Configuration()
        configuration.cache.directory = folder.file("cache")
        configuration.cache.keepFreeBytes = 0
        configuration.channels = [ChannelSettings(name: "news", kind: kind)]
        return try await RenditionService.open(configuration)
    }

    @Test func `a persisted query yields the pictures that an app of AEM would load`() async throws {
        let list = AEMFixtures.bytes("adventures-all.json")
        let server = try LoopbackOrigin { request in
            if request.path.hasPrefix("/graphql/execute.json/wknd-shared/adventures-all") {
                return .init(type: "application/json", body: list)
            }
            return request.path.hasPrefix("/content/dam/") ? .init(type: "image/png", body: Self.picture) : .init(404)
        }
        let folder = try TemporaryFolder()
        let service = try await open(.aem(AEMSettings(url: server.url)), in: folder)
        let catalogue = try service.catalogue(of: "news")
        let answer = try await catalogue.run(try PersistedQuery("wknd-shared/adventures-all;imageWidth=50"))
        #expect(answer.nodes.count == 16 && answer.pictures.count == 16)
        let first = try #require(answer.pictures.first)
        #expect(first.url.hasPrefix("/adobe/dynamicmedia/deliver/dm-aid--"))
        let small = Transform(resize: .inside(width: 50, height: nil))
        let request = catalogue.reference(to: first).request(.transform(small))
        let rendition = try await service.rendition(for: request).rendition
        #expect(rendition.size == PixelSize(width: 50, height: 33))
        await #expect(throws: RenditionError.self) { _ = try await catalogue.list("trends") }
        let missing = await #expect(throws: RenditionError.self) {
            try await catalogue.run(try PersistedQuery("wknd-shared/missing"))
        }
        guard case .origin(.notFound)? = missing else {
            Issue.record("\(missing as Any)")
            return
        }
        await service.shutDown()
    }

    @Test func `a list of microCMS yields the pictures of its contents`() async throws {
        let images = try LoopbackOrigin { _ in .init(type: "image/png", body: Self.picture) }
        let server = try LoopbackOrigin { request in
            guard request["X-MICROCMS-API-KEY"] == "key-of-the-test" else { return .json("{}", status: 401) }
            let url = "\(images.url)/assets/service/media/a%20b.png?w=100"
            return .json(
                #"{"contents":[{"id":"a","image":{"url":"\#(url)","width":300,"height":200}}],"totalCount":1,"offset":0,"limit":10}"#
            )
        }
        var settings = MicroCMSSettings(url: server.url, apiKey: "key-of-the-test")
        settings.imageHosts = [images.url]
        let folder = try TemporaryFolder()
        let service = try await open(.microcms(settings), in: folder)
        let catalogue = try service.catalogue(of: "news")
        var query = MicroCMSQuery()
        query.limit = 10
        let document = try await catalogue.list("trends", query)
        let picture = try #require(document.pictures.first)
        #expect(picture.query == "w=100" && document.totalCount == 1)
        let rendition = try await service.rendition(for: catalogue.reference(to: picture).request()).rendition
        #expect(try rendition.body.bytes() == Self.picture)
        #expect(images.requests.allSatisfy { $0["X-MICROCMS-API-KEY"] == nil })
        #expect(images.requests.map(\.path) == ["/assets/service/media/a%20b.png"])
        await service.shutDown()
    }
}
