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

extension RenderError: CustomStringConvertible {
    /// One clause, with the limit where one was passed.
    public var description: String {
        switch self {
        case .refused(let refusal): refusal.description
        case .timedOut(let limit): "the render took longer than \(limit.seconds) s and was stopped"
        case .crashed(let signal?, _): "the render worker died of signal \(signal)"
        case .crashed(nil, let status): "the render worker ended with status \(status.map(String.init) ?? "unknown")"
        case .cannotStart(let path, let reason): "the render worker \(path) cannot be started: \(reason)"
        case .overloaded(let retryAfter): "too many renders are waiting; try again in \(retryAfter.seconds) s"
        case .cancelled: "cancelled"
        }
    }
}

extension CacheError: CustomStringConvertible {
    /// One clause, with the limit where one was passed.
    public var description: String {
        switch self {
        case .foreignDirectory(let path):
            "\(path) is not empty and no cache of rcache's; name another directory, or empty this one yourself"
        case .newerIndex(let found, let known):
            "the cache index is of version \(found), newer than the \(known) this program knows; it is left untouched"
        case .noRoom(let bytes, let limit): "\(bytes) bytes do not fit the cache's limit of \(limit)"
        case .system(let error, let path): "\(path): \(error)"
        case .index(let code, let message, let sql): "the cache index: \(message) (\(code)) in \(sql)"
        case .damaged(let digest): "the stored bytes \(digest.description.prefix(12))… are damaged and were put aside"
        case .closed: "the cache is closed"
        }
    }
}
