import RenditionCache

/// A request for a picture, as a surface has read it.
struct PictureQuery: Sendable {
    /// What a shared cache may do with the answer.
    enum Caching: Hashable, Sendable {
        /// Keep it for its lifetime.
        case lifetime
        /// Keep it for that long, because the URL names one state of it (spec OCM §10.3).
        case window(seconds: Int)
        /// Nothing: the channel is not public.
        case never
    }

    /// What to look up, in order; the next one only if there is no such asset or rendition.
    var candidates: [RenditionRequest]
    /// Whose manners the answer has.
    var surface: SurfaceKind
    /// Shown or saved; nil lets the media type decide.
    var disposition: ContentDisposition?
    /// What may be kept.
    var caching: Caching = .lifetime
    /// For which clients the format was chosen; nil where it depends on the URL alone.
    private(set) var accepted: AcceptClass?

    /// A query that is not for any client in particular.
    init(
        candidates: [RenditionRequest],
        surface: SurfaceKind,
        disposition: ContentDisposition? = nil,
        caching: Caching = .lifetime
    ) {
        self.candidates = candidates
        self.surface = surface
        self.disposition = disposition
        self.caching = caching
    }

    /// The query of one client, every format chosen before there is a key; `client` is not called where none is open.
    func negotiated(for client: () -> AcceptClass) -> PictureQuery {
        guard candidates.contains(where: \.isNegotiated) else { return self }
        var query = self
        let accepted = client()
        query.accepted = accepted
        query.candidates = candidates.map { $0.negotiated(accepted.accepted) }
        return query
    }

    /// How its answer is dressed.
    var manner: Manner { Manner(surface: surface, isNegotiated: accepted != nil) }
}

/// How any answer to a request is dressed, also one that says why there is none.
struct Manner: Equatable, Sendable {
    /// Whose URL space the request is in.
    var surface: SurfaceKind
    /// Whether other clients may get another answer at the same URL: then it says so by `Vary` (RFC 9110 §12.5.5).
    var isNegotiated = false
}

/// Whose URL space a request is in; decides how errors look.
enum SurfaceKind: Sendable {
    case own, ocm
}

extension RenditionRequest {
    /// Whether the format depends on what the client accepts.
    var isNegotiated: Bool {
        if case .transform(let transform) = selection { transform.isNegotiated } else { false }
    }

    /// The request with its format chosen.
    fileprivate func negotiated(_ accepted: AcceptedTypes) -> RenditionRequest {
        guard case .transform(let transform) = selection else { return self }
        var request = self
        request.selection = .transform(transform.negotiated(accepted))
        return request
    }
}

/// A picture found, and how.
struct Picture: Sendable {
    /// How the cache came to it (RFC 9211).
    enum Handling: Equatable, Sendable {
        /// It was there and fresh.
        case hit
        /// It had to be fetched or made.
        case miss
        /// The last good one, since there is no newer.
        case stale(PlaceholderCause)
        /// A stand-in.
        case placeholder(PlaceholderCause)
    }

    /// The picture.
    var rendition: Rendition
    /// How the cache came to it.
    var handling: Handling
    /// The candidate that it answers.
    var request: RenditionRequest
    /// What was asked.
    var query: PictureQuery
}

extension Picture {
    /// What the service made of a request that was no hit.
    init(_ outcome: RenditionOutcome, request: RenditionRequest, query: PictureQuery) {
        rendition = outcome.rendition
        switch outcome {
        case .rendition: handling = .miss
        case .stale(_, let cause): handling = .stale(cause)
        case .placeholder(_, let cause): handling = .placeholder(cause)
        }
        self.request = request
        self.query = query
    }
}
