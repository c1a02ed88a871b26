/// Why an origin did not give what was asked.
public enum OriginError: Error, Equatable, Sendable {
    /// It says that there is no such thing (404, 410, a file missing below a present root).
    case notFound(String)
    /// It refuses us (401, 403); the detail is its own text, without secrets.
    case forbidden(host: String, status: Int, detail: String?)
    /// It answers, but not with what was asked (429, 5xx, an error page with status 200, an empty or cut body).
    case unusable(host: String, status: Int, detail: String?)
    /// It asks us to wait (429, or 503 with `Retry-After`).
    case busy(host: String, status: Int, retryAfter: Duration?)
    /// It is another rcache, which has no picture itself, only a placeholder.
    case placeholder(host: String, cause: PlaceholderCause)
    /// The body is longer than `limit` bytes.
    case tooLarge(limit: Int)
    /// It could not be reached, or the transfer broke.
    case unreachable(FetchError)
    /// The folder itself cannot be opened.
    case folderMissing(String, SystemError)
    /// It cannot say what there is; the text says why, and what helps.
    case notEnumerable(String)
    /// The body could not be written down.
    case sink(String)
    /// Whoever asked has gone.
    case cancelled
}

extension OriginError: CustomStringConvertible {
    /// One clause, without secrets; `folderMissing` names a path and is for the log and the command line alone.
    public var description: String {
        switch self {
        case .notFound(let what): "there is no \(what)"
        case .forbidden(let host, let status, let detail): "\(host) refuses with status \(status)\(Self.clause(detail))"
        case .unusable(let host, let status, let detail): "\(host) answers \(status)\(Self.clause(detail))"
        case .busy(let host, let status, let wait?): "\(host) answers \(status) and asks to wait \(wait.secondsText)"
        case .busy(let host, let status, nil): "\(host) answers \(status) and asks to wait"
        case .placeholder(let host, let cause): "\(host) has no picture, only a placeholder (\(cause.rawValue))"
        case .tooLarge(let limit): "the body is longer than \(limit) bytes"
        case .unreachable(let error): error.description
        case .folderMissing(let path, let error): "the folder \(path) cannot be read: \(error)"
        case .notEnumerable(let reason): "the channel's pictures cannot be listed: \(reason)"
        case .sink(let reason): "the body could not be kept: \(reason)"
        case .cancelled: "nobody waits any more"
        }
    }

    private static func clause(_ detail: String?) -> String { detail.map { ": \($0)" } ?? "" }
}
