import Foundation

extension LoopbackOrigin {
    /// A request as it came.
    package struct Request: Sendable {
        package var method: String
        /// The raw target, query included.
        package var target: String
        package var headers: [(name: String, value: String)]
        /// The connection it came over, counted from 1.
        package var connection: Int
        /// What came after the head.
        package var body: [UInt8] = []
        /// When it had come.
        package let arrived = ContinuousClock.now

        /// The raw path, without the query.
        package var path: String { String(target.prefix { $0 != "?" }) }

        /// The query as decoded names and values.
        package var query: [String: String] {
            let pairs = URLComponents(string: target)?.queryItems ?? []
            return Dictionary(pairs.map { ($0.name, $0.value ?? "") }) { first, _ in first }
        }

        /// The value of a header field; case does not matter.
        package subscript(name: String) -> String? {
            headers.first { $0.name.lowercased() == name.lowercased() }?.value
        }
    }

    /// What to answer and how to misbehave while doing so.
    package struct Response: Sendable {
        /// How the end of the body is made known.
        package enum Framing: Sendable {
            /// `Content-Length`, as long as the body.
            case length
            /// `Content-Length` of this many bytes, whatever the body has; the connection closes after the body.
            case declared(Int)
            /// Only the closing of the connection.
            case closing
            /// Chunks and a last chunk.
            case chunked
            /// Chunks, then the connection closes without a last chunk.
            case chunkedWithoutEnd
            /// Nothing at all: the connection closes instead of an answer.
            case headless
        }

        package var status = 200
        package var headers: [(name: String, value: String)] = []
        package var body: [UInt8] = []
        package var framing = Framing.length
        /// Bytes of the body after which the connection is closed.
        package var cutAfter: Int?
        /// Held here before the first byte.
        package var gate: Gate?
        /// Held there after so many bytes of the body.
        package var pause: (after: Int, gate: Gate)?

        /// A response of `body`.
        package init(
            _ status: Int = 200,
            type: String? = nil,
            headers: [(name: String, value: String)] = [],
            body: some Sequence<UInt8> = []
        ) {
            self.status = status
            self.headers = (type.map { [("Content-Type", $0)] } ?? []) + headers
            self.body = Array(body)
        }

        /// JSON text.
        package static func json(_ text: String, status: Int = 200) -> Response {
            Response(status, type: "application/json", body: text.utf8)
        }

        /// A redirect.
        package static func redirect(to location: String, status: Int = 302) -> Response {
            Response(status, headers: [("Location", location)])
        }

        /// The connection closes after `count` bytes of the body, which was announced whole.
        package func cut(after count: Int) -> Response {
            var copy = self
            copy.cutAfter = count
            return copy
        }

        /// The same with another framing.
        package func framed(_ framing: Framing) -> Response {
            var copy = self
            copy.framing = framing
            return copy
        }

        /// The same, not begun before `gate` opens.
        package func held(by gate: Gate) -> Response {
            var copy = self
            copy.gate = gate
            return copy
        }

        /// The same, stalled after `count` bytes of the body until `gate` opens.
        package func paused(after count: Int, by gate: Gate) -> Response {
            var copy = self
            copy.pause = (count, gate)
            return copy
        }

        /// The part that the request wants, or 416; the whole if it wants no range or, by `If-Range`, that of another version.
        ///
        /// Only `bytes=N-` is understood.
        package func ranged(for request: Request) -> Response {
            let validators = headers.filter { ["ETag", "Last-Modified"].contains($0.name) }.map(\.value)
            guard let range = request["Range"], range.hasPrefix("bytes="), range.hasSuffix("-"),
                let first = Int(range.dropFirst(6).dropLast()),
                request["If-Range"].map({ validators.contains($0) }) ?? true
            else { return self }
            var copy = self
            copy.status = first < body.count ? 206 : 416
            copy.body = first < body.count ? Array(body[first...]) : []
            let place = first < body.count ? "\(first)-\(body.count - 1)" : "*"
            copy.headers.append(("Content-Range", "bytes \(place)/\(body.count)"))
            return copy
        }

        /// The same body, compressed by `gzip` and declared so.
        package func gzipped() throws -> Response {
            let folder = try TemporaryFolder()
            let path = try folder.write(body, to: "body")
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/gzip")
            process.arguments = ["-nc", path]
            let pipe = Pipe()
            process.standardOutput = pipe
            try process.run()
            var copy = self
            copy.body = Array(try pipe.fileHandleForReading.readToEnd() ?? Data())
            process.waitUntilExit()
            copy.headers.append(("Content-Encoding", "gzip"))
            return copy
        }
    }
}
