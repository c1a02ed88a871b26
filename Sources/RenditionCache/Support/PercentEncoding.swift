/// Percent-encoding of the parts of a URL (RFC 3986 §2.1).
enum PercentEncoding {
    /// One part of a path: what would end it or change its meaning is encoded.
    static func segment(_ text: String) -> String { encode(text, keeping: "!$&'()*+,=@") }

    /// The value of a query parameter.
    static func value(_ text: String) -> String { encode(text, keeping: ":;,/?@!$'()*") }

    /// Percent-encodes every byte but letters, digits, `-._~` and those given.
    static func encode(_ text: String, keeping marks: String) -> String {
        let kept = Set((marks + "-._~").utf8)
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: bytes.append(byte)
            case _ where kept.contains(byte): bytes.append(byte)
            default: bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
