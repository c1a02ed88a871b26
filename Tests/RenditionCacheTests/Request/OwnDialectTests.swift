import RenditionCache
import Testing

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

    struct Bad: Sendable, CustomTestStringConvertible {
        var query: String
        var error: RequestError
        var testDescription: String { query }
    }

    @Test(arguments: [
        Bad(query: "widht=640", error: .unknownParameter("widht", nearest: "width")),
        Bad(query: "w=640", error: .unknownParameter("w", nearest: nil)),
        Bad(query: "Width=640", error: .unknownParameter("Width", nearest: "width")),
        Bad(query: "width=0", error: .badValue(parameter: "width", value: "0", expected: "1…8192 px")),
        Bad(query: "width=8193", error: .badValue(parameter: "width", value: "8193", expected: "1…8192 px")),
        Bad(query: "width=+5", error: .badValue(parameter: "width", value: "+5", expected: "1…8192 px")),
        Bad(query: "width=", error: .badValue(parameter: "width", value: "", expected: "1…8192 px")),
        Bad(
            query: "width=99999999999999999999",
            error: .badValue(parameter: "width", value: "99999999999999999999", expected: "1…8192 px")
        ),
        Bad(query: "quality=101", error: .badValue(parameter: "quality", value: "101", expected: "1…100")),
        Bad(
            query: "format=heic",
            error: .badValue(parameter: "format", value: "heic", expected: "one of jpeg, png, webp, avif, source")
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
}
