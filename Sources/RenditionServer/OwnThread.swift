import Glibc

/// Threads of the server's own, for what blocks; the cooperative pool never waits for them.
enum OwnThread {
    /// Runs `body` on a new thread that ends with it.
    static func run(_ body: @escaping @Sendable () -> Void) {
        let box = Unmanaged.passRetained(Box(body))
        var thread = pthread_t()
        let failure = pthread_create(
            &thread,
            nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body()
                return nil
            },
            box.toOpaque()
        )
        precondition(failure == 0, "pthread_create: error \(failure)")
        pthread_detach(thread)
    }

    /// Runs `body` on a new thread; the caller suspends until it has ended.
    static func wait(for body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            run {
                body()
                continuation.resume()
            }
        }
    }

    private final class Box: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
