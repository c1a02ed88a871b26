import Glibc
import RenditionCache
import Synchronization

/// Standard output for results, standard error for everything else; a live status line on a terminal.
final class Console: Sendable {
    /// Whether results go to a terminal.
    let isOutputTerminal = isatty(STDOUT_FILENO) == 1
    /// Whether messages go to a terminal that can redraw a line.
    let isLive: Bool
    private let status = Mutex("")

    init() {
        let terminal = getenv("TERM").map { String(cString: $0) }
        isLive = isatty(STDERR_FILENO) == 1 && terminal != "dumb"
    }

    /// Writes a result.
    ///
    /// - Throws: quietly if nobody reads any more.
    func write(_ text: String) throws(Failure) {
        endStatus()
        try Self.writeAll(Array(text.utf8), to: STDOUT_FILENO, named: "standard output")
    }

    /// Writes a line of JSON.
    func write(_ json: JSONText) throws(Failure) { try write(json.line + "\n") }

    /// Writes a line to standard error, above the status line.
    func say(_ line: String) {
        status.withLock { status in
            let clear = status.isEmpty ? "" : "\r\u{1B}[K"
            Self.writeMessage("\(clear)\(Printable.text(line))\n\(status)")
        }
    }

    /// Replaces the status line, cut to the terminal's width; nothing where there is none.
    func show(status line: String) {
        guard isLive else { return }
        let cut = String(line.prefix(max(20, Self.columns() - 1)))
        status.withLock { status in
            guard cut != status else { return }
            status = cut
            Self.writeMessage("\r\u{1B}[K\(cut)")
        }
    }

    /// Takes the status line away.
    func endStatus() {
        status.withLock { status in
            guard !status.isEmpty else { return }
            status = ""
            Self.writeMessage("\r\u{1B}[K")
        }
    }

    /// Writes all of `bytes` to a descriptor.
    static func writeAll(_ bytes: [UInt8], to descriptor: Int32, named name: String) throws(Failure) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress.map { $0 + written }, $0.count - written)
            }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else {
                // The reader has what it wanted: end as `head` lets others end.
                if errno == EPIPE { throw .init(.interrupted(by: SIGPIPE), "") }
                throw Failure(.failures, "\(name) cannot be written (\(SystemError("write", code: errno)))")
            }
            written += count
        }
    }

    private static func writeMessage(_ text: String) {
        // Nobody is left to be told that standard error cannot be written.
        _ = try? writeAll(Array(text.utf8), to: STDERR_FILENO, named: "standard error")
    }

    private static func columns() -> Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
