import Foundation
import Glibc

/// One connection of a `LoopbackOrigin`: reads requests and writes answers until either side ends it.
struct LoopbackConnection {
    let descriptor: Int32
    let number: Int

    func serve(_ answer: (LoopbackOrigin.Request) -> LoopbackOrigin.Response) {
        var pending: [UInt8] = []
        while let request = readRequest(&pending) {
            let response = answer(request)
            response.gate?.hold()
            guard write(response, isHead: request.method == "HEAD") else { return }
            if request["Connection"]?.lowercased() == "close" { return }
        }
    }

    /// The next request, with a body as long as `Content-Length` says.
    ///
    /// Nil when the connection ends, or the header or the body passes 64 KB.
    private func readRequest(_ pending: inout [UInt8]) -> LoopbackOrigin.Request? {
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let range = pending.firstRange(of: end) {
                let head = String(decoding: pending[..<range.lowerBound], as: UTF8.self)
                pending.removeSubrange(..<range.upperBound)
                guard var request = parse(head) else { return nil }
                let count = request["Content-Length"].flatMap { Int($0) } ?? 0
                while pending.count < count { guard receive(&pending) else { return nil } }
                request.body = Array(pending.prefix(count))
                pending.removeFirst(count)
                return request
            }
            guard receive(&pending) else { return nil }
        }
    }

    /// Takes what has arrived; false when the connection ends or too much is pending.
    private func receive(_ pending: inout [UInt8]) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 8192)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0 && errno == EINTR { continue }
            guard count > 0, pending.count < 65_536 else { return false }
            pending += buffer[..<count]
            return true
        }
    }

    private func parse(_ head: String) -> LoopbackOrigin.Request? {
        let lines = head.components(separatedBy: "\r\n")
        let words = lines[0].components(separatedBy: " ")
        guard words.count == 3 else { return nil }
        let headers = lines.dropFirst().map { line in
            let name = String(line.prefix { $0 != ":" })
            return (name, line.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces))
        }
        return LoopbackOrigin.Request(method: words[0], target: words[1], headers: headers, connection: number)
    }

    /// Writes the response; returns whether the connection can be used again.
    private func write(_ response: LoopbackOrigin.Response, isHead: Bool) -> Bool {
        if case .headless = response.framing { return false }
        var head = "HTTP/1.1 \(response.status) Scripted\r\n"
        for field in response.headers { head += "\(field.name): \(field.value)\r\n" }
        let hasNoBody = response.status == 304 || response.status == 204
        switch response.framing {
        case .length: head += hasNoBody ? "" : "Content-Length: \(response.body.count)\r\n"
        case .declared(let count): head += "Content-Length: \(count)\r\n"
        case .closing, .headless: head += "Connection: close\r\n"
        case .chunked, .chunkedWithoutEnd: head += "Transfer-Encoding: chunked\r\n"
        }
        guard send(Array((head + "\r\n").utf8)) else { return false }
        if isHead || hasNoBody { return true }
        return writeBody(response)
    }

    private func writeBody(_ response: LoopbackOrigin.Response) -> Bool {
        let body = response.body.prefix(response.cutAfter ?? .max)
        let pausePoint = response.pause.map { min($0.after, body.count) } ?? body.count
        guard writePart(body[..<pausePoint], response.framing) else { return false }
        if let pause = response.pause {
            pause.gate.hold()
            guard writePart(body[pausePoint...], response.framing) else { return false }
        }
        guard response.cutAfter == nil else { return false }
        switch response.framing {
        case .length: return true
        case .chunked: return send(Array("0\r\n\r\n".utf8))
        case .declared(let count): return count == body.count
        case .closing, .chunkedWithoutEnd, .headless: return false
        }
    }

    private func writePart(_ bytes: ArraySlice<UInt8>, _ framing: LoopbackOrigin.Response.Framing) -> Bool {
        guard !bytes.isEmpty else { return true }
        switch framing {
        case .chunked, .chunkedWithoutEnd:
            return send(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8))
        case .length, .declared, .closing, .headless:
            return send(Array(bytes))
        }
    }

    private func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.send(
                    descriptor,
                    buffer.baseAddress.map { $0 + sent },
                    bytes.count - sent,
                    Int32(MSG_NOSIGNAL)
                )
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }
}
