import RenditionCache

/// What the process ends with.
struct ExitCode: RawRepresentable, Equatable, Sendable {
    var rawValue: Int32

    /// Everything was done.
    static let done = ExitCode(rawValue: 0)
    /// It came to the end, but not everything could be done.
    static let failures = ExitCode(rawValue: 1)
    /// The command line or the configuration is wrong.
    static let usage = ExitCode(rawValue: 2)
    /// There is no such thing.
    static let notFound = ExitCode(rawValue: 3)
    /// The origin cannot be asked, and nothing is cached.
    static let unreachable = ExitCode(rawValue: 4)

    /// Ended by a signal: 128 and its number, as shells have it.
    static func interrupted(by signal: Int32) -> ExitCode { ExitCode(rawValue: 128 + signal) }
}

/// Why a command ends before its time: what to say and what to exit with.
struct Failure: Error, Equatable {
    var code: ExitCode
    /// A sentence or more, for standard error; empty if all has been said.
    var message: String

    init(_ code: ExitCode, _ message: String) {
        self.code = code
        self.message = message
    }

    static func usage(_ message: String) -> Failure { Failure(.usage, message) }

    /// Somebody pressed Ctrl-C or sent SIGTERM.
    static var interrupted: Failure { Failure(.interrupted(by: Interruption.signal), "") }
}

extension Failure {
    /// What a failure of the service means on the command line.
    init(_ error: RenditionError) {
        switch error {
        case .unknownChannel(let name, let known):
            let hint = nearest(to: name, among: known).map { "did you mean \(quoted($0))?" }
            self.init(.usage, "no channel \(quoted(name)); \(hint ?? "there are \(known.joined(separator: ", "))")")
        case .request: self.init(.usage, "\(error)")
        case .assetNotFound: self.init(.notFound, "\(error); rcache list shows what there is")
        case .renditionNotFound(_, _, let name):
            let common = WarmSelection.commonWidths.map(\.key) + ["native"]
            let hint = nearest(to: name, among: common).map { "did you mean \($0)?" }
            self.init(.notFound, "\(error); \(hint ?? "every picture has \(common.joined(separator: ", "))")")
        case .origin(.notFound): self.init(.notFound, "\(error)")
        case .origin(.forbidden):
            self.init(.unreachable, "\(error) (check the channel's auth, apiKey or channelToken)")
        case .origin(.notEnumerable): self.init(.usage, "\(error)")
        case .notCached: self.init(.unreachable, "\(error)")
        case .origin(.cancelled), .cancelled, .closed: self = .interrupted
        case .origin: self.init(.unreachable, "\(error)")
        case .cache, .render: self.init(.failures, "\(error)")
        }
    }
}
