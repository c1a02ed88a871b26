/// The head of a response as its lines arrive; interim responses (1xx) are forgotten.
struct ResponseHead: Sendable {
    /// Most bytes of a head.
    static let maxBytes = 65_536

    private(set) var status = 0
    private(set) var fields: [HeaderField] = []
    /// Whether the empty line after a final status has come.
    private(set) var isComplete = false
    private var byteCount = 0

    /// Whether the body is what was asked for.
    var isGood: Bool { Self.isGood(status) }

    /// Whether a status promises what was asked for: any 2xx but a part nobody asked for (206).
    static func isGood(_ status: Int) -> Bool { (200..<300).contains(status) && status != 206 }

    /// Whether the body arrives as it is, without a content coding.
    var isPlain: Bool {
        fields.allSatisfy { $0.name.lowercased() != "content-encoding" || $0.value.lowercased() == "identity" }
    }

    /// How long the decoded body will be; nil if that is not known before the end.
    var contentLength: Int? {
        let isChunked = fields.contains { $0.name.lowercased() == "transfer-encoding" }
        guard isPlain, !isChunked, let field = fields.last(where: { $0.name.lowercased() == "content-length" }) else {
            return nil
        }
        return Int(field.value).flatMap { $0 >= 0 ? $0 : nil }
    }

    /// Takes the next line, with its line end, until the head is complete; false if it passes `maxBytes`.
    mutating func take(_ line: UnsafeRawBufferPointer) -> Bool {
        byteCount += line.count
        guard byteCount <= Self.maxBytes else { return false }
        let text = String(decoding: line, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            fields = []
            status = text.split(separator: " ", maxSplits: 2).dropFirst().first.flatMap { Int($0.prefix(3)) } ?? 0
        } else if line.allSatisfy({ $0 == 0x0D || $0 == 0x0A }) {
            isComplete = status >= 200
        } else if let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) {
            let value = text[text.index(after: colon)...].drop { $0.isWhitespace }
            let end = value.lastIndex { !$0.isWhitespace }
            fields.append(HeaderField(String(text[..<colon]), end.map { String(value[...$0]) } ?? ""))
        }
        return true
    }
}
