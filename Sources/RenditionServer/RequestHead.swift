import CHTTPServer
import Glibc

/// What matters of a request's head; read once, on the server's own thread.
struct RequestHead {
    /// Methods as far as they are told apart.
    enum Method {
        case get, head, options, other
    }

    /// The method.
    var method = Method.get
    /// Whether it is HTTP/1.1, which must have a Host (RFC 9112 §3.2).
    var isVersion11 = false
    /// `Host`.
    var host: String?
    /// Whether the client came to a proxy in front by HTTPS; the proxy says so, the last one to write a field counts.
    var isSecure = false
    /// The channel token, where it comes as a field (spec OCM §3.1).
    var channelToken: String?
    /// `Authorization`.
    var authorization: String?
    /// The conditions.
    var conditions = ConditionalRequest()
    /// `Range`.
    var range: String?
    /// `If-Range`.
    var ifRange: String?

    private var hasOddName = false
    private var hosts = 0
    private var contentLength: String?
    private var hasTransferEncoding = false

    /// Nothing read yet.
    init() {}

    /// Reads the fields of a connection whose head is complete.
    init(_ connection: OpaquePointer, method: UnsafePointer<CChar>, version: UnsafePointer<CChar>) {
        self.method = Self.method(method)
        isVersion11 = strcmp(version, "HTTP/1.1") == 0
        withUnsafeMutablePointer(to: &self) { head in
            _ = MHD_get_connection_values_n(
                connection,
                .HEADER_KIND,
                { context, _, name, nameBytes, value, valueBytes in
                    context?.assumingMemoryBound(to: RequestHead.self).pointee
                        .take(name, nameBytes, value, valueBytes)
                    return .YES
                },
                head
            )
        }
    }

    /// Why this request must not be answered as it stands; the connection ends with the refusal.
    ///
    /// Two Hosts, or a length beside a transfer coding, mean one thing here and another to a proxy in front (RFC 9112 §11.2).
    var refusal: Refusal? {
        // Another parser may take it for what it resembles (RFC 9112 §5.1, §5.2).
        if hasOddName { return .badRequest("a header field's name is malformed") }
        if hosts > 1 { return .badRequest("the request has more than one Host") }
        if isVersion11 && hosts == 0 { return .badRequest("the request has no Host") }
        if let host, !host.utf8.allSatisfy(Self.isHostByte) { return .badRequest("the Host is malformed") }
        if hasTransferEncoding && contentLength != nil {
            return .badRequest("the request has both Content-Length and Transfer-Encoding")
        }
        if method == .other { return .methodNotAllowed }
        if hasTransferEncoding || contentLength.map({ $0 != "0" }) ?? false { return .bodyNotAllowed }
        return nil
    }

    private mutating func take(
        _ name: UnsafePointer<CChar>?,
        _ nameBytes: Int,
        _ value: UnsafePointer<CChar>?,
        _ valueBytes: Int
    ) {
        guard let name, UnsafeRawBufferPointer(start: name, count: nameBytes).allSatisfy(Self.isTokenByte) else {
            hasOddName = true
            return
        }
        // The length tells nearly all fields apart without a comparison.
        func isNamed(_ wanted: String) -> Bool { strncasecmp(name, wanted, nameBytes) == 0 }
        var text: String {
            String(decoding: UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueBytes), as: UTF8.self)
        }
        switch nameBytes {
        case 4 where isNamed("Host"):
            hosts += 1
            host = text
        case 5 where isNamed("Range"): range = range == nil ? text : nil
        case 8 where isNamed("If-Range"): ifRange = text
        case 12 where isNamed("channelToken"): channelToken = text
        case 13 where isNamed("Authorization"): authorization = text
        case 13 where isNamed("If-None-Match"):
            conditions.ifNoneMatch = conditions.ifNoneMatch.map { "\($0), \(text)" } ?? text
        case 14 where isNamed("Content-Length"): contentLength = contentLength == nil ? text : "several"
        case 9 where isNamed("Forwarded"): isSecure = Self.forwardedProtocol(text) == "https"
        case 17 where isNamed("X-Forwarded-Proto"): isSecure = text.trimmed.lowercased() == "https"
        case 17 where isNamed("If-Modified-Since"): conditions.ifModifiedSince = text
        case 17 where isNamed("Transfer-Encoding"): hasTransferEncoding = true
        // The library adds a folded line to the name: `Content-Length:` and ` 5` below it come as `Content-Length5`.
        case 15... where strncasecmp(name, "Content-Length", 14) == 0: hasOddName = true
        case 18... where strncasecmp(name, "Transfer-Encoding", 17) == 0: hasOddName = true
        default: break
        }
    }

    /// The protocol that the client used, of a `Forwarded` field with one element a proxy (RFC 7239 §5.4).
    private static func forwardedProtocol(_ field: String) -> String? {
        let first = field.prefix { $0 != "," }
        let pairs = first.split(separator: ";").map { $0.split(separator: "=", maxSplits: 1) }
        let named = pairs.first { $0.count == 2 && $0[0].trimmed.lowercased() == "proto" }
        return named.map { $0[1].trimmed.filter { $0 != "\"" }.lowercased() }
    }

    private static func method(_ name: UnsafePointer<CChar>) -> Method {
        if strcmp(name, "GET") == 0 { return .get }
        if strcmp(name, "HEAD") == 0 { return .head }
        return strcmp(name, "OPTIONS") == 0 ? .options : .other
    }

    /// What a field's name is made of (RFC 9110 §5.6.2).
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    /// The host is written into links, so it has only what a host and a port are made of (RFC 3986 §3.2.2).
    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "-._~:[]".utf8.contains(byte)
        }
    }
}
