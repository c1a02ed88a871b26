/// Why a transfer did not end with an answer.
public enum FetchError: Error, Equatable, Sendable {
    /// The host has no address, or none that answers.
    case cannotConnect(host: String, reason: String)
    /// No answer within the limit; `phase` is `connect`, `stall` or `total`.
    case timedOut(host: String, phase: String, after: Duration)
    /// The body passed `limit` bytes and the transfer was stopped.
    case tooLarge(host: String, limit: Int)
    /// The connection ended before the body did.
    case cut(host: String, received: Int, expected: Int?)
    /// More redirects than allowed, or one without a usable target.
    case tooManyRedirects(host: String, limit: Int)
    /// The host resolves to an address that may not be asked from here.
    case addressRefused(host: String, address: String)
    /// The URL cannot be used.
    case badURL(String)
    /// The sink refused the bytes.
    case sink(String)
    /// Anything else that libcurl reports.
    case transport(host: String, reason: String)
    /// Whoever asked has gone.
    case cancelled
}
