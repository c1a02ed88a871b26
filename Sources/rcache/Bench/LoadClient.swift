import Glibc
import RenditionCache

/// One kept-alive HTTP/1.1 connection that asks for one picture after the other, as fast as it is answered.
struct LoadClient: ~Copyable {
    private let descriptor: Int32
    private var buffer = [UInt8](repeating: 0, count: 256 * 1024)

    /// Connects to loopback.
    init(port: Int) throws(SystemError) {
        descriptor = socket(AF_INET, 1 /* SOCK_STREAM, whose constant is not always visible */, 0)
        guard descriptor >= 0 else { throw SystemError("socket", code: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        let outcome = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                connect(descriptor, generic, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        var patience = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        guard outcome == 0 else { throw SystemError("connect", code: errno) }
    }

    deinit { close(descriptor) }

    /// Asks for a target and reads the whole answer; returns the bytes of its body, or throws unless it is a 200.
    mutating func get(_ target: String) throws(SystemError) -> Int {
        let request = Array("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8)
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            throw SystemError("send", code: errno)
        }
        var filled = 0
        var head: (end: Int, length: Int)?
        while true {
            if head == nil { head = Self.head(buffer[..<filled]) }
            if let head, filled >= head.end {
                try drain(head.length - (filled - head.end))
                return head.length
            }
            filled += try receive(into: filled)
        }
    }

    /// Reads and forgets what is left of a body.
    private mutating func drain(_ count: Int) throws(SystemError) {
        var left = count
        while left > 0 { left -= try receive(into: 0) }
    }

    private mutating func receive(into offset: Int) throws(SystemError) -> Int {
        let room = buffer.count - offset
        guard room > 0 else { throw SystemError("recv", code: EMSGSIZE) }
        let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress.map { $0 + offset }, room, 0) }
        guard count > 0 else { throw SystemError("recv", code: count == 0 ? ECONNRESET : errno) }
        return count
    }

    /// Where the head ends and how long the body is, once the head is whole; nil for an answer that is no 200.
    private static func head(_ bytes: ArraySlice<UInt8>) -> (end: Int, length: Int)? {
        guard bytes.starts(with: "HTTP/1.1 200".utf8), let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)),
            let name = bytes[..<end.lowerBound].firstRange(of: Array("Content-Length: ".utf8))
        else { return nil }
        let digits = bytes[name.upperBound..<end.lowerBound].prefix { (0x30...0x39).contains($0) }
        return (end.upperBound, digits.reduce(0) { $0 * 10 + Int($1 - 0x30) })
    }
}
