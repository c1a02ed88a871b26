import RenditionCache

/// Where a target leads.
enum Route: Sendable {
    /// A finished answer.
    case answer(Answer)
    /// An answer that takes its time.
    case document(surface: SurfaceKind, @Sendable () async throws(Refusal) -> Answer)
    /// A picture.
    case picture(PictureQuery)
    /// Nothing to be had; whether it is negotiated who is told so differs from the rest.
    case refusal(Refusal, surface: SurfaceKind, isNegotiated: Bool = false)
}

/// Path → handler, nothing else.
struct Routes: Sendable {
    private let own: OwnSurface
    private let ocm: OCMSurface
    private let health: HealthCheck

    /// The routes to a service.
    init(_ service: any RenditionServing, waiting: @escaping @Sendable () -> Int) {
        own = OwnSurface(service)
        ocm = OCMSurface(service)
        health = HealthCheck(service, waiting: waiting)
    }

    /// Reads a raw target.
    ///
    /// - Parameters:
    ///   - base: scheme, host and port that links are to begin with, as the client knows them.
    ///   - caller: what came in header fields of who asks; a token in the query goes before.
    func route(_ raw: [UInt8], base: String, caller: Caller) -> Route {
        let target: RequestTarget
        do {
            target = try RequestTarget(raw)
        } catch {
            return .refusal(.parameters(error), surface: .own)
        }
        var caller = caller
        let token = target.parameters.first { $0.name == "channelToken" }
        if let token { caller.channelToken = token.value }
        let route = route(target, base: base, caller: caller)
        guard case .picture(var query) = route, token == nil, caller.channelToken != nil else { return route }
        // A shared cache knows an answer by its URL, and would hand this one to who has no token.
        query.caching = .never
        return .picture(query)
    }

    private func route(_ target: RequestTarget, base: String, caller: Caller) -> Route {
        switch target.segments.first {
        case "v1": return own.route(target, caller: caller)
        case "content": return ocm.route(target, base: base, caller: caller)
        case "healthz" where target.segments.count == 1: return .answer(.text("ok\n"))
        case "metrics" where target.segments.count == 1:
            return .document(surface: .own) { [health] () async throws(Refusal) in health.metrics() }
        default: return .refusal(.notFound, surface: .own)
        }
    }
}
