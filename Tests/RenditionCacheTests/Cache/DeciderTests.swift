import Testing

@testable import RenditionCache

@Suite struct DeciderTests {
    struct FreshnessCase: Sendable, CustomTestStringConvertible {
        var age: Double
        var lifetime = 60.0
        var whileRevalidate = 30.0
        var ifError = 100.0
        var verdict: Freshness
        var testDescription: String { "age \(age) of \(lifetime)+\(whileRevalidate)/\(ifError): \(verdict)" }
    }

    @Test(arguments: [
        FreshnessCase(age: 0, verdict: .fresh),
        FreshnessCase(age: 59.999, verdict: .fresh),
        FreshnessCase(age: 60, verdict: .staleUsable),
        FreshnessCase(age: 89.999, verdict: .staleUsable),
        FreshnessCase(age: 90, verdict: .staleOnError),
        FreshnessCase(age: 159.999, verdict: .staleOnError),
        FreshnessCase(age: 160, verdict: .expired),
        FreshnessCase(age: -60, verdict: .fresh),
        // The clock was years ahead.
        FreshnessCase(age: -61, verdict: .staleUsable),
        FreshnessCase(age: -1e9, verdict: .staleUsable),
        FreshnessCase(age: -1e9, whileRevalidate: 0, verdict: .staleOnError),
        FreshnessCase(age: 0, lifetime: 0, verdict: .staleUsable),
        FreshnessCase(age: 0, lifetime: 0, whileRevalidate: 0, verdict: .staleOnError),
        FreshnessCase(age: 0, lifetime: 0, whileRevalidate: 0, ifError: 0, verdict: .expired),
        FreshnessCase(age: 80, ifError: 0, verdict: .staleUsable),
    ])
    func `freshness follows from age alone`(_ row: FreshnessCase) {
        let verdict = Freshness.verdict(
            checked: 1_000_000,
            lifetime: row.lifetime,
            staleWhileRevalidate: row.whileRevalidate,
            staleIfError: row.ifError,
            now: 1_000_000 + row.age
        )
        #expect(verdict == row.verdict)
    }

    struct EvictionCase: Sendable, CustomTestStringConvertible {
        var wanted: Int
        var allocated = 50
        var evictable = 40
        var free = 1000
        var keepFree = 100
        var verdict: Eviction
        var testDescription: String { "\(wanted) wanted, \(allocated) of 100 taken, \(free) free: \(verdict)" }
    }

    @Test(arguments: [
        EvictionCase(wanted: 50, verdict: .none),
        EvictionCase(wanted: 51, verdict: .bytes(1)),
        EvictionCase(wanted: 90, verdict: .bytes(40)),
        EvictionCase(wanted: 91, verdict: .futile),
        EvictionCase(wanted: 0, allocated: 120, verdict: .bytes(20)),
        EvictionCase(wanted: 10, free: 110, verdict: .none),
        EvictionCase(wanted: 10, free: 109, verdict: .bytes(1)),
        EvictionCase(wanted: 10, free: 0, verdict: .futile),
        EvictionCase(wanted: 60, free: 125, verdict: .bytes(35)),
        EvictionCase(wanted: 1, allocated: 100, evictable: 0, verdict: .futile),
    ])
    func `what has to leave follows from the numbers alone`(_ row: EvictionCase) {
        let state = Eviction.State(
            allocated: row.allocated,
            evictable: row.evictable,
            limit: 100,
            free: row.free,
            keepFree: row.keepFree
        )
        #expect(Eviction.verdict(wanted: row.wanted, in: state) == row.verdict)
    }
}
