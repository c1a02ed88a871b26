import Testing

@testable import RenditionServer

@Suite struct ByteRangeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var field: String
        var count: Int
        var verdict: ByteRange.Verdict
        var testDescription: String { "\(field) of \(count)" }

        init(_ field: String, of count: Int = 100, _ verdict: ByteRange.Verdict) {
            self.field = field
            self.count = count
            self.verdict = verdict
        }
    }

    @Test(arguments: [
        Case("bytes=0-0", .part(0..<1)),
        Case("bytes=0-99", .part(0..<100)),
        Case("bytes=0-100", .part(0..<100)),
        Case("bytes=99-", .part(99..<100)),
        Case("bytes=0-", .part(0..<100)),
        Case("bytes=-1", .part(99..<100)),
        Case("bytes=-100", .part(0..<100)),
        Case("bytes=-1000", .part(0..<100)),
        Case("Bytes= 5 - 6 ", .part(5..<7)),
        Case("bytes=50-99999999999999999999", .part(50..<100)),
        Case("bytes=100-", .unsatisfiable),
        Case("bytes=100-200", .unsatisfiable),
        Case("bytes=99999999999999999999-", .unsatisfiable),
        Case("bytes=-0", .unsatisfiable),
        Case("bytes=0-", of: 0, .unsatisfiable),
        Case("bytes=-5", of: 0, .unsatisfiable),
        Case("bytes=6-5", .whole),
        Case("bytes=0-1,3-4", .whole),
        Case("bytes=-", .whole),
        Case("bytes=", .whole),
        Case("bytes=a-b", .whole),
        Case("bytes=+1-2", .whole),
        Case("bytes=--5", .whole),
        Case("items=0-1", .whole),
        Case("", .whole),
    ])
    func `a range is cut, refused or ignored as RFC 9110 says`(_ range: Case) {
        let verdict = ByteRange.verdict(
            range.field,
            ifRange: nil,
            count: range.count,
            entityTag: nil,
            modifiedSeconds: nil
        )
        #expect(verdict == range.verdict)
    }

    @Test(arguments: [
        ("\"v\"", true), ("W/\"v\"", false), ("\"w\"", false), ("", false), ("junk", false),
        ("Sun, 06 Nov 1994 08:49:37 GMT", true), ("Sun, 06 Nov 1994 08:49:38 GMT", false),
    ])
    func `If-Range holds for the same strong tag or the very same time`(ifRange: String, holds: Bool) {
        let verdict = ByteRange.verdict(
            "bytes=1-2",
            ifRange: ifRange,
            count: 9,
            entityTag: "\"v\"",
            modifiedSeconds: 784_111_777.6
        )
        #expect(verdict == (holds ? .part(1..<3) : .whole))
    }
}
