import RenditionCache
import Testing

@testable import RenditionCache

@Suite struct TransferClockTests {
    @Test func `the next limit is the one that comes first`() {
        let start = ContinuousClock.now
        var clock = TransferClock(now: start)
        func next() -> TransferClock.Deadline { clock.deadline(stall: .seconds(10), total: .seconds(15)) }
        #expect(next() == .init(instant: start + .seconds(15), phase: "total", limit: .seconds(15)))
        clock.touch(now: start + .seconds(1))
        #expect(next() == .init(instant: start + .seconds(11), phase: "stall", limit: .seconds(10)))
        clock.touch(now: start + .seconds(6))
        #expect(next() == .init(instant: start + .seconds(15), phase: "total", limit: .seconds(15)))
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

    private static let rateLimits: [(Int, [HeaderField], Duration?)] = [
        (429, [HeaderField("X-RateLimit-Reset", "1003")], .seconds(3)),
        (429, [HeaderField("x-ratelimit-reset", "1999999999")], .seconds(5)),
        (429, [HeaderField("X-RateLimit-Reset", "1000")], nil), (429, [HeaderField("X-RateLimit-Reset", "30")], nil),
        (429, [HeaderField("X-RateLimit-Reset", "soon")], nil), (503, [HeaderField("X-RateLimit-Reset", "1003")], nil),
        (429, [HeaderField("X-RateLimit-Reset", "1003"), HeaderField("Retry-After", "1")], .seconds(1)),
        (429, [HeaderField("X-RateLimit-Reset", "1003"), HeaderField("Retry-After", "later")], .seconds(3)),
    ]

    @Test(arguments: rateLimits) func `the end of a rate limit's window counts for 429, and within five seconds`(
        _ status: Int,
        _ headers: [HeaderField],
        _ wait: Duration?
    ) throws {
        var response = try response(headers)
        response.status = status
        #expect(response.retryAfter(now: 1000) == wait)
    }

    @Test func `fields of one name are joined`() throws {
        let response = try response([HeaderField("Cache-Control", "a"), HeaderField("cache-control", "b")])
        #expect(response["CACHE-control"] == "a, b")
        #expect(response["Missing"] == nil)
    }
}
