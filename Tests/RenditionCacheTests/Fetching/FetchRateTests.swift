import Testing

@testable import RenditionCache

@Suite struct FetchRateTests {
    private let start = ContinuousClock.now

    /// Takes `count` tokens, each as soon as it is there; returns when, in milliseconds.
    private func takes(_ count: Int, _ rate: FetchRate, from offset: Duration = .zero) -> [Int] {
        var bucket = TokenBucket()
        var now = start + offset
        return (0..<count).map { _ in
            now = bucket.ready(rate, now: now)
            bucket.take(rate, now: now)
            return (now - start).milliseconds
        }
    }

    @Test(arguments: [
        (FetchRate(group: "g", perSecond: 10), [0, 100, 200, 300, 400]),
        (FetchRate(group: "g", perSecond: 4, burst: 3), [0, 0, 0, 250, 500]),
        (FetchRate(group: "g", perSecond: 0.5), [0, 2000, 4000, 6000, 8000]),
        (FetchRate(group: "g", perSecond: 1000, burst: 5), [0, 0, 0, 0, 0]),
        (FetchRate(group: "g", perSecond: 2, burst: 0), [0, 500, 1000, 1500, 2000]),
    ]) func `requests go out at the rate after a burst`(_ rate: FetchRate, _ milliseconds: [Int]) {
        #expect(takes(5, rate) == milliseconds)
    }

    @Test func `no second has more than the rate and the burst together`() {
        let times = takes(600, FetchRate(group: "g", perSecond: 50, burst: 10))
        let busiest = times.map { first in times.count { $0 >= first && $0 < first + 1000 } }.max()
        #expect(busiest == 59)
        #expect(times.last == 11_800)
    }

    @Test func `a pause fills the bucket, and no more than that`() {
        let rate = FetchRate(group: "g", perSecond: 10, burst: 2)
        var bucket = TokenBucket()
        bucket.take(rate, now: start)
        bucket.take(rate, now: start)
        #expect(bucket.ready(rate, now: start) == start + .milliseconds(100))
        #expect(!bucket.isFull(now: start + .milliseconds(150)) && bucket.isFull(now: start + .milliseconds(200)))
        let later = start + .seconds(100)
        for _ in 0..<2 {
            #expect(bucket.ready(rate, now: later) == later)
            bucket.take(rate, now: later)
        }
        #expect(bucket.ready(rate, now: later) == later + .milliseconds(100))
    }

    @Test func `a rate of nothing still ends`() {
        #expect(takes(2, FetchRate(group: "g", perSecond: 0)) == [0, 1_000_000])
    }
}
