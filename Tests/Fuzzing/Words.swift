import RenditionModel

/// A request as the fuzzer writes it: sixteen bytes for a source and limits, then a query, a line feed, an `Accept` header.
struct Words {
    static let headBytes = 16

    let source: SourceDescription
    let limits: RenderLimits
    let query: [UInt8]
    let accept: String?
    /// A number for choices that neither of them makes.
    let choice: UInt8

    init?(_ input: UnsafeRawBufferPointer) {
        guard input.count >= Self.headBytes else { return nil }
        let head = Array(input.prefix(Self.headBytes))
        func side(_ offset: Int) -> Int {
            let number = head[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            return 1 + Int(number >> (UInt32(head[offset + 4]) & 31))
        }
        let formats = ImageFormat.allCases
        source = SourceDescription(
            format: formats[Int(head[0]) % formats.count],
            size: PixelSize(width: side(1), height: side(6)),
            frames: head[11] < 128 ? 1 : Int(head[11] & 0x7F) * (head[12] & 1 == 0 ? 1 : 100_000) + 1,
            hasAlpha: head[12] & 2 != 0,
            orientation: Int(head[13] % 8) + 1,
            isLossless: head[12] & 4 == 0 ? nil : head[12] & 8 == 0
        )
        var limits = RenderLimits()
        if head[14] & 1 != 0 { limits.outputEdgePixels = 1 + Int(head[14]) }
        if head[14] & 2 != 0 { limits.sourcePixels = 1 + Int(head[14]) * 1000 }
        self.limits = limits
        choice = head[15]
        let lines = input.dropFirst(Self.headBytes).split(
            separator: 0x0A,
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        query = Array(lines[0])
        accept = lines.count > 1 ? String(decoding: lines[1], as: UTF8.self) : nil
    }

    /// A picture of 1600×1200, then the query.
    static func seed(_ query: String, accept: String? = nil) -> [UInt8] {
        let head: [UInt8] = [0, 0, 0, 0x06, 0x3F, 0, 0, 0, 0x04, 0xAF, 0, 0, 0, 0, 0, 0]
        return head + Array(query.utf8) + (accept.map { [0x0A] + Array($0.utf8) } ?? [])
    }

    /// The part of a picture that trimming might leave.
    var trimmed: PixelRect {
        let whole = source.storedSize
        let size = PixelSize(width: max(1, whole.width / 3), height: max(1, whole.height / 2))
        return PixelRect(x: whole.width - size.width, y: (whole.height - size.height) / 2, size: size)
    }
}
