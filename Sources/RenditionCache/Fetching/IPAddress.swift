import Glibc

/// An IPv4 or IPv6 address, and whether the public internet is behind it.
struct IPAddress: Equatable, Sendable, CustomStringConvertible {
    /// 4 or 16 bytes in network order.
    let bytes: [UInt8]

    /// The address of 4 or 16 bytes; nil for any other number.
    init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// The address that the text spells, with or without the brackets of a URL; nil for a name or a scoped address.
    init?(_ text: some StringProtocol) {
        let bare = text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : String(text)
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, bare, &bytes) == 1 {
            self.bytes = Array(bytes.prefix(4))
        } else if inet_pton(AF_INET6, bare, &bytes) == 1 {
            self.bytes = bytes
        } else {
            return nil
        }
    }

    /// Whether it is a unicast address of the public internet.
    ///
    /// Everything that the IANA special-purpose registries (RFC 6890) keep apart is not: loopback, private, link-local,
    /// shared (CGNAT), multicast, documentation, and every IPv6 form with an IPv4 address inside (mapped, 6to4, NAT64,
    /// Teredo), because it reaches an address that was not looked at.
    var isPublic: Bool {
        if bytes.count == 4 { return !Self.specialIPv4.contains { $0.contains(self) } }
        return Self.globalUnicast?.contains(self) == true && !Self.specialIPv6.contains { $0.contains(self) }
    }

    /// The usual text form.
    var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count)) != nil else {
            return "?"
        }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static let specialIPv4: [AddressBlock] = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/4", "240.0.0.0/4",
    ].compactMap(AddressBlock.init)

    private static let globalUnicast = AddressBlock("2000::/3")
    private static let specialIPv6: [AddressBlock] = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"]
        .compactMap(AddressBlock.init)
}

/// The addresses that share their first bits: `10.0.0.0/8`, or a single address.
struct AddressBlock: Equatable, Sendable {
    private let address: IPAddress
    private let bits: Int

    /// The block that the text spells; a bare address is a block of one.
    init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1)
        guard let first = parts.first, let address = IPAddress(first) else { return nil }
        let longest = address.bytes.count * 8
        guard let bits = parts.count == 2 ? Int(parts[1]) : longest, (0...longest).contains(bits) else { return nil }
        self.address = address
        self.bits = bits
    }

    /// Whether the address is of the same family and has the same first bits.
    func contains(_ other: IPAddress) -> Bool {
        guard other.bytes.count == address.bytes.count else { return false }
        let whole = bits / 8
        guard other.bytes.prefix(whole) == address.bytes.prefix(whole) else { return false }
        guard bits % 8 > 0 else { return true }
        let mask = UInt8(truncatingIfNeeded: 0xFF00 >> (bits % 8))
        return other.bytes[whole] & mask == address.bytes[whole] & mask
    }
}
