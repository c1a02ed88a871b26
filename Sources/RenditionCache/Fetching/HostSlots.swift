/// Who may transfer now: a width for each host and one for all, the more urgent first, then in order of arrival.
///
/// A plain value: the fetching thread owns it.
struct HostSlots<ID: Hashable> {
    private struct Waiter {
        let id: ID
        let host: String
        let priority: WorkPriority
    }

    private let perHost: Int
    private let inAll: Int
    private var busy: [String: Int] = [:]
    private var total = 0
    /// Most urgent first; in order of arrival among equals.
    private var waiters: [Waiter] = []

    /// Nobody transfers; a width below one counts as one.
    init(perHost: Int, inAll: Int) {
        self.perHost = max(perHost, 1)
        self.inAll = max(inAll, 1)
    }

    /// How many wait.
    var waiting: Int { waiters.count }

    /// Joins the queue; `next()` says when its turn has come.
    mutating func enqueue(_ id: ID, host: String, priority: WorkPriority) {
        let place = waiters.firstIndex { $0.priority < priority } ?? waiters.endIndex
        waiters.insert(Waiter(id: id, host: host, priority: priority), at: place)
    }

    /// The next one that may begin, which takes its slot; nil when all have to wait.
    ///
    /// A host at its width holds up nobody who wants another one.
    mutating func next() -> ID? {
        guard total < inAll, let place = waiters.firstIndex(where: { busy[$0.host, default: 0] < perHost }) else {
            return nil
        }
        let waiter = waiters.remove(at: place)
        busy[waiter.host, default: 0] += 1
        total += 1
        return waiter.id
    }

    /// Moves up to the more urgent, behind those who are already there; nothing for who does not wait.
    mutating func raise(_ id: ID, to priority: WorkPriority) {
        guard let place = waiters.firstIndex(where: { $0.id == id && $0.priority < priority }) else { return }
        enqueue(id, host: waiters.remove(at: place).host, priority: priority)
    }

    /// Leaves the queue without having had a slot.
    mutating func withdraw(_ id: ID) { waiters.removeAll { $0.id == id } }

    /// Gives a slot back.
    mutating func release(host: String) {
        guard let count = busy[host] else { return }
        busy[host] = count > 1 ? count - 1 : nil
        total -= 1
    }
}
