/// Why the server does not listen.
public enum ServerError: Error, Equatable, Sendable {
    /// The address is no numeric IPv4 or IPv6 address.
    case badAddress(String)
    /// The port is taken, or the address is not this host's; the reason is the system's.
    case cannotListen(address: String, port: Int, reason: String)
    /// The server library would not start.
    case cannotStart
}

extension ServerError: CustomStringConvertible {
    /// One clause, with the address and the reason.
    public var description: String {
        switch self {
        case .badAddress(let address): "\(address) is not a numeric IPv4 or IPv6 address"
        case .cannotListen(let address, let port, let reason): "cannot listen on \(address) port \(port): \(reason)"
        case .cannotStart: "the HTTP server library did not start"
        }
    }
}
