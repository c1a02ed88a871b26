/// A channel's content, read from its CMS and not cached; the pictures that it shows come through the service.
///
/// ```swift
/// let catalogue = try service.catalogue(of: "blog")
/// let page = try await catalogue.items(.equals("type", "Article"), fields: ["all"])
/// for picture in page.pictures { _ = try await service.rendition(for: picture.request(.named("Medium", format: nil))) }
/// ```
///
/// What a CMS of another kind is asked for is an error, `RequestError.notOffered`, before any request.
public struct Catalogue: Sendable {
    let service: RenditionService
    let channel: Channel

    /// The channel's name in the configuration.
    public var name: String { channel.name }

    /// Asks the channel's CMS, if it is one of this kind.
    ///
    /// - Parameter what: what is asked for, in the plural, for the error of a channel that has nothing of the sort.
    func asking<Speaker: Origin, Answer>(
        _ kind: Speaker.Type,
        for what: String,
        _ question: (Speaker) async throws(OriginError) -> Answer
    ) async throws(RenditionError) -> Answer {
        guard let origin = channel.origin as? Speaker else {
            throw .request(.notOffered(what: what, kind: channel.settings.kind.name))
        }
        do throws(OriginError) {
            return try await question(origin)
        } catch {
            throw RenditionError(error)
        }
    }

    /// What the content itself says of its pictures need not be asked for again.
    func learn(_ assets: some Sequence<Asset>) {
        for asset in assets where asset.updatedSeconds != nil { _ = service.records.learn(asset, in: channel) }
    }
}

extension RenditionService {
    /// The content of a channel; throws `unknownChannel`.
    public func catalogue(of channel: String) throws(RenditionError) -> Catalogue {
        Catalogue(service: self, channel: try self.channel(channel))
    }
}
