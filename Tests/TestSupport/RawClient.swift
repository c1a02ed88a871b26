import Foundation
import Glibc

/// A client that sends exactly the bytes it is told, over a real socket; everything that blocks runs on a thread of its own.
package final class RawClient: @unchecked Sendable {
    package struct Response: Sendable {
        package var status: Int
        package var head: String
        package var fields: [(name: String, value: String)]
        package var body: [UInt8]

        package subscript(name: String) -> String? {
            fields.first { $0.name.lowercased() == name.lowercased() }?.value
        }

        package var text: String { String(decoding: body, as: UTF8.self) }
        package func json() throws -> [String: Any] {
            try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] ?? [:]
        }
    }

    package struct Failure: Error { package var reason: String }

    // Safe to share: a test makes one call at a time.
    private let descriptor: Int32
    private var received: [UInt8] = []

    package init(port: Int) throws {
        _ = DescriptorLimit.isRaised
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var limit = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let failure = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard failure == 0 else { throw Failure(reason: "connect: \(errno)") }
    }

    deinit { close(descriptor) }

    /// Ends the connection for both directions, as a client does that has gone.
    package func leave() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    package func send(_ text: String) { send(Array(text.utf8)) }

    package func send(_ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    /// Sends a request and waits for its answer.
    package func get(_ target: String, method: String = "GET", _ fields: [String] = []) async throws -> Response {
        send(([("\(method) \(target) HTTP/1.1"), "Host: localhost"] + fields + ["", ""]).joined(separator: "\r\n"))
        return try await response(hasBody: method != "HEAD")
    }

    /// The next answer.
    package func response(hasBody: Bool = true) async throws -> Response {
        try await onThread { try self.readResponse(hasBody: hasBody) }
    }

    /// Whether the server has closed the connection; waits for it.
    package func isClosed() async throws -> Bool {
        try await onThread { self.received.isEmpty && (try? self.fill()) == nil }
    }

    private func readResponse(hasBody: Bool) throws -> Response {
        while true {
            if let end = received.firstRange(of: Array("\r\n\r\n".utf8)) {
                let head = String(decoding: received[..<end.lowerBound], as: UTF8.self)
                received.removeFirst(end.upperBound)
                let lines = head.components(separatedBy: "\r\n")
                let status = Int(lines[0].split(separator: " ")[1]) ?? 0
                let fields = lines.dropFirst().map { line in
                    let halves = line.split(separator: ":", maxSplits: 1)
                    return (name: String(halves[0]), value: halves[1].trimmingCharacters(in: .whitespaces))
                }
                var response = Response(status: status, head: head, fields: fields, body: [])
                let length = Int(response["Content-Length"] ?? "0") ?? 0
                guard hasBody, status != 304, status != 204 else { return response }
                while received.count < length { try fill() }
                response.body = Array(received.prefix(length))
                received.removeFirst(length)
                return response
            }
            try fill()
        }
    }

    private func fill() throws {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { throw Failure(reason: count == 0 ? "closed" : "recv: \(errno)") }
        received += buffer.prefix(count)
    }
}

/// Runs what blocks away from the cooperative pool, which the server's work needs.
package func onThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
    }
}
