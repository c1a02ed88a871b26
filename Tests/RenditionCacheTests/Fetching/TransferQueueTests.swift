import Testing

@testable import RenditionCache

@Suite struct TransferQueueTests {
    private typealias Queue = TransferQueue<String>
    private let start = ContinuousClock.now

    private func queue(_ change: (inout FetchSettings) -> Void = { _ in }) -> Queue {
        var settings = FetchSettings()
        change(&settings)
        return Queue(settings: settings)
    }

    private func authority(_ host: String) -> Authority { Authority(scheme: "https", host: host, port: 443) }

    /// Enqueues with the patience of its priority.
    private func enqueue(
        _ id: String,
        _ priority: WorkPriority = .live,
        host: String = "a",
        in queue: inout Queue,
        after offset: Duration = .zero,
        change: (inout Queue.Request) -> Void = { _ in }
    ) {
        var request = Queue.Request(
            id: id,
            authority: authority(host),
            priority: priority,
            patience: priority == .live ? .seconds(2) : .seconds(60),
            slotLimit: .seconds(120)
        )
        change(&request)
        queue.enqueue(request, now: start + offset)
    }

    /// Everything that is to be done at that time.
    private func steps(_ queue: inout Queue, after offset: Duration = .zero) -> [Queue.Step] {
        var steps: [Queue.Step] = []
        while let step = queue.next(now: start + offset) { steps.append(step) }
        return steps
    }

    /// Lets `id` begin and end with a signal.
    private func run(
        _ id: String,
        _ signal: HostSignal,
        in queue: inout Queue,
        after offset: Duration = .zero
    ) -> HostState.Change? {
        enqueue(id, in: &queue, after: offset)
        #expect(steps(&queue, after: offset) == [.begin(id)])
        return queue.release(id, signal, now: start + offset)
    }

    // MARK: Slots

    @Test func `each host has its width and all together have theirs`() {
        var queue = queue { ($0.perHost, $0.inAll) = (2, 3) }
        for id in ["1", "2", "3"] { enqueue(id, in: &queue) }
        for id in ["4", "5"] { enqueue(id, host: "b", in: &queue) }
        #expect(steps(&queue) == [.begin("1"), .begin("2"), .begin("4")])
        _ = queue.release("4", .good, now: start)
        #expect(steps(&queue) == [.begin("5")], "a is at its width, so b goes on")
        _ = queue.release("1", .good, now: start)
        #expect(steps(&queue) == [.begin("3")])
        #expect(queue.waiting == 0)
    }

    @Test func `another port or scheme is another host`() {
        var queue = queue { $0.perHost = 1 }
        for (id, scheme, port) in [("1", "https", 443), ("2", "https", 444), ("3", "http", 443), ("4", "https", 443)] {
            enqueue(id, in: &queue) { $0.authority = Authority(scheme: scheme, host: "a", port: port) }
        }
        #expect(steps(&queue) == [.begin("1"), .begin("2"), .begin("3")])
    }

    @Test func `the more urgent goes first, equals in order of arrival`() {
        var queue = queue { $0.perHost = 1 }
        let arrivals: [(String, WorkPriority)] = [
            ("w1", .warm), ("l1", .live), ("r1", .revalidation), ("w2", .warm), ("l2", .live),
        ]
        for (id, priority) in arrivals { enqueue(id, priority, in: &queue) }
        #expect(order(&queue) == ["l1", "l2", "r1", "w1", "w2"])
    }

    @Test func `who becomes more urgent passes the less urgent, and nobody else`() {
        var queue = queue { $0.perHost = 1 }
        let arrivals: [(String, WorkPriority)] = [("w1", .warm), ("w2", .warm), ("l1", .live), ("w3", .warm)]
        for (id, priority) in arrivals { enqueue(id, priority, in: &queue) }
        queue.raise("w2", to: .live, now: start)
        queue.raise("w3", to: .revalidation, now: start)
        queue.raise("l1", to: .warm, now: start)
        queue.raise("nobody", to: .live, now: start)
        #expect(order(&queue) == ["l1", "w2", "w3", "w1"])
    }

    /// Lets one after the other begin and end.
    private func order(_ queue: inout Queue) -> [String] {
        var order: [String] = []
        while case .begin(let id)? = queue.next(now: start) {
            order.append(id)
            _ = queue.release(id, .good, now: start)
        }
        return order
    }

    @Test func `who withdraws is passed over and holds nothing`() {
        var queue = queue { $0.perHost = 1 }
        for id in ["1", "2", "3"] { enqueue(id, in: &queue) }
        #expect(steps(&queue) == [.begin("1")])
        queue.withdraw("2")
        queue.withdraw("9")
        #expect(queue.release("1", .silent, now: start) == nil)
        #expect(queue.release("never", .good, now: start) == nil)
        #expect(steps(&queue) == [.begin("3")])
    }

