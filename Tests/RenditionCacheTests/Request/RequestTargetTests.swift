import Testing

@testable import RenditionCache

@Suite struct RequestTargetTests {
    @Test(arguments: ["", "*", "healthz", "http://a/b", "/a#b", "/a\u{0}b", "/a\nb", "/a\u{7F}"])
    func `what is not the origin form is refused`(target: String) {
        #expect(throws: RequestError.self) { try RequestTarget(Array(target.utf8)) }
    }

    @Test func `bytes that are not UTF-8 are refused`() {
        #expect(throws: RequestError.self) { try RequestTarget([0x2F, 0xFF]) }
    }

    @Test(
        arguments: [
            ("/", [""], nil), ("/a/b", ["a", "b"], nil), ("/a//b/", ["a", "", "b", ""], nil),
            ("/a%2Fb?c=/d?e", ["a%2Fb"], "c=/d?e"), ("/?", [""], ""), ("/a b\"?q=x y", ["a b\""], "q=x y"),
        ] as [(String, [String], String?)]
    )
    func `a target is cut before it is decoded`(text: String, segments: [String], query: String?) throws {
        let target = try RequestTarget(Array(text.utf8))
        #expect(target.segments.map(String.init) == segments)
        #expect(target.query.map(String.init) == query)
    }

    @Test(arguments: [
        ("a=1&b=2", ["a=1", "b=2"]), ("q=type+eq+%22x%22", ["q=type eq \"x\""]), ("a=%2B&b=+", ["a=+", "b= "]),
        ("a=x;y&b", ["a=x;y", "b="]), ("a=b=c", ["a=b=c"]), ("a=100%&b=%zz", ["a=100%", "b=%zz"]),
        ("&&a=1&", ["a=1"]), ("", []), ("a=%C3%A9", ["a=é"]), ("a=%E9", ["a=\u{FFFD}"]),
    ])
    func `parameters are read leniently, as CMSs do`(query: String, pairs: [String]) throws {
        let target = try RequestTarget(Array("/x?\(query)".utf8))
        #expect(target.parameters.map { "\($0.name)=\($0.value)" } == pairs)
    }

    @Test(arguments: [
        ("a", ["a"]), ("a%20b", ["a b"]), ("a%2520b", ["a%20b", "a b"]), ("100%25", ["100%"]), ("a+b", ["a+b"]),
        ("%2E%2E", []), ("%252E%252E", ["%2E%2E"]), ("%00", []), ("", []), ("%4", []), ("%FF", []),
    ])
    func `a segment names what it decodes to, once and then twice`(segment: String, names: [String]) {
        #expect(RequestTarget.candidates(segment[...]) == names)
    }
}
