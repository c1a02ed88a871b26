import Foundation
import Glibc

/// A port of 127.0.0.1 where nobody listens, and nobody can as long as this lives.
package final class ClosedPort: Sendable {
    package let port: Int
    private let descriptor: Int32

    /// Takes a free port.
    package init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (descriptor, filled) = (descriptor, length)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(descriptor, generic, filled) == 0 && getsockname(descriptor, generic, &length) == 0
            }
        }
        guard isBound else {
            close(descriptor)
            throw POSIXError(.init(rawValue: errno) ?? .EIO)
        }
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { close(descriptor) }

    /// `http://127.0.0.1:port`, without a trailing slash.
    package var url: String { "http://127.0.0.1:\(port)" }
}
