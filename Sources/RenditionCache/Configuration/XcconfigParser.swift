/// Reads an Xcode configuration file: `NAME = value` a line, `//` begins a comment wherever it stands.
///
/// `$(NAME)` and `${NAME}` take the value of another key of the file, or nothing, so that `$()` between two slashes keeps
/// them from being a comment. What only Xcode could resolve, includes and conditions, is reported rather than guessed.
struct XcconfigParser {
    /// A value and where it stands.
    struct Value: Equatable, Sendable {
        /// The value, references filled in.
        var text: String
        /// The line, from 1.
        var line: Int
        /// The column in Unicode scalars, from 1.
        var column: Int
    }

    /// What cannot be used.
    struct Problem: Equatable, Sendable {
        var line: Int
        var column: Int
        var message: String
    }

    /// What a file says.
    struct Settings: Equatable, Sendable {
        fileprivate var values: [String: Value] = [:]
        fileprivate let prefix: String
        /// What cannot be used, in the order of the file.
        fileprivate(set) var problems: [Problem] = []

        /// The last value of a key.
        subscript(name: String) -> Value? { values[name] }
    }

    /// How deep references may lead into each other.
    private static let maxDepth = 16
    /// Most characters of a value with its references filled in.
    private static let maxValueCharacters = 65_536

    /// The settings in a text.
    ///
    /// - Parameter prefix: what the keys begin with that matter; a condition on any other is no problem.
    static func parse(_ text: String, minding prefix: String) -> Settings {
        var settings = Settings(prefix: prefix)
        let withoutMark = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
        let lines = withoutMark.split(omittingEmptySubsequences: false) { $0.isNewline }
        for (index, line) in lines.enumerated() { read(line, number: index + 1, into: &settings) }
        let written = settings.values
        settings.values = written.mapValues { value in
            var value = value
            value.text = String(expanded(value.text, written, depth: 0).prefix(maxValueCharacters))
            return value
        }
        return settings
    }

    private static func read(_ line: Substring, number: Int, into settings: inout Settings) {
        let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
        let start = code.firstIndex { !$0.isWhitespace } ?? code.endIndex
        guard start < code.endIndex else { return }
        func report(_ message: String, at index: Substring.Index) {
            settings.problems.append(Problem(line: number, column: column(of: index, in: line), message: message))
        }
        guard code[start] != "#" else {
            return report("other files are not included; the AEM_… keys have to stand in this one", at: start)
        }
        guard let equals = code[start...].firstIndex(of: "=") else {
            return report("expected NAME = value", at: start)
        }
        // `NAME[sdk=…] = value`: the first `=` is inside the condition.
        let name = code[start..<equals].trimmed
        if name.contains("[") {
            guard name.hasPrefix(settings.prefix) else { return }
            return report("conditions in brackets are not understood; write the key without", at: start)
        }
        guard name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }), !name.isEmpty else {
            return report("expected NAME = value", at: start)
        }
        let rest = code[code.index(after: equals)...]
        let valueStart = rest.firstIndex { !$0.isWhitespace } ?? rest.endIndex
        settings.values[name] = Value(text: rest.trimmed, line: number, column: column(of: valueStart, in: line))
    }

    private static func column(of index: Substring.Index, in line: Substring) -> Int {
        line.unicodeScalars.distance(from: line.startIndex, to: index) + 1
    }

    /// A reference to a key that is not there, or to itself, is nothing.
    private static func expanded(_ raw: String, _ values: [String: Value], depth: Int) -> String {
        guard depth <= maxDepth else { return "" }
        var result = ""
        var rest = raw[...]
        while let dollar = rest.firstIndex(of: "$"), result.count <= maxValueCharacters {
            result += rest[..<dollar]
            rest = rest[rest.index(after: dollar)...]
            let closing: Character? = rest.first == "(" ? ")" : rest.first == "{" ? "}" : nil
            guard let closing, let end = rest.firstIndex(of: closing) else {
                result += "$"
                continue
            }
            let name = String(rest[..<end].dropFirst())
            rest = rest[rest.index(after: end)...]
            if let value = values[name] {
                var others = values
                others[name] = nil
                result += expanded(value.text, others, depth: depth + 1)
            }
        }
        return result + rest
    }
}
