import Glibc
import Synchronization

/// Ctrl-C and SIGTERM: the first asks for a clean end, the second ends the process at once.
///
/// Handlers rather than a blocked or ignored signal, because those are inherited by render workers.
enum Interruption {
    private static let received = Atomic<Int32>(0)
    private static let readEnd = Atomic<Int32>(-1)
    private static let writeEnd = Atomic<Int32>(-1)
    private static let reaction = Mutex<(@Sendable () -> Void)?>(nil)

    /// The signal that came, or SIGINT.
    static var signal: Int32 {
        let number = received.load(ordering: .relaxed)
        return number == 0 ? SIGINT : number
    }

    /// Whether one has come.
    static var hasCome: Bool { received.load(ordering: .relaxed) != 0 }

    /// Takes the signals over; to be called before any work begins.
    static func install() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        readEnd.store(ends[0], ordering: .relaxed)
        writeEnd.store(ends[1], ordering: .relaxed)
        // Initialised here, so that the handler finds it ready.
        received.store(0, ordering: .relaxed)
        for number in [SIGINT, SIGTERM] { Glibc.signal(number) { Interruption.handle($0) } }
    }

    /// Runs `react` on a thread of its own when the first signal comes, or at once if it has come.
    static func whenItComes(_ react: @escaping @Sendable () -> Void) {
        reaction.withLock { $0 = react }
        var thread = pthread_t()
        pthread_create(&thread, nil, { _ in Interruption.wait() }, nil)
    }

    /// In the signal handler: nothing but what signal-safety(7) allows.
    private static func handle(_ number: Int32) {
        if received.exchange(number, ordering: .relaxed) != 0 { _exit(128 + number) }
        let saved = errno
        var byte: UInt8 = 0
        write(writeEnd.load(ordering: .relaxed), &byte, 1)
        errno = saved
    }

    private static func wait() -> UnsafeMutableRawPointer? {
        var byte: UInt8 = 0
        while read(readEnd.load(ordering: .relaxed), &byte, 1) < 0 && errno == EINTR {}
        reaction.withLock { $0 }?()
        return nil
    }
}
