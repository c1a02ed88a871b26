import Testing

@testable import RenditionCache

@Suite struct PartialBodyTests {
    /// A response's lines, as it has to be to be resumed.
    private static let good = ["HTTP/1.1 200 OK", "ETag: \"v1\"", "Content-Length: 100"]

    private static func head(_ lines: [String]) -> ResponseHead {
        var head = ResponseHead()
        for line in lines + [""] { Array((line + "\r\n").utf8).withUnsafeBytes { _ = head.take($0) } }
        return head
    }

    private func partial(_ lines: [String], _ byteCount: Int = 40) throws -> PartialBody? {
        PartialBody(Self.head(lines), from: try #require(WebURL("http://h/a")), byteCount: byteCount)
    }

    @Test(arguments: [
        (good, "\"v1\""), (good + ["Accept-Ranges: bytes"], "\"v1\""),
        (good + ["Content-Encoding: identity"], "\"v1\""),
        (["HTTP/1.1 200 OK", "ETag: \"v1\"", "Transfer-Encoding: chunked"], "\"v1\""),
        (
            [
                "HTTP/1.1 200 OK", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT",
                "Date: Sun, 06 Nov 1994 08:50:37 GMT",
            ], "Sun, 06 Nov 1994 08:49:37 GMT"
        ),
    ]) func `a good body with a strong validator is resumed`(_ lines: [String], _ validator: String) throws {
        let partial = try #require(try partial(lines))
        #expect(partial.requestFields == [HeaderField("Range", "bytes=40-"), HeaderField("If-Range", validator)])
    }

    @Test(arguments: [
        ["HTTP/1.1 200 OK", "Content-Length: 100"], ["HTTP/1.1 200 OK", "ETag: W/\"v1\""],
        ["HTTP/1.1 200 OK", "ETag: v1"],
        ["HTTP/1.1 200 OK", "ETag: \""], good + ["Accept-Ranges: none"], good + ["Content-Encoding: gzip"],
        ["HTTP/1.1 201 Created", "ETag: \"v1\""], ["HTTP/1.1 206 Partial Content", "ETag: \"v1\""],
        ["HTTP/1.1 404 Not Found", "ETag: \"v1\""],
        // A weak tag says that bytes may differ, whatever the date says.
        [
            "HTTP/1.1 200 OK", "ETag: W/\"v1\"", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT",
            "Date: Sun, 06 Nov 1994 09:00:00 GMT",
        ],
        // A date is no strong validator without another one, or soon after a change.
        ["HTTP/1.1 200 OK", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"],
        [
            "HTTP/1.1 200 OK", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT", "Date: Sun, 06 Nov 1994 08:50:36 GMT",
        ],
    ]) func `any other body is not`(_ lines: [String]) throws {
        #expect(try partial(lines) == nil)
    }

    @Test func `a body that has not begun is not resumed`() throws { #expect(try partial(Self.good, 0) == nil) }

    @Test func `more of it moves the range on`() throws {
        let more = PartialBody(try #require(try partial(Self.good)), byteCount: 70)
        #expect(more.requestFields.first == HeaderField("Range", "bytes=70-"))
        #expect(more.total == 100)
    }

    @Test(arguments: [
        // Without a tag it may be the rest of another version.
        (["206 X", "Content-Range: bytes 40-99/100"], PartialBody.Verdict.mismatch),
        (["206 X", "Content-Range: bytes 40-99/100", "ETag: \"v1\""], .rest(total: 100)),
        (["206 X", "Content-Range: BYTES 40-99/100", "ETag: \"v1\""], .rest(total: 100)),
        (["206 X", "Content-Range: bytes 40-99/100", "ETag: \"v2\""], .mismatch),
        (["206 X", "Content-Range: bytes 40-99/100", "ETag: W/\"v1\""], .mismatch),
        (["206 X", "Content-Range: bytes 40-99/100", "Content-Encoding: gzip"], .mismatch),
        (["206 X", "Content-Range: bytes 39-99/100"], .mismatch),
        (["206 X", "Content-Range: bytes 41-99/100"], .mismatch),
        (["206 X", "Content-Range: bytes 40-98/100"], .mismatch),
        (["206 X", "Content-Range: bytes 40-100/101"], .mismatch),
        (["206 X", "Content-Range: bytes 40-99/*"], .mismatch),
        (["206 X", "Content-Range: pages 40-99/100"], .mismatch),
        (["206 X", "Content-Range: bytes 40--99/100"], .mismatch), (["206 X", "Content-Range: bytes"], .mismatch),
        (["206 X", "Content-Type: multipart/byteranges; boundary=x"], .mismatch),
        (["416 X", "Content-Range: bytes */100"], .mismatch), (["200 X"], .whole), (["200 X", "ETag: \"v1\""], .whole),
        (["404 X"], .other), (["503 X"], .other), (["302 X"], .other), (["304 X"], .other),
    ]) func `only a rest that fits goes on`(_ lines: [String], _ verdict: PartialBody.Verdict) throws {
        let partial = try #require(try partial(Self.good))
        #expect(partial.verdict(Self.head(["HTTP/1.1 " + lines[0]] + lines.dropFirst())) == verdict)
    }

    @Test(arguments: [
        ([], PartialBody.Verdict.rest(total: 100)),
        (["Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"], .rest(total: 100)),
        (["Last-Modified: Sun, 06 Nov 1994 08:49:38 GMT"], .mismatch), (["ETag: \"v2\""], .mismatch),
    ]) func `the rest of a dated body has the same date, or none`(_ lines: [String], _ verdict: PartialBody.Verdict)
        throws
    {
        let date = "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"
        let partial = try #require(try partial(["HTTP/1.1 200 OK", date, "Date: Sun, 06 Nov 1994 08:50:37 GMT"]))
        let rest = Self.head(["HTTP/1.1 206 X", "Content-Range: bytes 40-99/100"] + lines)
        #expect(partial.verdict(rest) == verdict)
    }

    @Test func `a whole of unknown length is learnt from the rest`() throws {
        let partial = try #require(try partial(["HTTP/1.1 200 OK", "ETag: \"v1\"", "Transfer-Encoding: chunked"]))
        #expect(
            partial.verdict(Self.head(["HTTP/1.1 206 X", "Content-Range: bytes 40-6999/7000", "ETag: \"v1\""]))
                == .rest(total: 7000)
        )
    }
}
