import Glibc

/// Follows the markers of a JPEG file (ITU-T T.81 annex B) to its end, and notes which scans were begun.
struct JPEGWalk {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 2
    /// For each component of the frame, a bit for each of its 64 coefficients that still waits for its final scan.
    private var missing: [UInt8: UInt64] = [:]
    private var isProgressive = false
    private var scans = 0

    static func structure(of bytes: UnsafeRawBufferPointer) -> SourceStructure {
        var walk = JPEGWalk(bytes: bytes)
        return walk.run()
    }

    private init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    private mutating func run() -> SourceStructure {
        var structure = walked()
        structure.scans = scans
        return structure
    }

    private mutating func walked() -> SourceStructure {
        while skipToMarker() {
            let marker = bytes[offset + 1]
            switch marker {
            case 0xD9: return SourceStructure(.complete, wholeBytes: offset + 2)
            case 0x00, 0x01, 0xD0...0xD8: offset += 2
            default:
                guard let length = bytes.bigEndian(at: offset + 2, bytes: 2), length <= bytes.count - offset - 2 else {
                    return SourceStructure(.truncated, wholeBytes: offset)
                }
                read(marker, body: UnsafeRawBufferPointer(rebasing: bytes[(offset + 2)..<(offset + 2 + length)]))
                offset += 2 + max(2, length)
            }
        }
        let hasAllScans = !missing.isEmpty && missing.values.allSatisfy { $0 == 0 }
        // A lone 0xFF at the very end is half of the missing marker.
        let whole = bytes.last == 0xFF ? bytes.count - 1 : bytes.count
        return SourceStructure(hasAllScans ? .missingEndMarker : .truncated, wholeBytes: whole)
    }

    /// Moves to the next marker, over entropy-coded data, stuffing, restarts and fill bytes; false at the end.
    private mutating func skipToMarker() -> Bool {
        while offset < bytes.count - 1, let start = bytes.baseAddress {
            guard let found = memchr(start + offset, 0xFF, bytes.count - 1 - offset) else { return false }
            offset = UnsafeRawPointer(found) - start
            switch bytes[offset + 1] {
            case 0xFF: offset += 1
            case 0x00, 0xD0...0xD7: offset += 2
            default: return true
            }
        }
        return false
    }

    private mutating func read(_ marker: UInt8, body: UnsafeRawBufferPointer) {
        switch marker {
        case 0xC4, 0xC8, 0xCC: break
        case 0xC0...0xCF: readFrame(body, isProgressive: marker & 0x3 == 2)
        case 0xDA: readScan(body)
        default: break
        }
    }

    /// T.81 §B.2.2: length, precision, lines, samples, then three bytes a component.
    private mutating func readFrame(_ body: UnsafeRawBufferPointer, isProgressive: Bool) {
        self.isProgressive = isProgressive
        missing = [:]
        for index in stride(from: 8, to: body.count - 2, by: 3) { missing[body[index]] = .max }
    }

    /// T.81 §B.2.3: length, components, two bytes each, then the band of coefficients and the bit positions.
    private mutating func readScan(_ body: UnsafeRawBufferPointer) {
        scans += 1
        guard body.count > 2, body.count >= 6 + 2 * Int(body[2]) else { return }
        let (first, last) = (body[body.count - 3], body[body.count - 2])
        let isFinal = body[body.count - 1] & 0xF == 0
        guard !isProgressive || isFinal && first <= last && last < 64 else { return }
        let band: UInt64 = isProgressive ? (UInt64.max >> (63 - UInt64(last - first))) << UInt64(first) : .max
        for index in 0..<Int(body[2]) { missing[body[3 + 2 * index], default: 0] &= ~band }
    }
}
