extension RenditionError: CustomStringConvertible {
    /// One clause that says what, where and how much; it never holds a credential.
    public var description: String {
        switch self {
        case .unknownChannel(let name, let known):
            "no channel \"\(name)\"; there is \(known.isEmpty ? "none" : known.joined(separator: ", "))"
        case .assetNotFound(let channel, let asset): "channel \(channel) has no asset \"\(asset)\""
        case .renditionNotFound(let channel, let asset, let rendition):
            "asset \"\(asset)\" of channel \(channel) has no rendition \"\(rendition)\""
        case .notCached(let channel, let asset): "asset \"\(asset)\" of channel \(channel) is not cached in this form"
        case .request(let error): "\(error)"
        case .origin(let error): "\(error)"
        case .cache(let error): "\(error)"
        case .render(let error): "\(error)"
        case .cancelled: "cancelled"
        case .closed: "the service is closing"
        }
    }
}
