import Foundation

/// The built `rcache`, run to its end with both outputs read.
struct CommandRun {
    let status: Int32
    let output: String
    let messages: String

    /// Beside the test bundle.
    static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("rcache")

    /// Runs `rcache` in `folder`, with an environment of its own.
    ///
    /// - Parameter limit: how long it may take before it is killed; the status is then that of SIGKILL.
    init(
        _ arguments: [String],
        in folder: String,
        environment: [String: String] = [:],
        limit: Duration = .seconds(30)
    ) async throws {
        let process = Process()
        process.executableURL = Self.program
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.environment = ["PATH": "/usr/bin:/bin", "HOME": folder].merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        let pipes = (output: Pipe(), messages: Pipe())
        process.standardOutput = pipes.output
        process.standardError = pipes.messages
        let ended = AsyncStream<Void>.makeStream()
        process.terminationHandler = { _ in ended.continuation.finish() }
        try process.run()
        let identifier = process.processIdentifier
        let watchdog = Task {
            try await Task.sleep(for: limit)
            kill(identifier, SIGKILL)
        }
        // Both are drained at once: a full pipe would stop the command.
        async let output = Self.drain(pipes.output)
        async let messages = Self.drain(pipes.messages)
        (self.output, self.messages) = (await output, await messages)
        for await _ in ended.stream {}
        watchdog.cancel()
        status = process.terminationStatus
    }

    private static func drain(_ pipe: Pipe) async -> String {
        await withCheckedContinuation { continuation in
            // A thread of its own, since the read blocks.
            Thread.detachNewThread {
                let data = pipe.fileHandleForReading.readDataToEndOfFile()
                continuation.resume(returning: String(decoding: data, as: UTF8.self))
            }
        }
    }
}
