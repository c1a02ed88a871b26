import Glibc
import RenditionCache
import Synchronization

/// What the server knows of one client connection; touched only by the thread that serves it, but for `isLate`.
final class Connection: @unchecked Sendable {
    // Safe to share: other threads only read the atomic.

    /// How far the current request has come.
    enum Phase {
        /// None is being read.
        case idle
        /// The target is there.
        case begun
        /// The head is there too.
        case headed
        /// It waits.
        case parked(Exchange)
    }

    /// How far the current request has come.
    var phase = Phase.idle {
        didSet {
            // The clock does not begin anew with the request line.
            if case .begun = phase { return }
            waitingSince.store(isIdle ? Self.seconds() : Self.isAnswering, ordering: .relaxed)
        }
    }
    /// The raw target; its storage serves every request of the connection.
    private(set) var target: [UInt8] = []
    /// The current request's head.
    var head = RequestHead()

    /// Whether no request is under way.
    var isIdle: Bool {
        if case .idle = phase { return true }
        return false
    }

    /// The last `Accept` that mattered, and what it came to.
    private var known: (field: String, accepted: AcceptClass)?

    /// The class that an `Accept` is of; read once for all requests of a client, which says the same with each.
    func accepted(_ field: String) -> AcceptClass {
        if let known, known.field == field { return known.accepted }
        let accepted = AcceptClass(AcceptedTypes(field))
        known = (field, accepted)
        return accepted
    }

    /// Since when the head of the next request is awaited, in seconds of the system's running.
    private let waitingSince = Atomic(Connection.seconds())
    private static let isAnswering = Int.max

    /// Whether the head has been awaited for longer than `limit` seconds; may be called by any thread.
    func isLate(_ now: Int, limit: Int) -> Bool {
        let since = waitingSince.load(ordering: .relaxed)
        return since != Self.isAnswering && now - since > limit
    }

    /// The time that limits are counted in; cheap, and never set back.
    static func seconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return time.tv_sec
    }

    /// Takes a target, up to one byte more than may be, so that one too long is known.
    func begin(_ text: UnsafePointer<CChar>, maxBytes: Int) {
        target.removeAll(keepingCapacity: true)
        var next = text
        while next.pointee != 0 && target.count <= maxBytes {
            target.append(UInt8(bitPattern: next.pointee))
            next += 1
        }
        phase = .begun
    }
}
