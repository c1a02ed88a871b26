import Foundation

/// The built `rcache`, run to its end with both outputs read.
struct CommandRun {
    let status: Int32
    let bytes: [UInt8]
    let messages: String

    /// Standard output as text.
    var output: String { String(decoding: bytes, as: UTF8.self) }

    /// Beside the test bundle.
    static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("rcache")

    /// Runs `rcache` in `folder`, with an environment of its own.
    init(
        _ arguments: [String],
        in folder: String,
        environment: [String: String] = [:],
        program: URL = Self.program
    ) async throws {
        let command = try RunningCommand(arguments, in: folder, environment: environment, program: program)
        self = await command.end()
    }

    fileprivate init(status: Int32, bytes: [UInt8], messages: [UInt8]) {
        self.status = status
        self.bytes = bytes
        self.messages = String(decoding: messages, as: UTF8.self)
    }
}

/// The built `rcache` while it runs; killed after its limit, two minutes unless told otherwise.
final class RunningCommand {
    private let process = Process()
    private let output = Pipe()
    private let messages = Pipe()
    private let ended = AsyncStream<Void>.makeStream()
    private let watchdog: Task<Void, any Error>
    private var read: [UInt8] = []

    /// The process.
    var identifier: pid_t { process.processIdentifier }
    /// Whether it has not ended.
    var isRunning: Bool { process.isRunning }

    init(
        _ arguments: [String],
        in folder: String,
        environment: [String: String] = [:],
        program: URL = CommandRun.program,
        limit: Duration = .seconds(120)
    ) throws {
        process.executableURL = program
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.environment = ["PATH": "/usr/bin:/bin", "HOME": folder].merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = messages
        process.terminationHandler = { [ended] _ in ended.continuation.finish() }
        try process.run()
        let identifier = process.processIdentifier
        watchdog = Task {
            try await Task.sleep(for: limit)
            kill(identifier, SIGKILL)
        }
    }

    /// The next line of its standard output, without the line end; empty at the end.
    func line() async -> String {
        let handle = output.fileHandleForReading
        let line = await Self.onThread {
            var line: [UInt8] = []
            while let byte = handle.readData(ofLength: 1).first {
                line.append(byte)
                if byte == UInt8(ascii: "\n") { break }
            }
            return line
        }
        read += line
        return String(decoding: line.dropLast(), as: UTF8.self)
    }

    /// Sends a signal.
    func send(_ signal: Int32) { kill(identifier, signal) }

    /// Waits for its end.
    func end() async -> CommandRun {
        let handles = (output.fileHandleForReading, messages.fileHandleForReading)
        // Both are drained at once: a full pipe would stop the command.
        async let rest = Self.onThread { [UInt8](handles.0.readDataToEndOfFile()) }
        async let said = Self.onThread { [UInt8](handles.1.readDataToEndOfFile()) }
        let (bytes, messages) = (read + (await rest), await said)
        for await _ in ended.stream {}
        watchdog.cancel()
        let isExit = process.terminationReason == .exit
        // A signal that ended it does not look like an exit code.
        let status = isExit ? process.terminationStatus : -process.terminationStatus
        return CommandRun(status: status, bytes: bytes, messages: messages)
    }

    private static func onThread(_ read: @escaping @Sendable () -> [UInt8]) async -> [UInt8] {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: read()) }
        }
    }
}
