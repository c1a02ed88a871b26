/// What a part of a URL stands for (RFC 3986 §2.1); `+` stays a plus.
///
/// - Returns: nil for a `%` without two hexadecimal digits, and for bytes that are not UTF-8.
func percentDecoded(_ raw: some Sequence<UInt8>) -> String? {
    var bytes: [UInt8] = []
    var rest = raw.makeIterator()
    while let byte = rest.next() {
        guard byte == UInt8(ascii: "%") else {
            bytes.append(byte)
            continue
        }
        guard let high = hexValue(rest.next()), let low = hexValue(rest.next()) else { return nil }
        bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
}

/// The value of one hexadecimal digit.
func hexValue(_ digit: UInt8?) -> UInt8? {
    switch digit {
    case .some(let digit) where (0x30...0x39).contains(digit): digit - 0x30
    case .some(let digit) where (0x41...0x46).contains(digit): digit - 0x41 + 10
    case .some(let digit) where (0x61...0x66).contains(digit): digit - 0x61 + 10
    default: nil
    }
}
