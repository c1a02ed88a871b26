import CSandbox
import Foundation
import Glibc
import Testing

/// What a worker can still do once it is confined, tried on a thread that is confined alone.
@Suite(.timeLimit(.minutes(1))) struct ConfinementTests {
    /// The outcome of one attempt: 0, or the error number.
    private func confined(_ attempt: @escaping @Sendable () -> Int32) async -> Int32 {
        await withCheckedContinuation { continuation in
            let thread = Thread {
                let entered = csandbox_enter(0)
                continuation.resume(returning: entered == 0 ? attempt() : entered)
            }
            thread.start()
        }
    }

    private static func outcome(_ result: Int) -> Int32 {
        guard result >= 0 else { return errno }
        close(Int32(result))
        return 0
    }

    struct Attempt: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: @Sendable () -> Int32
    }

    private static let path = NSTemporaryDirectory() + "rcache-confinement-\(getpid())"

    static let refused: [Attempt] = [
        Attempt(testDescription: "an internet socket") {
            outcome(Int(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)))
        },
        Attempt(testDescription: "a local socket") { outcome(Int(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))) },
        Attempt(testDescription: "another program") {
            var id = pid_t()
            var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
            defer { free(arguments[0]) }
            return posix_spawn(&id, "/bin/true", nil, nil, &arguments, nil)
        },
        Attempt(testDescription: "this program replaced") {
            var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
            defer { free(arguments[0]) }
            return execv("/bin/true", &arguments) < 0 ? errno : 0
        },
        Attempt(testDescription: "a file created") {
            let path = Self.path
            return outcome(Int(open(path, O_CREAT | O_WRONLY, 0o600)))
        },
        Attempt(testDescription: "a device written to") { outcome(Int(open("/dev/null", O_RDWR))) },
        Attempt(testDescription: "a file removed") { unlink(Self.path) < 0 ? errno : 0 },
        Attempt(testDescription: "a folder made") { mkdir(Self.path, 0o700) < 0 ? errno : 0 },
        Attempt(testDescription: "a signal to its parent") { kill(getppid(), 0) < 0 ? errno : 0 },
    ]

    @Test(arguments: refused)
    func `what no decoder needs is refused`(attempt: Attempt) async {
        #expect(await confined(attempt.body) == EPERM)
    }

    @Test func `fonts can be read, memory taken and threads started`() async {
        #expect(await confined { Self.outcome(Int(open("/etc/passwd", O_RDONLY))) } == 0)
        let working = await confined {
            let memory = mmap(nil, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            guard let memory, memory != MAP_FAILED else { return errno }
            munmap(memory, 1 << 20)
            var thread = pthread_t()
            let code = pthread_create(&thread, nil, { _ in nil }, nil)
            return code == 0 ? pthread_join(thread, nil) : code
        }
        #expect(working == 0)
    }
}
