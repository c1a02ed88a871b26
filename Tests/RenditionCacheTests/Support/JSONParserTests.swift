import Testing

@testable import RenditionCache

@Suite struct JSONParserTests {
    private func parsed(_ text: String) -> JSONValue? { JSONValue(Array(text.utf8)) }

    @Test(arguments: [
        ("0", JSONValue.int(0)), ("-7", .int(-7)), ("1.5e3", .double(1500)), ("5000.0", .double(5000)),
        ("9223372036854775807", .int(.max)), ("9223372036854775808", .double(9_223_372_036_854_775_808)),
        (
            #" [ 1 , [ ] , { } , null , true , false ] "#,
            .array([.int(1), .array([]), .object([:]), .null, .bool(true), .bool(false)])
        ),
        (#"{"a":{"b":"c"},"a":2}"#, .object(["a": .int(2)])), ("\u{FEFF}1", .int(1)), (#""""#, .string("")),
        (#""a\"\\\/\b\f\n\r\té€""#, .string("a\"\\/\u{8}\u{C}\n\r\té€")), (#""\ud83d\ude00😀""#, .string("😀😀")),
        (#""\ud83dx\udc00\ud83d\n""#, .string("\u{FFFD}x\u{FFFD}\u{FFFD}\n")), (#""\ud83dA""#, .string("\u{FFFD}A")),
    ]) func `a document is read as it is meant`(_ text: String, _ value: JSONValue) {
        #expect(parsed(text) == value)
    }

    @Test(arguments: [
        "", " ", "[", "]", "{", "[1", "[1,]", "[1 2]", "{1:2}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, "tru", "nulls",
        "+1", ".5",
        "-", "1e400", "--1", "0x10", "'a'", #""a"#, #""\x41""#, #""\u12""#, #""\u+123""#, "\"a\nb\"", "1 2", "<html>",
        "\u{0}",
    ]) func `anything else is nothing`(_ text: String) {
        #expect(parsed(text) == nil)
    }

    @Test func `text that is not UTF-8 is nothing`() {
        #expect(JSONValue([0x22, 0xFF, 0x22]) == nil)
    }

    @Test func `nesting ends at the limit, however deep it goes`() {
        func nested(_ depth: Int) -> JSONValue? {
            parsed(String(repeating: #"{"a":["#, count: depth / 2) + String(repeating: "]}", count: depth / 2))
        }
        #expect(nested(JSONParser.maxDepth) != nil)
        #expect(nested(JSONParser.maxDepth + 2) == nil)
        #expect(parsed(String(repeating: "[", count: 2_000_000)) == nil)
        // Siblings are not nested.
        #expect(parsed("[" + String(repeating: "[],", count: 1000) + "{}]")?.array?.count == 1001)
    }

    @Test func `more values than the limit are not kept`() {
        let most = JSONParser.maxValues - 1
        #expect(parsed("[" + String(repeating: "1,", count: most - 1) + "1]")?.array?.count == most)
        #expect(parsed("[" + String(repeating: "1,", count: most) + "1]") == nil)
    }
}
