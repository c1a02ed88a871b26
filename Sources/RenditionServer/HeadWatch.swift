import Glibc
import Synchronization

/// Closes connections whose next request does not come to the end of its head in time.
///
/// The server library's own limit begins anew with every byte: a byte now and then would keep a connection for ever.
final class HeadWatch: Sendable {
    private struct Entry {
        let client: Connection
        let socket: Int32
    }

    private let limitSeconds: Int
    private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

    /// A watch without connections.
    init(limit: Duration) { limitSeconds = Int(max(1, limit.components.seconds)) }

    /// Watches a connection until `remove`.
    func add(_ client: Connection, socket: Int32) {
        entries.withLock { $0[ObjectIdentifier(client)] = Entry(client: client, socket: socket) }
    }

    /// Ends a watch; from here on the socket may be closed.
    func remove(_ client: Connection) {
        entries.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(client)) }
    }

    /// Ends what is late; the library sees the end of the stream and cleans up.
    func sweep() {
        let now = Connection.seconds()
        entries.withLock { entries in
            // Inside the lock, so that the socket is still this connection's.
            for entry in entries.values where entry.client.isLate(now, limit: limitSeconds) {
                shutdown(entry.socket, Int32(SHUT_RDWR))
            }
        }
    }
}
