import Glibc

/// Where to listen: a numeric address and a port.
package struct ListenAddress: Equatable, Sendable {
    /// An IPv4 or IPv6 address, the latter without brackets.
    package var address: String
    /// The port; 0 for any free one.
    package var port: Int

    /// What one looks like, for messages.
    package static let form = "ADDRESS:PORT, such as \"127.0.0.1:8080\", \"[::1]:8080\" or \"localhost:0\""

    /// Reads `127.0.0.1:8080`, `[::1]:8080` or `localhost:8080`; other host names are not looked up.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits) else { return nil }
        var host = String(text[..<colon])
        if host == "localhost" { host = "127.0.0.1" }
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
            guard Self.isAddress(host, family: AF_INET6) else { return nil }
        } else {
            guard Self.isAddress(host, family: AF_INET) else { return nil }
        }
        (address, self.port) = (host, Int(port))
    }

    private static func isAddress(_ text: String, family: Int32) -> Bool {
        var room = in6_addr()
        return inet_pton(family, text, &room) == 1
    }
}
