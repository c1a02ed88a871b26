import Glibc
import RenditionCache

/// Another run of a program, with its standard output in our hands; ended with the last reference.
final class ChildProcess {
    /// What a finished run left.
    struct Result {
        var status: Int32
        var output: [UInt8]
        var seconds: Double
    }

    private let identifier: pid_t
    private let output: Int32
    private var isReaped = false

    /// Starts `program`; standard input is empty.
    ///
    /// - Parameter log: the file that takes its standard error; nil for our own standard error.
    init(_ program: String, _ arguments: [String], log: String? = nil) throws(SystemError) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw SystemError("pipe", code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        if let log { posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_TRUNC, 0o644) }
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var child: pid_t = 0
        let outcome = posix_spawn(&child, program, &actions, nil, words, environ)
        close(ends[1])
        guard outcome == 0 else {
            close(ends[0])
            throw SystemError("posix_spawn", code: outcome)
        }
        identifier = child
        output = ends[0]
    }

    deinit {
        if !isReaped { _ = end(within: 2) }
        close(output)
    }

    /// The path of the program that runs now.
    static func ownProgram() -> String {
        var path = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &path, path.count - 1)
        return String(decoding: path.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Runs a program to its end and collects what it writes.
    ///
    /// Blocks. Throws if it says nothing for `seconds`; it is ended then.
    static func run(
        _ program: String,
        _ arguments: [String],
        silentAtMost seconds: Double = 180
    ) throws(SystemError) -> Result {
        let began = ContinuousClock.now
        let child = try ChildProcess(program, arguments)
        var bytes: [UInt8] = []
        while true {
            guard child.hasOutput(within: seconds) else { throw SystemError("poll", code: ETIMEDOUT) }
            guard let piece = child.piece() else { break }
            bytes += piece
        }
        let status = child.reap()
        return Result(status: status, output: bytes, seconds: began.duration(to: .now).seconds)
    }

    /// The first line it writes; nil if it ends or says nothing for `seconds`.
    func firstLine(within seconds: Double) -> String? {
        let deadline = ContinuousClock.now + .seconds(seconds)
        var line: [UInt8] = []
        while true {
            let left = ContinuousClock.now.duration(to: deadline).seconds
            guard left > 0, hasOutput(within: left), let piece = piece(1) else { return nil }
            if piece == [UInt8(ascii: "\n")] { return String(decoding: line, as: UTF8.self) }
            line += piece
        }
    }

    /// Asks it to end, kills it if it has not after `seconds`; true if it ended by itself with status 0.
    func end(within seconds: Double) -> Bool {
        guard !isReaped else { return true }
        kill(identifier, SIGTERM)
        let deadline = ContinuousClock.now + .seconds(seconds)
        var status: Int32 = 0
        while waitpid(identifier, &status, WNOHANG) == 0 {
            guard ContinuousClock.now < deadline else {
                kill(identifier, SIGKILL)
                _ = reap()
                return false
            }
            usleep(10_000)
        }
        isReaped = true
        return status == 0
    }

    /// Whether it writes or ends within `seconds`.
    private func hasOutput(within seconds: Double) -> Bool {
        var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, Int32(seconds * 1000)) > 0
    }

    private func reap() -> Int32 {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
        isReaped = true
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
    }

    private func piece(_ most: Int = 65_536) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: most)
        while true {
            let count = read(output, &bytes, most)
            if count < 0 && errno == EINTR { continue }
            return count > 0 ? Array(bytes.prefix(count)) : nil
        }
    }
}
