import RenditionCache

/// Stands where `RenditionServer.Server` comes in; delete this file when it does.
struct Server {
    struct Missing: Error, CustomStringConvertible {
        let description = "this build has no HTTP server"
    }

    let port = 0

    init(service: RenditionService, settings: ServerSettings, log: Log) throws { throw Missing() }

    func stop() async {}
}
