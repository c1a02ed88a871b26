import Foundation
import TestSupport

/// Real render workers that start one at a time, when the test says so: order in time without sleeping.
///
/// Every job gets a worker of its own (`jobsPerWorker` 1), and every worker waits in front of its first instruction for a
/// byte out of a named pipe.
final class HeldWorkers: Sendable {
    private let folder: TemporaryFolder
    private let pipe: Int32
    /// For `RenderSettings.program`.
    let program: String

    init() throws {
        folder = try TemporaryFolder()
        let path = folder.file("pipe")
        guard mkfifo(path, 0o600) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        pipe = open(path, O_RDWR | O_CLOEXEC)
        let real = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("rcache-render").path
        program = try folder.script("read go < '\(path)'\nexec '\(real)'", named: "rcache-render")
    }

    deinit { close(pipe) }

    /// Lets that many workers go on.
    func release(_ count: Int) { write(pipe, [UInt8](repeating: UInt8(ascii: "\n"), count: count), count) }
}
