/// Whether a browser shows a body or saves it, and under which name (RFC 6266).
enum ContentDisposition: String, Sendable {
    case inline, attachment

    /// What fits a media type when nobody says: pictures, sound and video are shown, everything else is saved.
    init(mediaType: String) {
        let family = mediaType.prefix { $0 != "/" }.lowercased()
        self = ["image", "audio", "video"].contains(family) ? .inline : .attachment
    }

    /// The field's value; a name that is not plain ASCII is there twice, the second time as RFC 8187 writes it.
    func fieldValue(fileName: String) -> String {
        let plain = String(String.UnicodeScalarView(fileName.unicodeScalars.map { Self.isPlain($0) ? $0 : "_" }))
        let value = "\(rawValue); filename=\"\(plain)\""
        return plain == fileName
            ? value : value + "; filename*=UTF-8''\(fileName.percentEncoded(keeping: "!#$&+-.^_`|~"))"
    }

    /// Quotes, backslashes and escapes are left out as well: browsers disagree about them (RFC 6266, appendix D).
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        (0x20..<0x7F).contains(scalar.value) && !"\"\\%/".unicodeScalars.contains(scalar)
    }
}

extension String {
    /// Every byte of the UTF-8 form but ASCII letters, digits and `kept` as `%HH`.
    func percentEncoded(keeping kept: StaticString) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let kept = UnsafeBufferPointer(start: kept.utf8Start, count: kept.utf8CodeUnitCount)
        var bytes: [UInt8] = []
        for byte in utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: bytes.append(byte)
            case _ where kept.contains(byte): bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
