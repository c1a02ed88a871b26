import CHTTPServer
import Glibc
import RenditionCache

/// The bytes of a body, kept where they are while any response points at them.
final class BodyBytes: Sendable {
    /// The bytes.
    let bytes: [UInt8]

    /// Takes bytes over without copying them.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Where the bytes begin; nil if there are none.
    ///
    /// Valid as long as this object lives: the elements of an array that nobody changes do not move, and `bytes` is a `let`.
    var start: UnsafePointer<UInt8>? { bytes.withUnsafeBufferPointer(\.baseAddress) }
}

/// A body as responses share it.
enum Content: Sendable {
    case bytes(BodyBytes)
    case file(OpenFile)

    /// Largest body that is answered from memory, in bytes: beyond it `sendfile` is as fast and the memory is better used.
    static let maxMemoryBytes = 1_000_000

    /// Takes a rendition's body; a small file is read into memory, which may block on the disk.
    init(_ body: RenditionBody) throws(SystemError) {
        switch body {
        case .memory(let bytes): self = .bytes(BodyBytes(bytes))
        case .file(let file) where file.byteCount <= Self.maxMemoryBytes: self = .bytes(BodyBytes(try body.bytes()))
        case .file(let file): self = .file(file)
        }
    }

    /// How many bytes there are.
    var count: Int {
        switch self {
        case .bytes(let owner): owner.bytes.count
        case .file(let file): file.byteCount
        }
    }
}

/// Owns one response of the server library: header fields and body, ready to be queued on any number of connections.
final class PreparedResponse: @unchecked Sendable {
    // Safe to share: after `init` the library only reads it, and counts its users under a lock of its own.
    private let response: OpaquePointer
    /// How many bytes of body a GET is answered with.
    let byteCount: Int

    /// Builds a response; nil when memory or descriptors run out.
    ///
    /// - Parameter range: the part of the content to send; nil for all.
    init?(_ fields: [HeaderField], _ content: Content, range: Range<Int>? = nil) {
        let range = range ?? 0..<content.count
        guard let response = Self.make(content, range) else { return nil }
        for field in fields { MHD_add_response_header(response, field.name, field.value) }
        self.response = response
        byteCount = range.count
    }

    /// A document or an error.
    convenience init?(_ answer: Answer) {
        let closing = answer.closesConnection ? [HeaderField("Connection", "close")] : []
        self.init(answer.fields + closing, .bytes(BodyBytes(answer.body)))
    }

    deinit { MHD_destroy_response(response) }

    /// Hands it to a connection, which keeps it until it is sent; the body is left out for HEAD and 304 alone.
    func queue(on connection: OpaquePointer, status: Int) -> MHD_Result {
        MHD_queue_response(connection, UInt32(status), response)
    }

    private static func make(_ content: Content, _ range: Range<Int>) -> OpaquePointer? {
        switch content {
        case .bytes(let owner):
            guard !range.isEmpty, let start = owner.start else {
                return MHD_create_response_from_buffer_with_free_callback_cls(0, nil, nil, nil)
            }
            let retained = Unmanaged.passRetained(owner)
            let response = MHD_create_response_from_buffer_with_free_callback_cls(
                range.count,
                // The library's signature is not const; it does not write.
                UnsafeMutableRawPointer(mutating: start + range.lowerBound),
                { context in context.map { Unmanaged<BodyBytes>.fromOpaque($0).release() } },
                retained.toOpaque()
            )
            if response == nil { retained.release() }
            return response
        case .file(let file):
            // The library closes what it is given.
            let descriptor = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
            guard descriptor >= 0 else { return nil }
            let response = MHD_create_response_from_fd_at_offset64(
                UInt64(range.count),
                descriptor,
                UInt64(range.lowerBound)
            )
            if response == nil { close(descriptor) }
            return response
        }
    }
}
