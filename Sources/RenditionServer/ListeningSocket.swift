import Glibc
import RenditionCache

/// A TCP socket that listens; handed to the server library, which does not close it.
struct ListeningSocket: ~Copyable {
    /// The descriptor.
    let descriptor: Int32
    /// The port it is bound to.
    let port: Int
    private let isHandedIn: Bool

    /// Binds and listens.
    ///
    /// - Parameters:
    ///   - address: a numeric IPv4 or IPv6 address.
    ///   - port: 0 for any free one.
    init(address: String, port: Int) throws(ServerError) {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard (0...65_535) ~= port, getaddrinfo(address, String(port), &hints, &found) == 0, let found else {
            throw .badAddress(address)
        }
        defer { freeaddrinfo(found) }
        func failure() -> ServerError {
            .cannotListen(address: address, port: port, reason: SystemError("listen", code: errno).reason)
        }
        let flags = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(found.pointee.ai_family, flags, 0)
        guard descriptor >= 0 else { throw failure() }
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard bind(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0, listen(descriptor, SOMAXCONN) == 0
        else {
            let error = failure()
            close(descriptor)
            throw error
        }
        self.init(owning: descriptor, isHandedIn: false)
    }

    /// Takes over a socket that listens already, as systemd hands in.
    init(owning descriptor: Int32, isHandedIn: Bool = true) {
        self.descriptor = descriptor
        self.isHandedIn = isHandedIn
        port = Self.port(of: descriptor)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    deinit { close(descriptor) }

    /// Refuses connections from now on; one that was handed in goes on collecting them for whoever listens next.
    func refuse() {
        if !isHandedIn { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }

    private static func port(of descriptor: Int32) -> Int {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &address) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(descriptor, $0, &length) }
            // The port stands at the same place in both families.
            return storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                Int(UInt16(bigEndian: $0.pointee.sin_port))
            }
        }
    }
}

extension SystemError {
    /// The system's text alone.
    fileprivate var reason: String { String(description.dropFirst(call.count + 2)) }
}
