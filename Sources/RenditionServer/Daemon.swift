import CHTTPServer
import Glibc
import RenditionCache
import Synchronization

/// Owns the server library's daemon: its socket, its threads, its connections, its callbacks.
final class Daemon: @unchecked Sendable {
    /// Memory for one connection's head and the head of its answer, in bytes.
    private static let connectionBytes = 32 * 1024

    // Safe to share: written before the first callback can come, and the library allows the calls made from any thread.
    private var daemon: OpaquePointer?
    private let socket: ListeningSocket
    private let responder: Responder
    private let heads: HeadWatch
    private let requests = Atomic(0)
    private let idle = Mutex<AsyncStream<Void>.Continuation?>(nil)

    /// Starts the threads; they run until `stop()`, which must be called.
    init(
        _ responder: Responder,
        heads: HeadWatch,
        socket: consuming ListeningSocket,
        settings: ServerSettings
    ) throws(ServerError) {
        self.responder = responder
        self.heads = heads
        self.socket = socket
        let context = Unmanaged.passRetained(self)
        var start = chttp_settings(
            listening_socket: self.socket.descriptor,
            threads: UInt32(clamping: settings.threads > 0 ? settings.threads : Self.cores),
            max_connections: UInt32(clamping: settings.maxConnections),
            idle_seconds: UInt32(clamping: max(1, settings.idleTimeout.components.seconds)),
            connection_bytes: Self.connectionBytes,
            context: context.toOpaque(),
            handler: handle,
            completed: complete,
            connection: connect,
            target: takeTarget
        )
        daemon = chttp_start(&start)
        if daemon == nil {
            context.release()
            throw .cannotStart
        }
    }

    /// Takes no new connection any more.
    func quiesce() {
        MHD_quiesce_daemon(daemon)
        socket.refuse()
    }

    /// Waits until no request is being answered; a responder that drains tells of it.
    func waitUntilIdle() async {
        // A stream of its own for each wait: one whose reader was cancelled is of no further use.
        let (events, ring) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        idle.withLock { $0 = ring }
        if requests.load(ordering: .sequentiallyConsistent) == 0 { return }
        for await _ in events where requests.load(ordering: .sequentiallyConsistent) == 0 { return }
    }

    /// Closes every connection and ends the threads; none may be parked.
    ///
    /// Blocks.
    func stop() {
        MHD_stop_daemon(daemon)
        // What was retained for the callbacks, of which there are no more.
        Unmanaged.passUnretained(self).release()
    }

    private static var cores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    // MARK: - Callbacks

    fileprivate func opened(_ client: Connection, socket: Int32) { heads.add(client, socket: socket) }

    fileprivate func closed(_ client: Connection) {
        heads.remove(client)
        ended(client)
    }

    fileprivate func began(_ client: Connection, _ target: UnsafePointer<CChar>) {
        if client.isIdle { requests.add(1, ordering: .sequentiallyConsistent) }
        client.begin(target, maxBytes: Responder.maxTargetBytes)
    }

    fileprivate func ended(_ client: Connection) {
        guard !client.isIdle else { return }
        client.phase = .idle
        if requests.subtract(1, ordering: .sequentiallyConsistent).newValue == 0 && responder.isDraining {
            idle.withLock { _ = $0?.yield() }
        }
    }

    fileprivate func step(
        _ connection: OpaquePointer,
        _ client: Connection,
        _ method: UnsafePointer<CChar>,
        _ version: UnsafePointer<CChar>
    ) -> MHD_Result {
        switch client.phase {
        case .idle: return .NO
        case .begun:
            client.phase = .headed
            client.head = RequestHead(connection, method: method, version: version)
            return responder.begin(connection, client)
        case .headed: return responder.answer(connection, client)
        case .parked(let exchange):
            client.phase = .headed
            return responder.resume(exchange, connection, client)
        }
    }
}

private func daemon(_ context: UnsafeMutableRawPointer?) -> Daemon? {
    context.map { Unmanaged<Daemon>.fromOpaque($0).takeUnretainedValue() }
}

private func client(_ context: UnsafeMutableRawPointer?) -> Connection? {
    context.map { Unmanaged<Connection>.fromOpaque($0).takeUnretainedValue() }
}

/// A connection was opened or closed.
private let connect: MHD_NotifyConnectionCallback = { context, connection, socketContext, event in
    guard let socketContext else { return }
    if event == .CONNECTION_NOTIFY_STARTED {
        let client = Connection()
        socketContext.pointee = Unmanaged.passRetained(client).toOpaque()
        daemon(context)?.opened(client, socket: chttp_socket(connection))
    } else if let pointer = socketContext.pointee {
        let client = Unmanaged<Connection>.fromOpaque(pointer).takeRetainedValue()
        daemon(context)?.closed(client)
        socketContext.pointee = nil
    }
}

/// A request line has been read; what is returned stands for the request in all that follows.
private let takeTarget:
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) ->
        UnsafeMutableRawPointer? = { context, target, connection in
            let pointer = chttp_socket_context(connection)
            if let client = client(pointer), let target { daemon(context)?.began(client, target) }
            return pointer
        }

/// A request has come further.
private let handle: MHD_AccessHandlerCallback = { context, connection, _, method, version, _, bodyBytes, request in
    guard let daemon = daemon(context), let connection, let method, let version, let client = client(request?.pointee)
    else { return .NO }
    return daemon.step(connection, client, method, version)
}

/// A request has been answered, or its connection is gone.
private let complete: MHD_RequestCompletedCallback = { context, _, request, _ in
    if let client = client(request?.pointee) { daemon(context)?.ended(client) }
}
