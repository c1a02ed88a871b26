/// A decimal number of ASCII digits with an optional sign and point, as URLs carry it; as exact as a transform is.
///
/// - Returns: nil for anything else, the words for infinity and for no number included.
func decimal(_ text: some StringProtocol) -> Double? {
    var digits = text.utf8[...]
    if digits.first == UInt8(ascii: "-") || digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
    let halves = digits.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard text.utf8.count <= 64, halves.contains(where: { !$0.isEmpty }),
        halves.allSatisfy({ $0.allSatisfy { (0x30...0x39).contains($0) } })
    else { return nil }
    return Double(String(text)).flatMap { $0.isFinite ? $0.asWritten : nil }
}

/// A whole number of ASCII digits alone; nil for anything else, and beyond what 64 bits hold.
func wholeNumber(_ text: some StringProtocol) -> Int? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
}

/// A colour of hexadecimal digits; nil for any that is not one, and for another number of them.
func hexadecimalDigits(_ text: some StringProtocol) -> [UInt8]? {
    var digits: [UInt8] = []
    for byte in text.utf8 {
        guard let value = hexValue(byte) else { return nil }
        digits.append(value)
    }
    return digits
}
