import RenditionCache
import Testing

@testable import RenditionCache

@Suite struct HostSlotsTests {
    @Test func `each host has its width and all together have theirs`() {
        var slots = HostSlots<Int>(perHost: 2, inAll: 3)
        for id in 1...3 { slots.enqueue(id, host: "a", priority: .live) }
        for id in 4...5 { slots.enqueue(id, host: "b", priority: .live) }
        #expect([slots.next(), slots.next(), slots.next(), slots.next()] == [1, 2, 4, nil])
        slots.release(host: "b")
        #expect(slots.next() == 5, "a is at its width, so b goes on")
        slots.release(host: "a")
        #expect([slots.next(), slots.next()] == [3, nil])
        #expect(slots.waiting == 0)
    }

    @Test func `the more urgent goes first, equals in order of arrival`() {
        var slots = HostSlots<String>(perHost: 1, inAll: 1)
        let queue: [(String, WorkPriority)] = [
            ("w1", .warm), ("l1", .live), ("r1", .revalidation), ("w2", .warm), ("l2", .live),
        ]
        for (id, priority) in queue { slots.enqueue(id, host: "a", priority: priority) }
        var order: [String] = []
        while let next = slots.next() {
            order.append(next)
            slots.release(host: "a")
        }
        #expect(order == ["l1", "l2", "r1", "w1", "w2"])
    }

    @Test func `who becomes more urgent passes the less urgent, and nobody else`() {
        var slots = HostSlots<String>(perHost: 1, inAll: 1)
        let queue: [(String, WorkPriority)] = [("w1", .warm), ("w2", .warm), ("l1", .live), ("w3", .warm)]
        for (id, priority) in queue { slots.enqueue(id, host: "a", priority: priority) }
        slots.raise("w2", to: .live)
        slots.raise("w3", to: .revalidation)
        slots.raise("l1", to: .warm)
        slots.raise("nobody", to: .live)
        var order: [String] = []
        while let next = slots.next() {
            order.append(next)
            slots.release(host: "a")
        }
        #expect(order == ["l1", "w2", "w3", "w1"])
    }

    @Test func `who withdraws is passed over and holds nothing`() {
        var slots = HostSlots<Int>(perHost: 1, inAll: 1)
        for id in 1...3 { slots.enqueue(id, host: "a", priority: .live) }
        #expect(slots.next() == 1)
        slots.withdraw(2)
        slots.withdraw(9)
        slots.release(host: "a")
        slots.release(host: "never")
        #expect([slots.next(), slots.next()] == [3, nil])
    }

    @Test func `a width of nothing still lets one through`() {
        var slots = HostSlots<Int>(perHost: 0, inAll: 0)
        slots.enqueue(1, host: "a", priority: .live)
        #expect(slots.next() == 1)
    }
}

@Suite struct RetryPolicyTests {
    private static let worthIt: [FetchError] = [
        .cut(host: "h", received: 1, expected: 2), .cannotConnect(host: "h", reason: "refused"),
        .transport(host: "h", reason: "x"),
    ]
    private static let hopeless: [FetchError] = [
        .timedOut(host: "h", phase: "total", after: .seconds(1)),
        .timedOut(host: "h", phase: "slot", after: .seconds(1)),
        .timedOut(host: "h", phase: "connect", after: .seconds(1)), .tooLarge(host: "h", limit: 1),
        .tooManyRedirects(host: "h", limit: 5), .addressRefused(host: "h", address: "::1"), .badURL("x"), .sink("full"),
        .cancelled,
    ]

    @Test(arguments: worthIt) func `a broken transfer has two more tries, further and further apart`(
        _ error: FetchError
    ) {
        let policy = RetryPolicy()
        #expect(policy.verdict(after: error, retries: 0, jitter: 0) == .again(after: .milliseconds(100)))
        #expect(policy.verdict(after: error, retries: 1, jitter: 0) == .again(after: .milliseconds(200)))
        #expect(policy.verdict(after: error, retries: 1, jitter: 0.5) == .again(after: .milliseconds(300)))
        #expect(policy.verdict(after: error, retries: 2, jitter: 0) == .giveUp)
    }

    @Test func `a stall has one more`() {
        let stall = FetchError.timedOut(host: "h", phase: "stall", after: .seconds(10))
        #expect(RetryPolicy().verdict(after: stall, retries: 0, jitter: 0) == .again(after: .milliseconds(100)))
        #expect(RetryPolicy().verdict(after: stall, retries: 1, jitter: 0) == .giveUp)
    }

    @Test(arguments: hopeless) func `what another try cannot mend has none`(_ error: FetchError) {
        #expect(RetryPolicy().verdict(after: error, retries: 0, jitter: 0) == .giveUp)
    }

