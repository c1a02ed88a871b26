import Testing

@testable import RenditionCache

@Suite struct WebURLTests {
    struct Parts: Sendable, CustomTestStringConvertible {
        var text: String
        var scheme: String
        var host: String
        var port: Int
        var testDescription: String { text }
    }

    @Test(arguments: [
        Parts(text: "https://ocm.example.com", scheme: "https", host: "ocm.example.com", port: 443),
        Parts(text: "HTTP://OCM.Example.com:80/a", scheme: "http", host: "ocm.example.com", port: 80),
        Parts(text: "http://127.1:8080/?q=1#f", scheme: "http", host: "127.0.0.1", port: 8080),
        Parts(text: "http://0x7f000001/", scheme: "http", host: "127.0.0.1", port: 80),
        Parts(text: "https://[::1]:8443/", scheme: "https", host: "[::1]", port: 8443),
    ]) func `a URL is taken apart as libcurl will use it`(_ parts: Parts) throws {
        let url = try #require(WebURL(parts.text))
        #expect((url.scheme, url.host, url.port) == (parts.scheme, parts.host, parts.port))
        #expect(!url.text.contains("#"))
    }

    @Test(arguments: [
        "", "ocm.example.com", "/path", "ftp://x/", "file:///etc/passwd", "http://user:pass@host/", "http://",

        "http://host:99999/", "javascript:alert(1)", "http://a b/", "http://h\r\nX: y/",
    ]) func `anything else is refused`(_ text: String) { #expect(WebURL(text) == nil) }

    @Test func `the same origin is the same scheme, host and port`() throws {
        let base = try #require(WebURL("https://ocm.example.com/x"))
        for text in ["https://OCM.example.com:443/y"] { #expect(WebURL(text)?.isSameOrigin(as: base) == true) }
        for text in ["http://ocm.example.com", "https://ocm.example.com:444", "https://a.ocm.example.com"] {
            #expect(WebURL(text)?.isSameOrigin(as: base) == false)
        }
    }

    @Test func `printing it leaves the query out`() throws {
        let url = try #require(WebURL("https://h/a?channelToken=s3cret"))
        #expect("\(url)" == "https://h/a")
    }

    @Test(arguments: [
        ("https://h/a", "https://h"), ("https://h:443", "https://h"), ("http://h:443/", "http://h:443"),
        ("http://[::1]:81/x?y", "http://[::1]:81"),
    ]) func `its root names the port only where it has to`(_ text: String, _ root: String) {
        #expect(WebURL(text)?.root == root)
    }
}
