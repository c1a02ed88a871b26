import Testing

@testable import RenditionCache

@Suite struct HTMLPicturesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let html: String
        var sources: [String] = []
        var candidates: [String] = []
    }

    @Test(arguments: [
        Case(testDescription: "quotes of both kinds", html: #"<img src="a"><img src='b'>"#, sources: ["a", "b"]),
        Case(
            testDescription: "no quotes, upper case, self-closing",
            html: "<IMG SRC=a/b.jpg /><p>",
            sources: ["a/b.jpg"]
        ),
        Case(
            testDescription: "entities",
            html: "<img src='a?w=1&amp;h=2&#38;q=3&#x26;x'>",
            sources: ["a?w=1&h=2&q=3&x"]
        ),
        Case(
            testDescription: "ampersands that were not escaped",
            html: "<img src='a?w=1&h=2&copy=3'>",
            sources: ["a?w=1&h=2&copy=3"]
        ),
        Case(testDescription: "letters beyond ASCII", html: "<img src='港の橋.png'>", sources: ["港の橋.png"]),
        Case(testDescription: "white space around", html: "<img src=' a\n'>", sources: ["a"]),
        Case(testDescription: "the first of two", html: "<img src=a src=b>", sources: ["a"]),
        Case(testDescription: "comments", html: "<!-- <img src=a> --><img src=c>", sources: ["c"]),
        Case(testDescription: "an endless comment", html: "<img src=a><!-- <img src=b>", sources: ["a"]),
        Case(
            testDescription: "escaped markup",
            html: "<pre><code>&lt;img src=a&gt;</code></pre>&lt;source srcset=b&gt;",
            sources: []
        ),
        Case(testDescription: "scripts", html: "<script>'<img src=a>'</script><style><img src=b></style>"),
        Case(testDescription: "none and empty", html: "<img><img src><img src=''><img alt='<img src=x>'>"),
        Case(testDescription: "data", html: "<img src='data:image/gif;base64,R0'><img src=' DATA:x'>"),
        Case(testDescription: "other tags", html: "<image src=a><imgs src=b><video src=c><source src=d>"),
        Case(testDescription: "a zero byte", html: "a\0b<img src=a>", sources: ["a"]),
        Case(
            testDescription: "an encoding that is not the text's",
            html: "<meta charset=latin1><img src=é>",
            sources: ["é"]
        ),
        Case(
            testDescription: "tags that end too early or never",
            html: "</p></b><b><i><img src=a></b><img alt=b",
            sources: ["a"]
        ),
        Case(
            testDescription: "source and img of a picture",
            html: "<picture><source type=x srcset='a?b=c,d 1x, e 2x'><img src=f srcset='g 100w,h 200w'></picture>",
            sources: ["f"],
            candidates: ["a?b=c,d", "e", "g", "h"]
        ),
        Case(testDescription: "data among candidates", html: "<img srcset='data:x 1x, a 2x'>", candidates: ["a"]),
    ])
    func `the pictures of a text are found`(_ test: Case) throws {
        let found = try HTMLPictures.sources(in: test.html)
        #expect(found.filter { $0.kind == .source }.map(\.url) == test.sources)
        #expect(found.filter { $0.kind == .sourceSet }.map(\.url) == test.candidates)
    }

    @Test func `hints go with the src alone`() throws {
        let html =
            "<img height=' 20px ' src=a srcset='b 2x' alt='A &amp; B' width=10><img src=c width=50% height=-1 alt>"
        #expect(
            try HTMLPictures.sources(in: html) == [
                HTMLPictures.Source(url: "a", kind: .source, alt: "A & B", width: 10, height: 20),
                HTMLPictures.Source(url: "b", kind: .sourceSet),
                HTMLPictures.Source(url: "c", kind: .source, alt: ""),
            ]
        )
    }

    @Test(arguments: [
        ("", []),
        (" , ,\n", []),
        ("a", ["a"]),
        ("a, b", ["a", "b"]),
        ("a,b", ["a,b"]),
        ("a 1x,b 2x", ["a", "b"]),
        ("a?crop=top,left 1x, b?x=1,2,", ["a?crop=top,left", "b?x=1,2"]),
        ("a\t100w\n,\r\nb 200w", ["a", "b"]),
        ("a (1x, 2x) 3x, b", ["a", "b"]),
        ("a (1x, b", ["a"]),
        (",,a,,,b", ["a,,,b"]),
    ])
    func `a srcset is split by the rule of HTML`(text: String, urls: [String]) {
        #expect(SourceSet.urls(text) == urls)
    }

    @Test(arguments: [
        ("<img", true), ("x<IMG ", true), ("<<iMg", true), ("<sOuRce", true), ("<im", false), ("< img", false),
        ("<sourc", false), ("&lt;img", false), ("", false),
    ])
    func `a text without pictures is not parsed`(text: String, isParsed: Bool) {
        #expect(HTMLPictures.mayHavePictures(text) == isParsed)
    }

    @Test(.timeLimit(.minutes(1)))
    func `hostile texts are refused or read in bounded time`() throws {
        let names = (0..<200_000).map { "a\($0)" }.joined(separator: " ")
        let quoted = (0..<100_000).map { "a\($0)='>'" }.joined(separator: " ")
        for html in ["<p \(names)><img>", "<!--'--><p \(quoted)><img>", "<!-- <p a=\" --><p \(names)><img>"] {
            #expect(throws: HTMLError.tooManyAttributes(limit: 1024)) { try HTMLPictures.sources(in: html) }
        }
        let long = "<img src=a>" + String(repeating: "x", count: HTMLReader.maxBytes)
        #expect(throws: HTMLError.tooLong(limit: 2_000_000)) { try HTMLPictures.sources(in: long) }
        let deep = "<img src=a>" + String(repeating: "<b>", count: 600_000) + "<img src=b>"
        #expect(try HTMLPictures.sources(in: deep).map(\.url) == ["a"])
        let ends = "<img src=a>" + String(repeating: "<b>", count: 200) + String(repeating: "</i>", count: 400_000)
        #expect(try HTMLPictures.sources(in: ends).map(\.url) == ["a"])
        let many = try HTMLPictures.sources(in: String(repeating: "<img src=a>", count: 150_000))
        #expect(many.count == 150_000)
        let entities = try HTMLPictures.sources(in: "<img src='" + String(repeating: "&amp;", count: 390_000) + "'>")
        #expect(entities.first?.url.utf8.count == 390_000)
    }

    @Test func `words in quotes and between tags are no attributes`() throws {
        let words = String(repeating: "word ", count: 5000)
        let html = "<p>\(words)</p><img alt=\"\(words)\" src=a title='\(words)'>1 < 2 \(words)"
        #expect(try HTMLPictures.sources(in: html).map(\.url) == ["a"])
    }

    @Test func `many texts are read at once`() async throws {
        let texts = (0..<64).map { number in (0..<50).map { "<img src=\(number)-\($0)>" }.joined() }
        try await withThrowingTaskGroup(of: (Int, [String]).self) { group in
            for (number, text) in texts.enumerated() {
                group.addTask { @concurrent in (number, try HTMLPictures.sources(in: text).map(\.url)) }
            }
            for try await (number, urls) in group { #expect(urls == (0..<50).map { "\(number)-\($0)" }) }
        }
    }
}
