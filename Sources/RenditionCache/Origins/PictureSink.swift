import Synchronization

/// Passes a body on once its first bytes show that it may be what was asked: an error page is not a picture, whatever its status says.
final class PictureSink: ByteSink {
    /// What the body has to be.
    enum Expectation: Sendable {
        /// A recognised picture.
        case picture
        /// A picture in whatever format, also an unknown one; only text is refused.
        case noText
        /// Anything.
        case anything
    }

    /// The reason for which a body without a byte is refused.
    static let emptyBody = "an empty body"

    /// Why the body was refused.
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    private struct State {
        var prefix: [UInt8] = []
        var isPassing = false
        var refusal: Refusal?
    }
    private let sink: any ByteSink
    private let expectation: Expectation
    private let state = Mutex(State())

    init(_ expectation: Expectation, passingTo sink: any ByteSink) {
        self.expectation = expectation
        self.sink = sink
    }

    /// Why the body was refused, if it was.
    var refusal: Refusal? { state.withLock { $0.refusal } }

    func expect(byteCount: Int) throws { try sink.expect(byteCount: byteCount) }

    func append(_ bytes: UnsafeRawBufferPointer) throws {
        let held: [UInt8]? = state.withLock { state in
            guard !state.isPassing else { return nil }
            state.prefix += bytes
            return state.prefix
        }
        guard let held else { return try sink.append(bytes) }
        if held.count >= ImageFormat.signatureBytes { try pass(held) }
    }

    func restart() throws {
        state.withLock { $0 = State() }
        try sink.restart()
    }

    /// Judges a body that was shorter than a signature.
    func finish() throws {
        let held = state.withLock { state in state.isPassing ? nil : state.prefix }
        guard let held else { return }
        if held.isEmpty { try refuse(Self.emptyBody) }
        try pass(held)
    }

    private func pass(_ held: [UInt8]) throws {
        if let reason = held.withUnsafeBytes({ refusalReason($0) }) { try refuse(reason) }
        state.withLock { $0 = State(isPassing: true) }
        try held.withUnsafeBytes { try sink.append($0) }
    }

    private func refusalReason(_ bytes: UnsafeRawBufferPointer) -> String? {
        guard expectation != .anything, ImageFormat(signature: bytes) == nil else { return nil }
        if let kind = Self.textKind(bytes) { return "\(kind) instead of a picture" }
        return expectation == .picture ? "something that is no known picture" : nil
    }

    private func refuse(_ reason: String) throws {
        let refusal = Refusal(description: reason)
        state.withLock { $0.refusal = refusal }
        throw refusal
    }

    /// What sort of text the bytes are; nil if they are none.
    private static func textKind(_ bytes: UnsafeRawBufferPointer) -> String? {
        let isBinary = bytes.contains { $0 < 0x20 && ![0x09, 0x0A, 0x0C, 0x0D, 0x1B].contains($0) }
        guard !isBinary else { return nil }
        let start = String(decoding: bytes.prefix(256), as: UTF8.self).trimmed.lowercased()
        if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") || start.hasPrefix("<head") { return "HTML" }
        if start.hasPrefix("{") || start.hasPrefix("[") { return "JSON" }
        return start.hasPrefix("<") ? "markup" : "text"
    }
}
