/// Whom a request goes to: scheme, host and port; what is learnt of a server is kept by it.
struct Authority: Hashable, Sendable, CustomStringConvertible {
    /// `http` or `https`.
    var scheme: String
    /// Lower case.
    var host: String
    /// Always there.
    var port: Int

    /// As in `cms.example:443`.
    var description: String { "\(host):\(port)" }
}

extension WebURL {
    /// Whom it leads to.
    var authority: Authority { Authority(scheme: scheme, host: host, port: port) }
}
