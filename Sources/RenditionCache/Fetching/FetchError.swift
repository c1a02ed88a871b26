/// Why a transfer did not end with an answer.
public enum FetchError: Error, Equatable, Sendable {
    /// The host has no address, or none that answers.
    case cannotConnect(host: String, reason: String)
    /// No answer within the limit; `phase` is `slot`, `connect`, `stall` or `total`.
    case timedOut(host: String, phase: String, after: Duration)
    /// The body passed `limit` bytes and the transfer was stopped.
    case tooLarge(host: String, limit: Int)
    /// The connection ended before the body did.
    case cut(host: String, received: Int, expected: Int?)
    /// More redirects than allowed.
    case tooManyRedirects(host: String, limit: Int)
    /// The host resolves to an address that may not be asked from here.
    case addressRefused(host: String, address: String)
    /// The URL, or the target of a redirect, cannot be used; the text has no query.
    case badURL(String)
    /// The sink refused the bytes.
    case sink(String)
    /// The host answered `status` and asks not to be asked for `wait` more; nothing was sent.
    case busy(host: String, status: Int, wait: Duration)
    /// The host failed so often in a row that it is not asked for `wait` more; nothing was sent.
    ///
    /// No wait means that another request finds out right now whether it is back.
    case resting(host: String, failures: Int, wait: Duration)
    /// Anything else that libcurl reports.
    case transport(host: String, reason: String)
    /// Whoever asked has gone.
    case cancelled
}

extension FetchError: CustomStringConvertible {
    /// One clause, without secrets.
    public var description: String {
        switch self {
        case .cannotConnect(let host, let reason): "\(host) cannot be reached: \(reason)"
        case .timedOut(let host, "slot", let limit): "no transfer to \(host) ended within \(limit.secondsText)"
        case .timedOut(let host, "connect", let limit): "\(host) took no connection within \(limit.secondsText)"
        case .timedOut(let host, "stall", let limit): "\(host) sent nothing for \(limit.secondsText)"
        case .timedOut(let host, _, let limit): "\(host) was not done within \(limit.secondsText)"
        case .tooLarge(let host, let limit): "\(host) sent more than \(limit) bytes"
        case .cut(let host, let received, let expected?): "\(host) ended after \(received) of \(expected) bytes"
        case .cut(let host, let received, nil): "\(host) ended after \(received) bytes, before the body did"
        case .tooManyRedirects(let host, let limit): "\(host) redirects more than \(limit) times"
        case .addressRefused(let host, let address): "\(host) is at \(address), which may not be asked from here"
        case .badURL(let url): "the URL cannot be used: \(url)"
        case .sink(let reason): "the body could not be kept: \(reason)"
        case .busy(let host, let status, let wait):
            "\(host) answered \(status) and is not asked for \(wait.secondsText) more"
        case .resting(let host, let failures, .zero): "\(host) is being tried again after \(failures) failures in a row"
        case .resting(let host, let failures, let wait):
            "\(host) is not asked for \(wait.secondsText) more after \(failures) failures in a row"
        case .transport(let host, let reason): "the transfer from \(host) broke: \(reason)"
        case .cancelled: "nobody waits any more"
        }
    }
}

extension FetchError {
    /// Whether the host was not even asked, because of what is known of it.
    var isRefusal: Bool {
        switch self {
        case .busy, .resting: true
        default: false
        }
    }
}
