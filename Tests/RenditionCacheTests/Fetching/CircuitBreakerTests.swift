import Testing

@testable import RenditionCache

@Suite struct CircuitBreakerTests {
    private let start = ContinuousClock.now

    private func breaker() -> CircuitBreaker {
        CircuitBreaker(threshold: 3, firstRest: .seconds(5), longestRest: .seconds(15))
    }

    /// One that has just opened.
    private func open() -> CircuitBreaker {
        var breaker = breaker()
        for _ in 0..<3 { _ = breaker.failed(isProbe: false, now: start) }
        return breaker
    }

    @Test func `as many failures in a row as allowed open it, fewer do not`() {
        var breaker = breaker()
        #expect(breaker.failed(isProbe: false, now: start) == false)
        #expect(breaker.failed(isProbe: false, now: start) == false)
        #expect(breaker.verdict(now: start) == .pass && !breaker.isFresh)
        #expect(breaker.failed(isProbe: false, now: start) == true)
        #expect(breaker.failures == 3)
        #expect(breaker.verdict(now: start + .seconds(4)) == .rest(until: start + .seconds(5)))
    }

    @Test func `a success in between begins the count anew`() {
        var breaker = breaker()
        for _ in 0..<10 {
            for _ in 0..<2 { _ = breaker.failed(isProbe: false, now: start) }
            breaker.succeeded()
        }
        #expect(breaker.verdict(now: start) == .pass && breaker.isFresh)
    }

    @Test func `after the rest exactly one probe passes, and its success closes it`() {
        var breaker = open()
        let later = start + .seconds(5)
        #expect(breaker.verdict(now: later) == .probe)
        breaker.beginProbe()
        #expect(breaker.verdict(now: later + .seconds(99)) == .rest(until: nil))
        breaker.succeeded()
        #expect(breaker.verdict(now: later) == .pass && breaker.isFresh)
    }

    @Test func `each probe that fails doubles the rest, up to the longest`() {
        var breaker = open()
        var now = start + .seconds(5)
        var rests: [Duration] = []
        for _ in 0..<4 {
            breaker.beginProbe()
            #expect(breaker.failed(isProbe: true, now: now) == false, "it has been open all the time")
            guard case .rest(let until?) = breaker.verdict(now: now) else {
                Issue.record("it is not open")
                return
            }
            rests.append(until - now)
            now = until
        }
        #expect(rests == [.seconds(10), .seconds(15), .seconds(15), .seconds(15)])
        #expect(breaker.failures == 7)
    }

    @Test func `after two probes that failed there is little hope, until one succeeds`() {
        var breaker = open()
        var hopes = [breaker.isHopeful]
        for _ in 0..<2 {
            breaker.beginProbe()
            _ = breaker.failed(isProbe: true, now: start)
            hopes.append(breaker.isHopeful)
        }
        #expect(hopes == [true, true, false])
        breaker.succeeded()
        #expect(breaker.isHopeful)
    }

    @Test func `what began before it opened changes nothing by failing, and closes it by succeeding`() {
        var breaker = open()
        #expect(breaker.failed(isProbe: false, now: start + .seconds(4)) == false)
        #expect(breaker.verdict(now: start) == .rest(until: start + .seconds(5)))
        breaker.beginProbe()
        #expect(breaker.failed(isProbe: false, now: start + .seconds(6)) == false)
        #expect(breaker.verdict(now: start + .seconds(6)) == .rest(until: nil))
        breaker.succeeded()
        #expect(breaker.isClosed)
    }

    @Test func `a probe that says nothing leaves its place to the next`() {
        var breaker = open()
        breaker.beginProbe()
        breaker.abandonedProbe(now: start + .seconds(6))
        #expect(breaker.verdict(now: start + .seconds(6)) == .probe)
        #expect(breaker.isHopeful)
    }

    @Test func `the first rest after a recovery is short again`() {
        var breaker = open()
        breaker.beginProbe()
        _ = breaker.failed(isProbe: true, now: start)
        breaker.succeeded()
        for _ in 0..<3 { _ = breaker.failed(isProbe: false, now: start) }
        #expect(breaker.verdict(now: start) == .rest(until: start + .seconds(5)))
    }
}
