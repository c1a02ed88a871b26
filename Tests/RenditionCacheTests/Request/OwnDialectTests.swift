import Foundation
import Testing

@testable import RenditionCache

@Suite struct OwnDialectTests {
    struct Good: Sendable, CustomTestStringConvertible {
        var query: String
        var transform: Transform
        var testDescription: String { query }
    }

    @Test(arguments: [
        Good(query: "", transform: Transform()),
        Good(query: "width=640", transform: Transform(resize: .inside(width: 640, height: nil))),
        Good(query: "height=1", transform: Transform(resize: .inside(width: nil, height: 1))),
        Good(query: "height=8192&width=8192", transform: Transform(resize: .inside(width: 8192, height: 8192))),
        Good(query: "format=jpg", transform: Transform(format: .fixed(.jpeg))),
        Good(query: "format=source", transform: Transform()),
        Good(
            query: "w%69dth=%36%340&quality=100",
            transform: Transform(resize: .inside(width: 640, height: nil), quality: 100)
        ),
        Good(query: "quality=1&format=avif", transform: Transform(format: .fixed(.avif), quality: 1)),
    ])
    func `a query becomes the transform it means`(_ good: Good) throws {
        #expect(try OwnDialect.transform(query: good.query) == good.transform)
    }

    @Test(arguments: [
        ("width=50%25&height=25%25", "width=50%&height=25%"),
        ("width=333&dpr=1.5", "width=500"), ("dpr=2", ""), ("width=10%25&dpr=2", "width=20%"),
        ("fit=cover&width=300&height=200", "width=300&height=200&fit=cover"), ("fit=cover&width=300", "width=300"),
        ("fit=pad&width=300", "width=300&fit=pad"), ("fit=pad&width=300&enlarge=true", "width=300&enlarge=true"),
        ("fit=pad", ""), ("enlarge=true", ""), ("enlarge=false&width=3", "width=3"),
        ("width=3&gravity=north", "width=3"),
        ("gravity=center&fit=cover&width=3&height=4", "width=3&height=4&fit=cover"),
        ("gravity=north&focus=0.1,0.20&fit=cover&width=3&height=4", "width=3&height=4&fit=cover&focus=0.1,0.2"),
        ("focus=0.1,0.2&gravity=east&fit=pad&width=3&height=4", "width=3&height=4&fit=pad&gravity=east"),
        ("crop=10%25,0,80%25,100%25", "crop=10%,0,80%,100%"), ("crop=10.0,0,5.50,7", "crop=10,0,5.5,7"),
        ("rotate=0", ""), ("rotate=270&flip=hv", "rotate=270&flip=hv"), ("trim=true", "trim=10"), ("trim=false", ""),
        ("background=FFAA00", "background=ffaa00"), ("background=00000000", "background=transparent"),
        ("blur=1.50&sharpen=0", "blur=1.5"), ("quality=80&format=webp", "format=webp"),
        ("quality=80&format=png", "format=png"),
        ("quality=lossless&format=jpeg", "format=jpeg"), ("quality=auto&format=avif", "format=avif&quality=auto"),
        ("animated=false&format=jpeg", "format=jpeg"), ("animated=false", "animated=false"),
        ("metadata=copyright&profile=keep", "metadata=copyright&profile=keep"), ("metadata=none&profile=srgb", ""),
        ("size=40,30&width=3", "width=40&height=30&fit=fill"), ("preferwebp=true&format=webp", "format=webp"),
        ("preferwebp=true&format=png", "preferwebp=true&format=png"), ("preferwebp=false", ""),
        ("format=jxl&quality=80", "format=jxl"),
    ])
    func `a query has a canonical text`(_ query: String, _ text: String) throws {
        #expect(try OwnDialect.transform(query: query).canonicalText == text)
    }

    @Test(arguments: [
        "fit=pad&width=150&height=200&background=f0800f00", "fit=cover&width=3&height=4&focus=0.12345678901234,0.5",
        "width=33.3333333333333333%25&dpr=1.1", "crop=0.1234567891234,0,1.00000000001p,99.9p",
        "crop=10%25,0,80%25,100%25&rotate=90&flip=hv", "blur=1.00000000001", "preferwebp=true&format=png&quality=3",
        "format=smallest&quality=auto&animated=false&metadata=copyright&profile=keep&trim=true&sharpen=0.1",
    ])
    func `the canonical text means the same transform`(_ query: String) throws {
        let transform = try OwnDialect.transform(query: query)
        let text = transform.canonicalText.replacingOccurrences(of: "%", with: "%25")
        #expect(try OwnDialect.transform(query: text) == transform)
    }

