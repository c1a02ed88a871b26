import Foundation
import Testing

@testable import RenditionCache

@Suite struct HTTPDateTests {
    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ]) func `the three forms of RFC 9110 are read`(_ text: String) { #expect(HTTPDate.parse(text) == 784_111_777) }

    @Test(arguments: [
        "", "0", "Sun, 06 Nov 1994", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET",
        "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 19940 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT",
    ]) func `anything else is not`(_ text: String) { #expect(HTTPDate.parse(text) == nil) }

    @Test func `a year of two digits is never more than fifty years ahead`() {
        let in2026 = 1_790_000_000.0
        #expect(
            HTTPDate.parse("Sunday, 06-Nov-76 08:49:37 GMT", now: in2026).map(HTTPDate.format)?.contains("2076") == true
        )
        #expect(
            HTTPDate.parse("Sunday, 06-Nov-77 08:49:37 GMT", now: in2026).map(HTTPDate.format)?.contains("1977") == true
        )
    }

    @Test func `writing and reading agree with Foundation over eight hundred years`() throws {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        // 97 days and an odd number of seconds at a time: every month, weekday and kind of leap year.
        for seconds in stride(from: -11_676_096_000, to: 13_600_000_000, by: 97 * 86_400 + 12_345) {
            let text = HTTPDate.format(seconds: Double(seconds))
            #expect(text == formatter.string(from: Date(timeIntervalSince1970: Double(seconds))))
            #expect(HTTPDate.parse(text) == Double(seconds))
        }
    }

    @Test(arguments: [
        ("2020-04-01T21:12:12.045Z", 1_585_775_532_045), ("2020-04-01T21:12:12Z", 1_585_775_532_000),
        ("2020-06-17T00:00:00.000-06:00", 1_592_373_600_000), ("2020-06-17T00:00:00+0530", 1_592_332_200_000),
        ("2020-06-17", 1_592_352_000_000), ("2020-06-17T00:00", 1_592_352_000_000),
        ("1969-12-31T23:59:59.9Z", -100), ("2020-04-01T21:12:12.0459999Z", 1_585_775_532_045),
    ]) func `ISO dates are read in every spelling a CMS uses`(_ text: String, _ milliseconds: Int) {
        #expect(ISODate.milliseconds(text) == milliseconds)
    }

    @Test(arguments: [
        (0.0, "1970-01-01T00:00:00.000Z"), (784_111_777.045, "1994-11-06T08:49:37.045Z"),
        (951_782_400.9996, "2000-02-29T00:00:01.000Z"), (-1.0, "1969-12-31T23:59:59.000Z"),
        (-0.1, "1969-12-31T23:59:59.900Z"),
    ])
    func `a moment is written as OCM wants it`(_ seconds: Double, _ text: String) {
        #expect(ISODate.text(seconds: seconds) == text)
    }

    @Test(arguments: [
        "", "today", "2020-13-01", "2020-02-30", "2020-06-17T", "2020-06-17T25:00", "2020-06-17T00:00:00.Z",
        "2020-06-17T00:00:00+", "2020-06-17T00:00:00Zx", "20200617",
    ])
    func `other texts are no ISO dates`(_ text: String) { #expect(ISODate.milliseconds(text) == nil) }
}
