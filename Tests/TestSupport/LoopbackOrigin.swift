import Foundation
import Glibc
import Synchronization

/// A scripted HTTP/1.1 server on 127.0.0.1 and a free port, with a thread a connection; ends with its last reference.
package final class LoopbackOrigin: Sendable {
    /// Decides what to answer; called on the connection's thread, so it may block.
    package typealias Handler = @Sendable (Request) -> Response

    private struct State {
        var requests: [Request] = []
        var connections: [Int: Int32] = [:]
        var accepted = 0
        var isStopped = false
    }

    /// What a connection's thread needs; it outlives neither the listener nor the open connections.
    private final class Shared: Sendable {
        let state = Mutex(State())
        let handler: Handler

        init(handler: @escaping Handler) { self.handler = handler }
    }

    package let port: Int
    private let listener: Int32
    private let shared: Shared

    /// Starts listening, on `port` if that is given.
    package init(port: Int = 0, _ handler: @escaping Handler) throws {
        _ = DescriptorLimit.isRaised
        shared = Shared(handler: handler)
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        var one: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (listener, filled) = (listener, length)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(listener, generic, filled) == 0 && listen(listener, 128) == 0
                    && getsockname(listener, generic, &length) == 0
            }
        }
        guard isListening else {
            close(listener)
            throw POSIXError(.init(rawValue: errno) ?? .EIO)
        }
        self.port = Int(UInt16(bigEndian: address.sin_port))
        let shared = shared
        Thread.detachNewThread { Self.accept(on: listener, shared) }
    }

    deinit { stop() }

    /// `http://127.0.0.1:port`, without a trailing slash.
    package var url: String { "http://127.0.0.1:\(port)" }

    /// Every request so far, in the order of arrival.
    package var requests: [Request] { shared.state.withLock { $0.requests } }

    /// How many requests came for this path, whatever their query.
    package func hits(_ path: String) -> Int { requests.count { $0.path == path } }

    /// How many connections were accepted so far.
    package var connections: Int { shared.state.withLock { $0.accepted } }

    /// Stops listening and breaks every open connection; harmless when repeated.
    package func stop() {
        shared.state.withLock { state in
            guard !state.isStopped else { return }
            state.isStopped = true
            shutdown(listener, Int32(SHUT_RDWR))
            for descriptor in state.connections.values { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    private static func accept(on listener: Int32, _ shared: Shared) {
        while true {
            let descriptor = Glibc.accept(listener, nil, nil)
            if descriptor < 0 && errno == EINTR { continue }
            guard descriptor >= 0 else { break }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            var one: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
            let number = shared.state.withLock { state in
                state.accepted += 1
                state.connections[state.accepted] = descriptor
                if state.isStopped { shutdown(descriptor, Int32(SHUT_RDWR)) }
                return state.accepted
            }
            Thread.detachNewThread {
                LoopbackConnection(descriptor: descriptor, number: number).serve { request in
                    shared.state.withLock { $0.requests.append(request) }
                    return shared.handler(request)
                }
                shared.state.withLock { _ = $0.connections.removeValue(forKey: number) }
                close(descriptor)
            }
        }
        close(listener)
    }
}
