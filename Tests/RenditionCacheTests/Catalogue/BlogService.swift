import RenditionCache
import TestSupport

/// A service on the blog, opened as an application opens one.
struct BlogService {
    let service: RenditionService
    private let cache: TemporaryFolder

    init(_ cms: BlogCMS, _ change: (inout OCMSettings) -> Void = { _ in }) async throws {
        cache = try TemporaryFolder()
        var settings = OCMSettings(url: cms.server.url, channelToken: BlogCMS.token)
        change(&settings)
        var configuration = Configuration()
        configuration.cache.directory = cache.file("cache")
        configuration.cache.keepFreeBytes = 0
        configuration.channels = [
            ChannelSettings(name: "blog", kind: .ocm(settings)),
            ChannelSettings(name: "photos", kind: .folder(path: cache.path)),
        ]
        service = try await RenditionService.open(configuration)
    }

    /// The bytes of a picture that has to be the CMS's own.
    func bytes(_ picture: PictureReference, _ selection: RenditionRequest.Selection) async throws -> [UInt8] {
        guard case .rendition(let rendition) = try await service.rendition(for: picture.request(selection)) else {
            return []
        }
        return try rendition.body.bytes()
    }
}
