import RenditionCache

/// rcache's own URLs: `/v1/{channel}/{id…}/{rendition}`.
struct OwnSurface: Sendable {
    private let service: any RenditionServing

    /// The surface of a service.
    init(_ service: any RenditionServing) { self.service = service }

    /// Reads a target.
    func route(_ target: RequestTarget, caller: Caller) -> Route {
        do throws(RequestError) {
            guard let request = try OwnDialect.request(target, presets: service.configuration.presets) else {
                return .refusal(.notFound, surface: .own)
            }
            guard let channel = service.configuration.channels.first(where: { $0.name == request.channel }) else {
                let refusal = Refusal.rendition(.unknownChannel(request.channel, known: []))
                return .refusal(refusal, surface: .own, isNegotiated: request.isNegotiated)
            }
            if let refusal = caller.refusal(from: channel) {
                return .refusal(refusal, surface: .own, isNegotiated: request.isNegotiated)
            }
            return .picture(
                PictureQuery(candidates: [request], surface: .own, caching: channel.isPublic ? .lifetime : .never)
            )
        } catch {
            return .refusal(.parameters(error), surface: .own)
        }
    }
}

extension ChannelSettings {
    /// Whether its assets are files that are published under made-up identifiers.
    var isFolder: Bool {
        if case .folder = kind { return true }
        return false
    }
}
