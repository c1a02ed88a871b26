import Testing

@testable import RenditionCache

@Suite struct HostPaceTests {
    private let start = ContinuousClock.now

    @Test func `overload halves the width, never below one`() {
        var pace = HostPace(widest: 8)
        let widths = (0..<5).map { _ in
            pace.overloaded(begunIn: pace.round)
            return pace.width
        }
        #expect(widths == [4, 2, 1, 1, 1])
    }

    @Test func `transfers that were under way together halve it once`() {
        var pace = HostPace(widest: 8)
        let round = pace.round
        for _ in 0..<8 { pace.overloaded(begunIn: round) }
        #expect(pace.width == 4)
        pace.overloaded(begunIn: pace.round)
        #expect(pace.width == 2)
    }

    @Test func `a run of successes widens it by one, up to the setting`() {
        var pace = HostPace(widest: 6)
        pace.overloaded(begunIn: 0)
        var widths: [Int] = []
        for _ in 0..<20 {
            pace.succeeded()
            widths.append(pace.width)
        }
        #expect(widths == [3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6])
        #expect(pace.isFresh(now: start))
    }

    @Test func `a failure or overload begins the run anew`() {
        var pace = HostPace(widest: 4)
        pace.overloaded(begunIn: 0)
        for _ in 0..<3 { pace.succeeded() }
        pace.failed()
        for _ in 0..<3 { pace.succeeded() }
        pace.overloaded(begunIn: 0)
        for _ in 0..<3 { pace.succeeded() }
        #expect(pace.width == 2)
        pace.succeeded()
        #expect(pace.width == 3)
    }

    @Test func `the latest wish for quiet holds`() {
        var pace = HostPace(widest: 1)
        #expect(pace.quiet == nil)
        pace.keepQuiet(until: start + .seconds(5), status: 429)
        pace.keepQuiet(until: start + .seconds(2), status: 503)
        #expect(pace.quiet == .init(until: start + .seconds(5), status: 429))
        #expect(!pace.isFresh(now: start) && pace.isFresh(now: start + .seconds(5)))
        pace.keepQuiet(until: start + .seconds(9), status: 503)
        #expect(pace.quiet == .init(until: start + .seconds(9), status: 503))
    }

    @Test(arguments: [0, -3]) func `a width of nothing counts as one`(_ widest: Int) {
        #expect(HostPace(widest: widest).width == 1)
    }
}

@Suite struct HostSignalTests {
    private static let answers: [(Int, String?, HostSignal)] = [
        (200, nil, .good), (304, nil, .good), (302, nil, .good), (401, nil, .good), (403, nil, .good),
        (404, "3", .good),
        (429, nil, .busy(status: 429, wait: nil)), (429, "3", .busy(status: 429, wait: .seconds(3))),
        (503, "3", .busy(status: 503, wait: .seconds(3))), (503, nil, .failing(isOverload: true)),
        (500, nil, .failing(isOverload: false)), (500, "3", .failing(isOverload: false)),
        (502, nil, .failing(isOverload: false)), (504, nil, .failing(isOverload: false)),
    ]

    @Test(arguments: answers) func `an answer says how its host is`(
        _ status: Int,
        _ retryAfter: String?,
        _ signal: HostSignal
    ) throws {
        let response = FetchResponse(
            status: status,
            headers: retryAfter.map { [HeaderField("Retry-After", $0)] } ?? [],
            url: try #require(WebURL("http://h/")),
            byteCount: 0,
            errorBody: []
        )
        #expect(HostSignal(.success(response), now: 0) == signal)
    }

    private static let failures: [(FetchError, HostSignal)] = [
        (.cannotConnect(host: "h", reason: "refused"), .failing(isOverload: true)),
        (.timedOut(host: "h", phase: "connect", after: .seconds(1)), .failing(isOverload: true)),
        (.timedOut(host: "h", phase: "stall", after: .seconds(1)), .failing(isOverload: true)),
        (.timedOut(host: "h", phase: "total", after: .seconds(1)), .failing(isOverload: false)),
        (.timedOut(host: "h", phase: "slot", after: .seconds(1)), .silent),
        (.transport(host: "h", reason: "TLS"), .failing(isOverload: false)),
        (.cut(host: "h", received: 0, expected: nil), .failing(isOverload: false)),
        (.cut(host: "h", received: 0, expected: 9), .silent), (.cut(host: "h", received: 5, expected: nil), .silent),
        (.tooLarge(host: "h", limit: 1), .silent), (.addressRefused(host: "h", address: "::1"), .silent),
        (.sink("full"), .silent), (.cancelled, .silent), (.badURL("x"), .silent),
        (.tooManyRedirects(host: "h", limit: 5), .silent),
        (.busy(host: "h:1", status: 429, wait: .seconds(1)), .silent),
        (.resting(host: "h:1", failures: 5, wait: .seconds(1)), .silent),
    ]

    @Test(arguments: failures) func `only what a host is to blame for counts against it`(
        _ error: FetchError,
        _ signal: HostSignal
    ) {
        #expect(HostSignal(.failure(error), now: 0) == signal)
    }
}
