import Testing

@testable import RenditionCache

@Suite struct JSON5ParserTests {
    struct Good: Sendable, CustomTestStringConvertible {
        var text: String
        var content: JSON5Value.Content
        init(_ text: String, _ content: JSON5Value.Content) { (self.text, self.content) = (text, content) }
        var testDescription: String { text }
    }

    @Test(arguments: [
        Good("null", .null), Good(" true ", .boolean(true)), Good("\u{FEFF}false\u{A0}", .boolean(false)),
        Good("0", .number(0)), Good("-12", .number(-12)), Good("+.5", .number(0.5)), Good("5.", .number(5)),
        Good("1.25e2", .number(125)), Good("1E+2", .number(100)), Good("25e-1", .number(2.5)),
        Good("0xfF", .number(255)), Good("-0X10", .number(-16)), Good("Infinity", .number(.infinity)),
        Good("-Infinity", .number(-.infinity)), Good("10000000000", .number(10_000_000_000)),
        Good(#"'it\'s'"#, .string("it's")), Good("\"a'b\"", .string("a'b")),
        Good(#""\b\f\n\r\t\v\0\x41\u00e9\q\/""#, .string("\u{8}\u{C}\n\r\t\u{B}\0Aéq/")),
        Good(#""\ud83d\ude00 😀""#, .string("😀 😀")),
        Good("'one \\\ntwo\\\r\nthree'", .string("one twothree")), Good("'\u{2028}'", .string("\u{2028}")),
        Good("// to the end\n[]/* and * on */", .array([])),
    ])
    func `each kind of value is read`(_ good: Good) {
        let parsed = JSON5Parser.parse(good.text)
        #expect(parsed.errors == [])
        #expect(parsed.value?.content == good.content)
    }

    @Test func `NaN is a number`() {
        guard case .number(let number) = JSON5Parser.parse("-NaN").value?.content else {
            Issue.record("no number")
            return
        }
        #expect(number.isNaN)
    }

    @Test func `names may be bare, quoted, escaped or of any script, and every value has its place`() throws {
        let text = "{ a: 1,\n 'b c': [2, 3,],\n$_\\u0041é9: {}, }"
        let parsed = JSON5Parser.parse(text)
        guard case .object(let members) = parsed.value?.content else {
            Issue.record("no object: \(parsed.errors)")
            return
        }
        let lines = LineTable(text)
        let places = members.map { member in
            let name = lines.position(of: member.nameOffset)
            let value = lines.position(of: member.value.offset)
            return "\(member.name) \(name.line):\(name.column) \(value.line):\(value.column)"
        }
        #expect(places == ["a 1:3 1:6", "b c 2:2 2:9", "$_Aé9 3:1 3:13"])
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        var text: String
        var place: String
        var message: String
        init(_ text: String, _ place: String, _ message: String) {
            (self.text, self.place, self.message) = (text, place, message)
        }
        var testDescription: String { text }
    }

    @Test(arguments: [
        Bad("", "1:1", "expected a value, found the end"),
        Bad("  \n // nothing", "2:12", "expected a value, found the end"),
        Bad("{", "1:2", "expected a key or \"}\", found the end"),
        Bad("{a:1", "1:5", "expected \",\" or \"}\", found the end"),
        Bad("{a:1\n b:2}", "2:2", "expected \",\" or \"}\", found \"b\""),
        Bad("{a 1}", "1:4", "expected \":\" after the key \"a\", found \"1\""),
        Bad("{,}", "1:2", "expected a key or \"}\", found \",\""),
        Bad("{1: 2}", "1:2", "expected a key or \"}\", found \"1\""),
        Bad("[1 2]", "1:4", "expected \",\" or \"]\", found \"2\""),
        Bad("[,]", "1:2", "expected a value, found \",\""),
        Bad("{a: blog}", "1:5", "\"blog\" is no value; a string needs quotes"),
        Bad("{a: 'x\n'}", "1:5", "the string has no end on its line"),
        Bad("{a: \"x", "1:5", "the string has no end on its line"),
        Bad("'\\u12'", "1:2", "the escape needs 4 hexadecimal digits"),
        Bad("'\\xg0'", "1:2", "the escape needs 2 hexadecimal digits"),
        Bad("'a\\ud83d'", "1:3", "half a surrogate pair"), Bad("'\\ud83d\\u0041'", "1:2", "half a surrogate pair"),
        Bad("'\\udc00'", "1:2", "half a surrogate pair"), Bad("'\\1'", "1:2", "\\1 is no escape"),
        Bad("'\\01'", "1:2", "\\0 is no escape"), Bad("'\\", "1:3", "the string has no end"),
        Bad("{\\x41: 1}", "1:2", "only \\u is an escape in a bare key"),
        Bad("{\\u0020: 1}", "1:2", "this character needs a key in quotes"), Bad("012", "1:1", "not a number"),
        Bad("1e", "1:1", "not a number"), Bad(".", "1:1", "not a number"), Bad("0x", "1:1", "not a number"),
        Bad("+", "1:1", "not a number"), Bad("--1", "1:1", "not a number"), Bad("12px", "1:1", "not a number"),
        Bad("-Infinite", "1:1", "not a number"), Bad("/* a\n *", "1:1", "the comment has no end"),
        Bad("{} {}", "1:4", "expected the end of the text, found \"{\""),
        Bad("{}\r\n\r\nx", "3:1", "expected the end of the text, found \"x\""),
        Bad("{} /x", "1:4", "expected a value, a key or a comment, found \"/\""),
        Bad(String(repeating: "[", count: 70), "1:65", "nested deeper than 64 levels"),
    ])
    func `what is no JSON5 is refused where it stops making sense`(_ bad: Bad) throws {
        let parsed = JSON5Parser.parse(bad.text)
        let error = try #require(parsed.errors.first)
        let position = LineTable(bad.text).position(of: error.offset)
        #expect("\(position.line):\(position.column)" == bad.place)
        #expect(error.message == bad.message)
        #expect(parsed.value == nil)
        #expect(parsed.errors.count == 1)
    }

    @Test func `a repeated key is refused, the first stays, and reading goes on`() {
        let parsed = JSON5Parser.parse("{a: 1, 'a': 2, b: {c: 1, \\u0063: 2}}")
        #expect(parsed.errors.map(\.offset) == [7, 25])
        #expect(parsed.errors.map(\.message) == ["the key \"a\" is there twice", "the key \"c\" is there twice"])
        guard case .object(let members) = parsed.value?.content else {
            Issue.record("no object")
            return
        }
        #expect(members.map(\.name) == ["a", "b"])
        #expect(members.first?.value.content == .number(1))
    }
}
