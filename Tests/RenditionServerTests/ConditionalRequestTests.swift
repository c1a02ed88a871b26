import Testing

@testable import RenditionServer

@Suite struct ConditionalRequestTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var list: String?
        var since: String?
        var isModified: Bool
        var testDescription: String { "\(list ?? "-") \(since ?? "-")" }

        init(_ list: String?, since: String? = nil, _ isModified: Bool) {
            self.list = list
            self.since = since
            self.isModified = isModified
        }
    }

    @Test(arguments: [
        Case(nil, true),
        Case("", true),
        Case("  ", true),
        Case("*", false),
        Case("\"v\"", false),
        Case("W/\"v\"", false),
        Case("\"a\",\"v\"", false),
        Case("\"a\" , W/\"v\" , \"b\"", false),
        Case(",, \"v\"", false),
        Case("\"a,v\", \"v\"", false),
        Case("\"a\"", true),
        Case("v", true),
        Case("\"v", true),
        Case("junk, \"v\"", true),
        Case("w/\"v\"", true),
        Case("\"V\"", true),
        Case(nil, since: "Sun, 06 Nov 1994 08:49:37 GMT", false),
        Case(nil, since: "Sun, 06 Nov 1994 08:49:38 GMT", false),
        Case(nil, since: "Sun, 06 Nov 1994 08:49:36 GMT", true),
        Case(nil, since: "Sunday, 06-Nov-94 08:49:37 GMT", false),
        Case(nil, since: "Sun Nov  6 08:49:37 1994", false),
        Case(nil, since: "yesterday", true),
        Case("", since: "Sun, 06 Nov 1994 08:49:37 GMT", false),
        Case("\"a\"", since: "Sun, 06 Nov 1994 08:49:37 GMT", true),
    ])
    func `conditions follow RFC 9110`(_ condition: Case) {
        let request = ConditionalRequest(ifNoneMatch: condition.list, ifModifiedSince: condition.since)
        // A fraction of a second past the field's time, as file systems have it.
        let verdict = request.verdict(entityTag: "\"v\"", modifiedSeconds: 784_111_777.6)
        #expect(verdict == (condition.isModified ? .proceed : .notModified))
    }

    @Test func `without a tag or a time nothing matches`() {
        let any = ConditionalRequest(ifNoneMatch: "*", ifModifiedSince: nil)
        #expect(any.verdict(entityTag: nil, modifiedSeconds: 1) == .proceed)
        let since = ConditionalRequest(ifNoneMatch: nil, ifModifiedSince: "Sun, 06 Nov 2094 08:49:37 GMT")
        #expect(since.verdict(entityTag: "\"v\"", modifiedSeconds: nil) == .proceed)
    }
}