    @Test(arguments: worthIt + hopeless) func `every error is one clause`(_ error: FetchError) {
        let text = "\(error)"
        #expect(text.first?.isLowercase == true && text.last != "." && !text.contains("\n"))
    }
}

@Suite struct TransferClockTests {
    @Test func `the next limit is the one that comes first`() {
        let start = ContinuousClock.now
        var clock = TransferClock(now: start)
        let limits = (stall: Duration.seconds(10), total: Duration.seconds(15))
        func next() -> TransferClock.Deadline { clock.deadline(stall: limits.stall, total: limits.total) }
        #expect(next() == .init(instant: start + .seconds(15), phase: "slot", limit: .seconds(15)))
        clock.begin(now: start + .seconds(1))
        #expect(next() == .init(instant: start + .seconds(16), phase: "total", limit: .seconds(15)))
        clock.connect(now: start + .seconds(2))
        #expect(next() == .init(instant: start + .seconds(12), phase: "stall", limit: .seconds(10)))
        clock.touch(now: start + .seconds(7))
        #expect(next() == .init(instant: start + .seconds(16), phase: "total", limit: .seconds(15)))
    }

    @Test(arguments: [
        (Duration.zero, 0, "0.0 s"), (.microseconds(1), 1, "0.0 s"), (.milliseconds(150), 150, "0.2 s"),
        (.seconds(5), 5000, "5.0 s"), (.milliseconds(119_960), 119_960, "120.0 s"),
    ])
    func `durations are told in seconds and counted in milliseconds`(_ duration: Duration, _ count: Int, _ text: String)
    {
        #expect(duration.milliseconds == count)
        #expect(duration.secondsText == text)
    }
}

@Suite struct ResponseHeadTests {
    private func head(_ lines: [String]) -> ResponseHead {
        var head = ResponseHead()
        for line in lines {
            let bytes = Array((line + "\r\n").utf8)
            #expect(bytes.withUnsafeBytes { head.take($0) })
        }
        return head
    }

    @Test func `an interim response is forgotten`() {
        let head = head(["HTTP/1.1 103 Early Hints", "Link: </a>", "", "HTTP/1.1 200 OK", "X-A:  b c \t", ""])
        #expect(head.isComplete && head.isGood)
        #expect(head.fields == [HeaderField("X-A", "b c")])
    }

    @Test func `an interim response alone is not complete`() {
        #expect(!head(["HTTP/1.1 100 Continue", ""]).isComplete)
    }

    @Test(arguments: [
        (["Content-Length: 12"], 12), (["content-length: 0"], 0), (["Content-Length: -1"], nil),
        (["Content-Length: x"], nil), ([], nil), (["Content-Length: 12", "Content-Encoding: gzip"], nil),
        (["Content-Length: 12", "Content-Encoding: identity"], 12),
        (["Content-Length: 12", "Transfer-Encoding: chunked"], nil),
    ]) func `a length counts only if it is that of the decoded body`(_ lines: [String], _ length: Int?) {
        #expect(head(["HTTP/2 200"] + lines + [""]).contentLength == length)
    }

    @Test func `a head that never ends is refused`() {
        var head = ResponseHead()
        let line = Array("X: \(String(repeating: "y", count: 1000))\r\n".utf8)
        let taken = (0..<100).prefix { _ in line.withUnsafeBytes { head.take($0) } }
        #expect(taken.count == ResponseHead.maxBytes / line.count)
    }
}

@Suite struct FetchResponseTests {
    private func response(_ headers: [HeaderField]) throws -> FetchResponse {
        let url = try #require(WebURL("http://h/"))
        return FetchResponse(status: 429, headers: headers, url: url, byteCount: 0, errorBody: [])
    }

    @Test(arguments: [
        ("2", Duration.seconds(2)), ("0", .zero), ("Sun, 06 Nov 1994 08:49:37 GMT", .seconds(60)),
        ("Sun, 06 Nov 1994 08:40:00 GMT", .zero), ("999999999", .seconds(86_400)), ("soon", nil), ("-3", .zero),
        ("nan", nil), ("", nil),
    ]) func `a wish to wait is read as seconds or as a date, within a day`(_ text: String, _ wait: Duration?) throws {
        let now = 784_111_777.0 - 60
        #expect(try response([HeaderField("retry-after", text)]).retryAfter(now: now) == wait)
    }

    @Test func `fields of one name are joined`() throws {
        let response = try response([HeaderField("Cache-Control", "a"), HeaderField("cache-control", "b")])
        #expect(response["CACHE-control"] == "a, b")
        #expect(response["Missing"] == nil)
    }
}
