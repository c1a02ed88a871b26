public import RenditionCache

/// The HTTP service in front of a `RenditionService`.
///
/// It runs on threads of its own from `start` to `stop(within:)`.
public final class Server: Sendable {
    /// The port it listens on.
    public let port: Int
    private let daemon: Daemon
    private let responder: Responder
    private let watch: LeaveWatch

    /// Listens and answers.
    ///
    /// - Parameters:
    ///   - service: what answers; closing it is the caller's, after `stop(within:)`.
    ///   - settings: address, port (0 for any free one) and limits; nil takes the service's configuration.
    ///   - listeningSocket: a socket that listens already and is taken over; address and port are then not used.
    ///   - log: hears of answers that are the service's fault.
    public static func start(
        _ service: RenditionService,
        settings: ServerSettings? = nil,
        listeningSocket: Int32? = nil,
        log: Log = .silent
    ) throws(ServerError) -> Server {
        let settings = settings ?? service.configuration.server
        return try Server(service, settings: settings, listeningSocket: listeningSocket, log: log)
    }

    init(
        _ service: any RenditionServing,
        settings: ServerSettings,
        listeningSocket: Int32? = nil,
        log: Log = .silent,
        now: @escaping @Sendable () -> Double = SystemClock.seconds
    ) throws(ServerError) {
        let socket =
            if let listeningSocket {
                ListeningSocket(owning: listeningSocket)
            } else {
                try ListeningSocket(address: settings.address, port: settings.port)
            }
        port = socket.port
        let host = settings.address.contains(":") ? "[\(settings.address)]" : settings.address
        let heads = HeadWatch(limit: settings.idleTimeout)
        watch = LeaveWatch(waitLimit: settings.waitLimit, maxEntries: settings.maxWaiting, heads: heads)
        responder = Responder(service, watch: watch, authority: "\(host):\(port)", log: log, now: now)
        do {
            daemon = try Daemon(responder, heads: heads, socket: socket, settings: settings)
        } catch {
            watch.close()
            throw error
        }
    }

    /// Stops gracefully: takes no new connection, finishes what is asked already, and returns once all threads have ended.
    ///
    /// Call once.
    ///
    /// - Parameter limit: how long requests may take to finish; whoever waits longer is answered 503.
    public func stop(within limit: Duration = .seconds(10)) async {
        // A task of its own: whoever stops a server because it was cancelled itself must not cut the waiting short.
        await Task { await drain(within: limit) }.value
    }

    private func drain(within limit: Duration) async {
        responder.drain()
        daemon.quiesce()
        await waitUntilIdle(atMost: limit)
        watch.close()
        // Whoever was sent away still hears so.
        await waitUntilIdle(atMost: .seconds(1))
        await OwnThread.wait { [daemon] in daemon.stop() }
    }

    private func waitUntilIdle(atMost limit: Duration) async {
        await withTaskGroup(of: Void.self) { [daemon] group in
            group.addTask { await daemon.waitUntilIdle() }
            // Cut short, and rightly so, as soon as nothing is left to wait for.
            group.addTask { try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
    }
}
