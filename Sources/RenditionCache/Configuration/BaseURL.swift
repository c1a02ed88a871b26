/// Scheme, host and port of an origin: what a channel's `url` may say, and nothing more.
package struct BaseURL: Equatable, Sendable {
    /// `http` or `https`.
    package var scheme: String
    /// The host in lower case; an IPv6 address keeps its brackets.
    package var host: String
    /// The port, the scheme's own where none is written.
    package var port: Int

    /// Why a text is no such URL; one clause that does not repeat it, since it may hold a password.
    package struct Refusal: Error, Equatable {
        package var reason: String
    }

    /// Reads `https://host`, with a port or without; a single `/` may follow, and after it only if `path` is let go.
    ///
    /// - Parameter droppingPath: whether anything behind the authority is ignored rather than refused.
    package init(_ text: String, droppingPath: Bool = false) throws(Refusal) {
        guard let separator = text.firstRange(of: "://") else {
            throw Refusal(reason: "has no scheme; write it as https://host")
        }
        scheme = text[..<separator.lowerBound].lowercased()
        guard scheme == "http" || scheme == "https" else { throw Refusal(reason: "is neither http nor https") }
        let rest = text[separator.upperBound...]
        let authority = rest.prefix { !"/?#".contains($0) }
        let path = rest[authority.endIndex...]
        guard droppingPath || path.isEmpty || path == "/" else {
            throw Refusal(reason: "has more than scheme, host and port")
        }
        guard !authority.contains("@") else {
            throw Refusal(reason: "has a user name or password; use \"auth\" for them")
        }
        (host, port) = try Self.hostAndPort(authority, defaultPort: scheme == "https" ? 443 : 80)
    }

    private static func hostAndPort(_ authority: Substring, defaultPort: Int) throws(Refusal) -> (String, Int) {
        var host = authority
        var port = defaultPort
        if let colon = authority.lastIndex(of: ":"), authority.last != "]" {
            host = authority[..<colon]
            let digits = authority[authority.index(after: colon)...]
            guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(digits), number > 0 else {
                throw Refusal(reason: "has a port that is not in 1…65535")
            }
            port = Int(number)
        }
        let isLiteral = host.hasPrefix("[") && host.hasSuffix("]")
        let name = isLiteral ? host.dropFirst().dropLast() : host
        let allowed = isLiteral ? "0123456789abcdef:." : "0123456789abcdefghijklmnopqrstuvwxyz-._"
        guard !name.isEmpty, name.lowercased().allSatisfy(allowed.contains) else {
            throw Refusal(reason: "has a host that is not made of letters, digits, - and . (others as xn--…)")
        }
        return (host.lowercased(), port)
    }

    /// The URL without a path; the port only where it is not the scheme's own.
    package var text: String {
        port == (scheme == "https" ? 443 : 80) ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
    }
}
