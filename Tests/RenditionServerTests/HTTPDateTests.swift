import Testing

@testable import RenditionServer

@Suite struct HTTPDateTests {
    @Test(arguments: [
        (0.0, "Thu, 01 Jan 1970 00:00:00 GMT", "1970-01-01T00:00:00.000Z"),
        (784_111_777.045, "Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37.045Z"),
        (951_782_400.9996, "Tue, 29 Feb 2000 00:00:00 GMT", "2000-02-29T00:00:01.000Z"),
        (-1.0, "Wed, 31 Dec 1969 23:59:59 GMT", "1969-12-31T23:59:59.000Z"),
    ])
    func `an instant is written as HTTP and as OCM want it`(seconds: Double, http: String, iso: String) {
        #expect(HTTPDate.text(seconds) == http)
        #expect(HTTPDate.isoText(seconds) == iso)
        #expect(HTTPDate.seconds(http) == seconds.rounded(.down))
    }

    @Test(arguments: ["", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 GMT x", "784111777"])
    func `what is no HTTP date is none`(text: String) {
        #expect(HTTPDate.seconds(text) == nil)
    }
}
