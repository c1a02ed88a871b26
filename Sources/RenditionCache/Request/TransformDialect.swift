/// The language that transforms are written in: a channel's `--transform` and `warm` entries are in its CMS's.
public enum TransformDialect: String, CaseIterable, Sendable {
    /// rcache's own, strict.
    case own
    /// AEM's image delivery parameters; `format` takes the extensions of delivery paths.
    case aem
    /// microCMS' image parameters.
    case microcms

    /// Reads a query that somebody has written for rcache, on the command line or in a configuration.
    ///
    /// A URL of a CMS may have parameters that mean nothing; here they are mistakes.
    ///
    /// - Throws: `unknownParameter` with the nearest that is known, and what `transform(query:)` refuses.
    public func transform(written query: String) throws(RequestError) -> Transform {
        for (name, _) in RequestTarget.parameters(query[...]) {
            switch self {
            case .own: break
            case .aem:
                guard AEMValues.names.contains(name) else {
                    // A short alias is near to every other short name.
                    let candidates = AEMValues.names.filter { $0.utf8.count > 2 }
                    throw .unknownParameter(name, nearest: nearest(to: name, among: candidates))
                }
            case .microcms:
                guard MicroCMSValues.isKnown(name) else {
                    throw .unknownParameter(name, nearest: nearest(to: name, among: MicroCMSValues.knownNames))
                }
            }
        }
        return try transform(query: query)
    }

    /// Reads a query without its `?`, percent-encoded or plain.
    ///
    /// - Throws: what the dialect refuses: in its own everything that is not exactly right, in AEM's what cannot be parsed or
    ///   is out of range, in microCMS' bad base64 and what makes no picture.
    public func transform(query: String) throws(RequestError) -> Transform {
        switch self {
        case .own: return try OwnDialect.transform(query: query)
        case .aem: return try AEMDialect.transform(query: query)
        case .microcms:
            switch try MicroCMSDialect.request(query: query).outcome {
            case .transform(let transform): return transform
            case .untouched: return Transform()
            case .information, .blurHash: throw .malformed("\(quoted(query)) asks for a description, not for a picture")
            }
        }
    }
}
