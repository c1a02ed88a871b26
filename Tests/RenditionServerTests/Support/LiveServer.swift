import RenditionCache
import TestSupport

@testable import RenditionServer

/// One request over a connection of its own.
func get(
    _ target: String,
    port: Int,
    method: String = "GET",
    _ fields: [String] = []
) async throws -> RawClient.Response {
    try await RawClient(port: port).get(target, method: method, fields)
}

/// Runs a test against a server on a free port, and stops it whatever happens.
func withServer(
    _ service: FakeService,
    now: @escaping @Sendable () -> Double = SystemClock.seconds,
    _ adjust: (inout ServerSettings) -> Void = { _ in },
    _ body: (Server) async throws -> Void
) async throws {
    var settings = ServerSettings()
    settings.port = 0
    settings.threads = 2
    // A client that waits for its turn on a busy machine is not idle.
    settings.idleTimeout = .seconds(600)
    adjust(&settings)
    let server = try Server(service, settings: settings, now: now)
    do {
        try await body(server)
    } catch {
        service.release()
        await server.stop(within: .seconds(1))
        throw error
    }
    service.release()
    await server.stop(within: .seconds(1))
}