    @Test(arguments: [
        "width=401%25", "width=0%25", "dpr=2&width=5000", "dpr=4&width=200%25", "width=5.5", "fit=contain", "enlarge=1",
        "crop=1,2,3", "crop=0,0,0,5", "crop=0,0,0.0000000001,5",
        "crop=1,2,3,4,5",
        "crop=0,0,101%25,5", "gravity=middle", "focus=1", "focus=0,1.1", "rotate=45", "flip=vh", "trim=0", "trim=256",
        "dpr=0.4",
        "dpr=5", "background=fff", "background=red", "blur=0.2", "blur=101", "sharpen=11", "format=AUTO", "format=heic",
        "quality=0", "quality=best", "animated=yes", "metadata=all", "profile=p3", "size=1", "size=0,1", "size=1,9000",
        "preferwebp=1",
    ])
    func `a value out of its range is refused with the range`(query: String) throws {
        let error = #expect(throws: RequestError.self) { try OwnDialect.transform(query: query) }
        guard case .badValue(let parameter, _, let expected)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(query.hasPrefix(parameter + "=") && !expected.isEmpty)
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        var query: String
        var error: RequestError
        var testDescription: String { query }
    }

    @Test(arguments: [
        Bad(query: "widht=640", error: .unknownParameter("widht", nearest: "width")),
        Bad(query: "w=640", error: .unknownParameter("w", nearest: nil)),
        Bad(query: "Width=640", error: .unknownParameter("Width", nearest: "width")),
        Bad(query: "width=0", error: .badValue(parameter: "width", value: "0", expected: "1…8192 px or 1%…400%")),
        Bad(query: "width=8193", error: .badValue(parameter: "width", value: "8193", expected: "1…8192 px or 1%…400%")),
        Bad(query: "width=+5", error: .badValue(parameter: "width", value: "+5", expected: "1…8192 px or 1%…400%")),
        Bad(query: "width=", error: .badValue(parameter: "width", value: "", expected: "1…8192 px or 1%…400%")),
        Bad(
            query: "width=99999999999999999999",
            error: .badValue(parameter: "width", value: "99999999999999999999", expected: "1…8192 px or 1%…400%")
        ),
        Bad(
            query: "quality=101",
            error: .badValue(parameter: "quality", value: "101", expected: "1…100, auto or lossless")
        ),
        Bad(
            query: "format=heic",
            error: .badValue(
                parameter: "format",
                value: "heic",
                expected: "one of jpeg, png, webp, avif, jxl, gif, source, auto, smallest"
            )
        ),
        Bad(query: "width=1&width=1", error: .repeated("width")),
        Bad(query: "width", error: .malformed("\"width\" is not of the form name=value")),
        Bad(query: "width=1&", error: .malformed("\"\" is not of the form name=value")),
        Bad(query: "width=%3", error: .malformed("\"%3\" has a % without two hexadecimal digits, or is not UTF-8")),
        Bad(query: "format=%FF", error: .malformed("\"%FF\" has a % without two hexadecimal digits, or is not UTF-8")),
    ])
    func `a query that is not exactly right says what is wrong`(_ bad: Bad) {
        #expect(throws: bad.error) { try OwnDialect.transform(query: bad.query) }
    }

    @Test(arguments: [
        (
            RequestError.unknownParameter("widht", nearest: "width"),
            "unknown parameter \"widht\"; did you mean \"width\"?"
        ),
        (.badValue(parameter: "width", value: "0", expected: "1…8192 px"), "width takes 1…8192 px, not \"0\""),
        (.repeated("width"), "\"width\" is given twice"),
        (.unknownParameter("\u{1B}[31m", nearest: nil), "unknown parameter \"\\u{1B}[31m\""),
    ])
    func `an error reads as one clause without control characters`(_ error: RequestError, _ text: String) {
        #expect(error.description == text)
    }

    @Test func `the documentation has every parameter in canonical order, and no other`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
        let text = try String(contentsOf: root.appendingPathComponent("docs/transforms.md"), encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let names = rows.flatMap { $0.split(separator: "|")[0].matches(of: /`([a-z]+)`/).map { String($0.output.1) } }
        #expect(names == OwnDialect.Parameter.allCases.map(\.rawValue))
    }
}