    @Test func `a wait for a slot ends, the time of a wish to wait not counted`() {
        var queue = queue { $0.perHost = 1 }
        enqueue("first", in: &queue)
        enqueue("second", in: &queue) { $0.slotLimit = .seconds(9) }
        enqueue("third", .warm, in: &queue) { ($0.slotLimit, $0.delay) = (.seconds(9), .seconds(4)) }
        #expect(steps(&queue) == [.begin("first")])
        #expect(steps(&queue, after: .milliseconds(8999)) == [])
        #expect(queue.wake == start + .seconds(9))
        let error = FetchError.timedOut(host: "a", phase: "slot", after: .seconds(9))
        #expect(steps(&queue, after: .seconds(9)) == [.refuse("second", error)])
        #expect(queue.wake == start + .seconds(13))
        #expect(steps(&queue, after: .seconds(13)) == [.refuse("third", error)])
    }

    @Test func `the wait before another try is kept`() {
        var queue = queue()
        enqueue("again", in: &queue) { $0.delay = .milliseconds(400) }
        enqueue("other", .warm, in: &queue)
        #expect(steps(&queue) == [.begin("other")])
        #expect(queue.wake == start + .milliseconds(400))
        #expect(steps(&queue, after: .milliseconds(399)) == [])
        #expect(steps(&queue, after: .milliseconds(400)) == [.begin("again")])
    }

    @Test func `who becomes live does not wait before another try`() {
        var queue = queue()
        enqueue("again", .warm, in: &queue) { $0.delay = .seconds(4) }
        #expect(steps(&queue) == [])
        queue.raise("again", to: .revalidation, now: start)
        #expect(steps(&queue) == [])
        queue.raise("again", to: .live, now: start)
        #expect(steps(&queue) == [.begin("again")])
    }

    // MARK: Pace

    @Test func `overload halves what one host gets, and success gives it back`() {
        var queue = queue()
        let ids = (0..<20).map { "\($0)" }
        for id in ids { enqueue(id, .warm, in: &queue) }
        #expect(steps(&queue).count == 8)
        #expect(queue.width(authority("a")) == 8)
        for id in ids.prefix(8) { _ = queue.release(id, .busy(status: 429, wait: nil), now: start) }
        #expect(queue.width(authority("a")) == 4)
        #expect(queue.width(authority("b")) == 8)
        #expect(steps(&queue).count == 4)
        for id in ids[8..<12] { _ = queue.release(id, .good, now: start) }
        #expect(queue.width(authority("a")) == 5)
        #expect(steps(&queue).count == 5)
    }

    @Test func `a host that asks to wait is asked by nobody before, and others are`() {
        var queue = queue()
        #expect(run("first", .busy(status: 503, wait: .seconds(30)), in: &queue) == nil)
        enqueue("warm", .warm, in: &queue)
        enqueue("check", .revalidation, in: &queue)
        enqueue("other", .warm, host: "b", in: &queue)
        #expect(steps(&queue) == [.begin("other")])
        #expect(queue.wake == start + .seconds(30))
        #expect(steps(&queue, after: .milliseconds(29_999)) == [])
        #expect(steps(&queue, after: .seconds(30)) == [.begin("check"), .begin("warm")])
    }

    @Test func `a live request waits a little for such a host, and fails at once if that is not enough`() {
        var queue = queue()
        #expect(run("first", .busy(status: 429, wait: .seconds(5)), in: &queue) == nil)
        enqueue("early", in: &queue)
        let error = FetchError.busy(host: "a:443", status: 429, wait: .seconds(5))
        #expect(steps(&queue) == [.refuse("early", error)])
        enqueue("late", in: &queue, after: .seconds(3))
        #expect(steps(&queue, after: .seconds(3)) == [])
        #expect(steps(&queue, after: .seconds(5)) == [.begin("late")])
    }

    @Test func `other work does not wait for longer than its patience either`() {
        var queue = queue()
        #expect(run("first", .busy(status: 429, wait: .seconds(61)), in: &queue) == nil)
        enqueue("warm", .warm, in: &queue)
        let error = FetchError.busy(host: "a:443", status: 429, wait: .seconds(61))
        #expect(steps(&queue) == [.refuse("warm", error)])
    }

    @Test func `a host is not believed when it asks for days`() {
        var queue = queue { ($0.longestQuiet, $0.warmWait) = (.seconds(100), .seconds(200)) }
        #expect(run("first", .busy(status: 503, wait: .seconds(86_400)), in: &queue) == nil)
        enqueue("warm", .warm, in: &queue) { $0.patience = .seconds(200) }
        #expect(steps(&queue, after: .seconds(99)) == [])
        #expect(steps(&queue, after: .seconds(100)) == [.begin("warm")])
    }

    @Test func `who becomes live while a host is left alone fails at once`() {
        var queue = queue()
        #expect(run("first", .busy(status: 429, wait: .seconds(30)), in: &queue) == nil)
        enqueue("warm", .warm, in: &queue)
        #expect(steps(&queue) == [])
        queue.raise("warm", to: .live, now: start + .seconds(10))
        let error = FetchError.busy(host: "a:443", status: 429, wait: .seconds(20))
        #expect(steps(&queue, after: .seconds(10)) == [.refuse("warm", error)])
    }

