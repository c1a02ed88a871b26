import Testing

@testable import RenditionCache

@Suite struct CacheDirectivesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var control: String?
        var expires: String?
        var date: String?
        var age: String?
        var lifetime: Double?
        var testDescription: String { "\(control ?? "-") · \(expires ?? "-") · \(age ?? "-")" }
    }
    private static let now = 784_111_777.0
    private static let inAnHour = "Sun, 06 Nov 1994 09:49:37 GMT"
    private static let halfAnHourAgo = "Sun, 06 Nov 1994 08:19:37 GMT"

    @Test(arguments: [
        Case(lifetime: nil),
        Case(control: "public", lifetime: nil),
        Case(control: "public, max-age=900", lifetime: 900),
        Case(control: "MAX-AGE = 900", lifetime: 900),
        Case(control: "max-age=\"900\"", lifetime: 900),
        Case(control: "max-age=900, s-maxage=60", lifetime: 60),
        Case(control: "max-age=900, max-age=1", lifetime: 900),
        Case(control: "max-age=900", age: "100", lifetime: 800),
        Case(control: "max-age=900", age: "1000", lifetime: 0),
        Case(control: "max-age=900", age: "old", lifetime: 900),
        Case(control: "max-age=900, no-store", lifetime: 0),
        Case(control: "No-Cache", lifetime: 0),
        Case(control: "no-cache=\"a, b\"", lifetime: 0),
        Case(control: "ext=\"x, no-store\", max-age=5", lifetime: 5),
        Case(control: "max-age=", lifetime: 0),
        Case(control: "max-age=-1", lifetime: 0),
        Case(control: "max-age=1.5", lifetime: 0),
        Case(control: "max-age=99999999999999999999999", lifetime: 2_147_483_648),
        Case(expires: inAnHour, lifetime: 3600),
        Case(expires: inAnHour, date: halfAnHourAgo, lifetime: 5400),
        Case(expires: halfAnHourAgo, lifetime: 0),
        Case(expires: "0", lifetime: 0),
        Case(control: "max-age=60", expires: inAnHour, lifetime: 60),
        Case(control: "public", expires: inAnHour, age: "600", lifetime: 3000),
    ]) func `a lifetime is what the response says, less its age`(_ test: Case) {
        let directives = CacheDirectives(
            cacheControl: test.control,
            expires: test.expires,
            date: test.date,
            age: test.age,
            now: Self.now
        )
        #expect(directives.lifetimeSeconds == test.lifetime)
    }
}
