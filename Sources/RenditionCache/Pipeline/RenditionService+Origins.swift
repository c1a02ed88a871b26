extension ChannelSettings {
    /// The origin that the settings name; throws if its URL is not one.
    func openOrigin(
        fetcher: Fetcher,
        pool: BlockingPool,
        log: Log,
        now: @escaping @Sendable () -> Double
    ) throws(OriginError) -> any Origin {
        switch kind {
        case .folder(let path):
            FolderOrigin(channel: name, root: path, pool: pool, now: now)
        case .ocm(let settings):
            try OCMOrigin(channel: name, settings: settings, allow: allow, fetcher: fetcher, log: log)
        case .aem(let settings):
            try AEMOrigin(channel: name, settings: settings, allow: allow, fetcher: fetcher, log: log)
        case .microcms(let settings):
            try MicroCMSOrigin(channel: name, settings: settings, allow: allow, fetcher: fetcher, log: log)
        case .http(let settings):
            try HTTPOrigin(channel: name, settings: settings, allow: allow, fetcher: fetcher, pool: pool, log: log)
        }
    }
}