    // MARK: Breaker

    /// A queue whose host has just been given a rest of 5 s.
    private func resting() -> Queue {
        var queue = queue()
        for number in 1...4 { #expect(run("\(number)", .failing(isOverload: false), in: &queue) == nil) }
        #expect(run("5", .failing(isOverload: false), in: &queue) == .opened(failures: 5))
        return queue
    }

    @Test func `after failures in a row live requests fail at once, and one probe finds out`() {
        var queue = resting()
        enqueue("live", in: &queue, after: .milliseconds(800))
        let error = FetchError.resting(host: "a:443", failures: 5, wait: .milliseconds(4200))
        #expect(steps(&queue, after: .milliseconds(800)) == [.refuse("live", error)])
        enqueue("other", host: "b", in: &queue)
        #expect(steps(&queue) == [.begin("other")])
        for id in ["probe", "next"] { enqueue(id, in: &queue, after: .seconds(5)) }
        let probing = FetchError.resting(host: "a:443", failures: 5, wait: .zero)
        #expect(steps(&queue, after: .seconds(5)) == [.begin("probe"), .refuse("next", probing)])
        #expect(queue.release("probe", .good, now: start + .seconds(6)) == .closed)
        for id in ["x", "y"] { enqueue(id, in: &queue, after: .seconds(6)) }
        #expect(steps(&queue, after: .seconds(6)) == [.begin("x"), .begin("y")])
    }

    @Test func `other work sees two rests out, and fails at once when the host is plainly down`() {
        var queue = resting()
        for id in ["1", "2", "3"] { enqueue(id, .warm, in: &queue) }
        #expect(steps(&queue) == [])
        #expect(queue.wake == start + .seconds(5))
        #expect(steps(&queue, after: .seconds(5)) == [.begin("1")])
        #expect(queue.release("1", .failing(isOverload: false), now: start + .seconds(5)) == nil)
        #expect(steps(&queue, after: .seconds(14)) == [])
        #expect(steps(&queue, after: .seconds(15)) == [.begin("2")])
        _ = queue.release("2", .failing(isOverload: false), now: start + .seconds(15))
        let error = FetchError.resting(host: "a:443", failures: 7, wait: .seconds(20))
        #expect(steps(&queue, after: .seconds(15)) == [.refuse("3", error)])
    }

    @Test func `held work goes on when the probe succeeds, however long the probe took`() {
        var queue = resting()
        for id in ["1", "2"] { enqueue(id, .warm, in: &queue) { $0.slotLimit = .seconds(1) } }
        #expect(steps(&queue) == [])
        #expect(steps(&queue, after: .seconds(5)) == [.begin("1")])
        #expect(queue.release("1", .good, now: start + .milliseconds(5500)) == .closed)
        #expect(steps(&queue, after: .milliseconds(5500)) == [.begin("2")])
    }

    @Test func `a cancelled probe hands over to the next`() {
        var queue = resting()
        enqueue("gone", in: &queue, after: .seconds(5))
        #expect(steps(&queue, after: .seconds(5)) == [.begin("gone")])
        #expect(queue.release("gone", .silent, now: start + .seconds(5)) == nil)
        enqueue("next", in: &queue, after: .seconds(5))
        #expect(steps(&queue, after: .seconds(5)) == [.begin("next")])
    }

    @Test(arguments: [HostSignal.good, .silent, .busy(status: 429, wait: nil)])
    func `what is no failure of the host never opens it`(_ signal: HostSignal) {
        var queue = queue()
        for number in 0..<50 { #expect(run("\(number)", signal, in: &queue) == nil) }
    }

    // MARK: Rate

    @Test func `a group goes out at its rate whatever the host, the more urgent first`() {
        var queue = queue()
        let rate = FetchRate(group: "service", perSecond: 10, burst: 2)
        for (id, priority, host) in [
            ("w1", WorkPriority.warm, "a"), ("w2", .warm, "b"), ("w3", .warm, "a"), ("live", .live, "b"),
        ] {
            enqueue(id, priority, host: host, in: &queue) { $0.rate = rate }
        }
        enqueue("free", .warm, host: "a", in: &queue)
        #expect(steps(&queue) == [.begin("live"), .begin("w1"), .begin("free")])
        #expect(queue.wake == start + .milliseconds(100))
        #expect(steps(&queue, after: .milliseconds(100)) == [.begin("w2")])
        #expect(steps(&queue, after: .milliseconds(200)) == [.begin("w3")])
    }

    @Test func `hosts without number are forgotten`() {
        var queue = queue()
        for number in 0..<2000 {
            enqueue("\(number)", .warm, host: "host\(number)", in: &queue)
            #expect(steps(&queue) == [.begin("\(number)")])
            _ = queue.release("\(number)", .busy(status: 429, wait: .seconds(3600)), now: start)
        }
        #expect(queue.hostCount <= 512)
    }
}
