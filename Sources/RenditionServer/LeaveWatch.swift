import CHTTPServer
import Glibc
import Synchronization

/// Watches the sockets of parked connections for clients that leave, and the clock for those who have waited too long.
///
/// The server library does not read a suspended socket, so it does not notice. One thread and one epoll descriptor serve all.
final class LeaveWatch: Sendable {
    private struct Entry {
        var exchange: Exchange
        var socket: Int32
        var deadline: ContinuousClock.Instant
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())
    private let epoll: Int32
    private let bell: Int32
    private let waitLimit: Duration
    private let maxEntries: Int
    private let heads: HeadWatch
    private let swept = Atomic(0)

    /// Starts the thread; it ends with `close()`.
    ///
    /// - Parameter heads: what else is to be looked through once a second.
    init(waitLimit: Duration, maxEntries: Int, heads: HeadWatch) {
        self.heads = heads
        self.waitLimit = waitLimit
        self.maxEntries = maxEntries
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        precondition(epoll >= 0 && bell >= 0, "epoll_create1, eventfd: error \(errno)")
        control(EPOLL_CTL_ADD, bell, EPOLLIN.rawValue, ticket: 0)
        OwnThread.run { [self] in
            while !state.withLock({ $0.isClosed }) { turn() }
        }
    }

    deinit {
        Glibc.close(epoll)
        Glibc.close(bell)
    }

    /// How many wait.
    var count: Int { state.withLock { $0.entries.count } }

    /// Whether another one may wait.
    var hasRoom: Bool { count < maxEntries }

    /// Watches a socket until `remove`; false when closed.
    func add(_ exchange: Exchange, socket: Int32) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.entries[exchange.ticket] = Entry(exchange: exchange, socket: socket, deadline: .now + waitLimit)
            // Inside the lock, so that `remove` cannot come between. Should it fail, a client's leaving goes unnoticed.
            control(EPOLL_CTL_ADD, socket, EPOLLRDHUP.rawValue | EPOLLONESHOT.rawValue, ticket: exchange.ticket)
            return true
        }
    }

    /// Ends a watch; from here on the socket may be closed.
    func remove(_ exchange: Exchange) {
        state.withLock { state in
            guard let entry = state.entries.removeValue(forKey: exchange.ticket) else { return }
            control(EPOLL_CTL_DEL, entry.socket, 0, ticket: exchange.ticket)
        }
    }

    /// Lets nobody in any more, sends away who still waits, and ends the thread.
    func close() {
        let entries = state.withLock { state in
            state.isClosed = true
            return Array(state.entries.values)
        }
        var one: UInt64 = 1
        write(bell, &one, 8)
        for entry in entries { entry.exchange.expire(.stopping) }
    }

    /// One wait of at most a second, for those who left and those whose time is up.
    private func turn() {
        var events = [epoll_event](repeating: epoll_event(), count: 64)
        let ready = epoll_wait(epoll, &events, 64, 1000)
        for event in events.prefix(Int(max(0, ready))) {
            let entry = state.withLock { $0.entries[event.data.u64] }
            entry?.exchange.finish(.gone)
        }
        let now = ContinuousClock.now
        let late = state.withLock { state in state.entries.values.filter { $0.deadline <= now } }
        for entry in late { entry.exchange.expire(.waitedTooLong) }
        let second = Connection.seconds()
        if swept.exchange(second, ordering: .relaxed) != second { heads.sweep() }
    }

    private func control(_ operation: Int32, _ descriptor: Int32, _ events: UInt32, ticket: UInt64) {
        var event = epoll_event(events: events, data: epoll_data(u64: ticket))
        _ = epoll_ctl(epoll, operation, descriptor, &event)
    }
}
