/// Why a request has no rendition, by the stage that failed.
public enum RenditionError: Error, Equatable, Sendable {
    /// No such channel in the configuration; `known` are the ones there are.
    case unknownChannel(String, known: [String])
    /// The channel has no such asset.
    case assetNotFound(channel: String, asset: String)
    /// The asset has no such rendition.
    case renditionNotFound(channel: String, asset: String, rendition: String)
    /// Nothing is cached and the origin may not be asked.
    case notCached(channel: String, asset: String)
    /// The form that is asked for cannot be read.
    case request(RequestError)
    case origin(OriginError)
    case cache(CacheError)
    case render(RenderError)
    /// Whoever asked has gone.
    case cancelled
    /// The service is closing.
    case closed
}

extension RenditionError {
    /// An origin's failure as the request's.
    init(_ error: OriginError) {
        self = error == .cancelled || error == .unreachable(.cancelled) ? .cancelled : .origin(error)
    }
}
