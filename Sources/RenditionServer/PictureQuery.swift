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
}

/// Whose URL space a request is in; decides how errors look.
enum SurfaceKind: Sendable {
    case own, ocm
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
