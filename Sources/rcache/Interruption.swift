import Glibc
import Synchronization

/// Ctrl-C and SIGTERM: the first asks for a clean end, the second ends the process at once.
///
/// Handlers rather than a blocked or ignored signal, because those are inherited by render workers.
enum Interruption {
    private static let received = Atomic<Int32>(0)
    private static let pipeEnd = Atomic<Int32>(-1)
    private static let reaction = Mutex<(@Sendable () -> Void)?>(nil)

    /// The signal that came, or SIGINT.
    static var signal: Int32 {
        let number = received.load(ordering: .relaxed)
        return number == 0 ? SIGINT : number
    }

    /// Whether one has come.
    static var hasCome: Bool { received.load(ordering: .relaxed) != 0 }

    /// Runs `react` on a thread of its own when the first signal comes.
    static func install(_ react: @escaping @Sendable () -> Void) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        reaction.withLock { $0 = react }
        pipeEnd.store(ends[1], ordering: .relaxed)
        // Initialised here, so that the handler finds it ready.
        received.store(0, ordering: .relaxed)
        let readEnd = UnsafeMutableRawPointer(bitPattern: Int(ends[0]) + 1)
        var thread = pthread_t()
        guard pthread_create(&thread, nil, { Interruption.wait($0) }, readEnd) == 0 else { return }
        for number in [SIGINT, SIGTERM] { Glibc.signal(number) { Interruption.handle($0) } }
    }

    /// In the signal handler: nothing but what signal-safety(7) allows.
    private static func handle(_ number: Int32) {
        if received.exchange(number, ordering: .relaxed) != 0 { _exit(128 + number) }
        let saved = errno
        var byte: UInt8 = 0
        write(pipeEnd.load(ordering: .relaxed), &byte, 1)
        errno = saved
    }

    private static func wait(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        // One more than the descriptor, since 0 would be no pointer.
        let descriptor = Int32(Int(bitPattern: argument) - 1)
        var byte: UInt8 = 0
        while read(descriptor, &byte, 1) < 0 && errno == EINTR {}
        reaction.withLock { $0 }?()
        return nil
    }
}
