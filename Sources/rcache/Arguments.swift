import RenditionCache

/// One option of a command.
struct Option: Sendable, Equatable {
    /// Its name without the dashes.
    var name: String
    /// Its one-letter form.
    var letter: Character?
    /// What its value is called; nil for a switch.
    var value: String?
    /// One line.
    var help: String
    /// Whether it may be given more than once.
    var isRepeatable = false
}

/// A command line, sorted into options and operands.
struct Arguments: Sendable, Equatable {
    /// What is no option, in order.
    private(set) var operands: [String] = []
    private var values: [String: [String]] = [:]

    /// Sorts `words`: options may stand anywhere before `--`, with their value behind a `=` or in the next word.
    ///
    /// - Throws: `Failure.usage` for what is unknown, missing, too much or given twice.
    init(_ words: some Sequence<String>, options: [Option]) throws(Failure) {
        var rest = Array(words)[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                return
            }
            guard let (option, attached) = try Self.option(word, options) else {
                operands.append(word)
                continue
            }
            try take(option, attached: attached, rest: &rest)
        }
    }

    /// Whether a switch is on.
    func has(_ name: String) -> Bool { values[name] != nil }

    /// The value of an option.
    subscript(_ name: String) -> String? { values[name]?.last }

    /// All values of an option, in order.
    func all(_ name: String) -> [String] { values[name] ?? [] }

    /// The whole number that an option has.
    func number(_ name: String, in range: ClosedRange<Int>) throws(Failure) -> Int? {
        guard let text = self[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw .usage("--\(name) takes \(range.lowerBound)…\(range.upperBound), not \(quoted(text))")
        }
        return number
    }

    // MARK: - Parsing

    /// The option that a word names, and the value attached to it; nil for an operand.
    private static func option(_ word: String, _ options: [Option]) throws(Failure) -> (Option, attached: String?)? {
        guard word.hasPrefix("-"), word != "-" else { return nil }
        guard word.hasPrefix("--") else {
            let letter = word.dropFirst().first
            guard let option = options.first(where: { $0.letter == letter }) else {
                throw unknown(String(word.dropFirst()), written: word, options)
            }
            let attached = String(word.dropFirst(2))
            return (option, attached.isEmpty ? nil : attached)
        }
        let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first.map(String.init) ?? ""
        guard let option = options.first(where: { $0.name == name }) else {
            throw unknown(name, written: "--\(name)", options)
        }
        return (option, parts.count > 1 ? String(parts[1]) : nil)
    }

    private static func unknown(_ name: String, written: String, _ options: [Option]) -> Failure {
        let hint = nearest(to: name, among: options.map(\.name)).map { "did you mean --\($0)?" }
        return .usage("unknown option \(written); \(hint ?? "--help lists them")")
    }

    private mutating func take(_ option: Option, attached: String?, rest: inout ArraySlice<String>) throws(Failure) {
        let name = "--\(option.name)"
        guard let placeholder = option.value else {
            guard attached == nil else { throw .usage("\(name) takes no value") }
            values[option.name] = []
            return
        }
        guard let value = attached ?? rest.first else { throw .usage("\(name) needs a value: \(name) \(placeholder)") }
        if attached == nil {
            guard !value.hasPrefix("--") else {
                throw .usage("\(name) needs a value; write \(name)=\(value) if \(quoted(value)) is meant")
            }
            rest.removeFirst()
        }
        guard option.isRepeatable || values[option.name] == nil else { throw .usage("\(name) is given twice") }
        values[option.name, default: []].append(value)
    }
}
