/// Builds settings from a parsed text and collects everything that is wrong with it.
///
/// What a value means and where it stands is known here; whether it makes sense is for `Configuration.problems()`.
final class ConfigurationReader {
    /// One key of a section and what to do with its value.
    struct Key<Settings> {
        let name: String
        let apply: (ConfigurationReader, JSON5Value, inout Settings) -> Void

        /// A key that is put where `target` says, if `read` can make sense of it.
        init<Value>(
            _ name: String,
            _ target: WritableKeyPath<Settings, Value>,
            _ read: @escaping (ConfigurationReader) -> (JSON5Value) -> Value?
        ) {
            self.init(name) { reader, value, settings in
                if let result = read(reader)(value) { settings[keyPath: target] = result }
            }
        }

        init(_ name: String, apply: @escaping (ConfigurationReader, JSON5Value, inout Settings) -> Void) {
            self.name = name
            self.apply = apply
        }
    }

    let source: ConfigurationSource
    private(set) var issues: [(offset: Int, message: String)] = []
    /// Issues in files that the configuration names.
    var foreignIssues: [ConfigurationError.Issue] = []
    private var path: [String] = []
    private var offsets: [[String]: Int] = [:]

    init(_ source: ConfigurationSource) { self.source = source }

    func report(_ message: String, at offset: Int) { issues.append((offset, message)) }

    /// Where the value at `path` stands, or the nearest section around it.
    func offset(of path: [String]) -> Int {
        var path = path
        while !path.isEmpty {
            if let offset = offsets[path] { return offset }
            path.removeLast()
        }
        return 0
    }

    // MARK: - Sections

    /// Reads an object whose keys are known; the rest is reported with the nearest known one.
    ///
    /// - Parameter elsewhere: what to say of keys that are known in another place.
    func section<Settings>(
        _ value: JSON5Value,
        into settings: inout Settings,
        keys: [Key<Settings>],
        elsewhere: [String: String] = [:]
    ) {
        for member in members(value) {
            guard let key = keys.first(where: { $0.name == member.name }) else {
                unknown(member, known: keys.map(\.name), elsewhere: elsewhere)
                continue
            }
            inside(member.name, at: member.value.offset) { key.apply(self, member.value, &settings) }
        }
    }

    private func unknown(_ member: JSON5Value.Member, known: [String], elsewhere: [String: String]) {
        let name = quoted(member.name)
        if let remark = elsewhere[member.name] {
            report("\(name) \(remark)", at: member.nameOffset)
        } else if let near = nearest(to: member.name, among: known) {
            report("unknown key \(name); did you mean \(quoted(near))?", at: member.nameOffset)
        } else {
            report("unknown key \(name); known are \(known.joined(separator: ", "))", at: member.nameOffset)
        }
    }

    /// Remembers where a value stands while `read` looks into it.
    func inside(_ name: String, at offset: Int, read: () -> Void) {
        path.append(name)
        offsets[path] = offset
        read()
        path.removeLast()
    }

    // MARK: - Values

    /// The members of an object; none, and a report, for anything else.
    func members(_ value: JSON5Value) -> [JSON5Value.Member] {
        guard case .object(let members) = value.content else {
            mismatch(value, expected: "an object")
            return []
        }
        return members
    }

    /// A string with its variables filled in.
    func text(_ value: JSON5Value) -> String? {
        guard case .string(let raw) = value.content else { return mismatch(value, expected: "a string") }
        return expanded(raw, at: value.offset)
    }

    func texts(_ value: JSON5Value) -> [String]? {
        guard case .array(let elements) = value.content else { return mismatch(value, expected: "an array of strings") }
        var all: [String] = []
        for (index, element) in elements.enumerated() {
            inside("\(index)", at: element.offset) { text(element).map { all.append($0) } }
        }
        return all
    }

    func dictionary(_ value: JSON5Value) -> [String: String]? {
        var all: [String: String] = [:]
        for member in members(value) {
            inside(member.name, at: member.value.offset) { all[member.name] = text(member.value) }
        }
        return all
    }

    /// A path, made absolute by the file's directory.
    func path(_ value: JSON5Value) -> String? {
        guard let text = text(value) else { return nil }
        guard !text.isEmpty, !text.utf8.contains(0) else { return mismatch(value, expected: "a path") }
        return absolutePath(text, in: source.baseDirectory)
    }

    func integer(_ value: JSON5Value) -> Int? {
        guard case .number(let number) = value.content, let whole = Int(exactly: number) else {
            return mismatch(value, expected: "a whole number")
        }
        return whole
    }

    func size(_ value: JSON5Value) -> Int? {
        quantity(value, form: Quantity.sizeForm, number: Quantity.wholeBytes, text: Quantity.bytes)
    }

    func duration(_ value: JSON5Value) -> Duration? {
        quantity(value, form: Quantity.durationForm, number: Quantity.duration(seconds:), text: Quantity.duration)
    }

    func seconds(_ value: JSON5Value) -> Double? { duration(value).map { $0 / .seconds(1) } }

    private func quantity<Value>(
        _ value: JSON5Value,
        form: String,
        number: (Double) -> Value?,
        text read: (String) -> Value?
    ) -> Value? {
        switch value.content {
        case .number(let given):
            return number(given) ?? mismatch(value, expected: form)
        case .string(let raw):
            guard let text = expanded(raw, at: value.offset) else { return nil }
            // The text of the file is shown, not what a variable held.
            if let result = read(text) { return result }
            report("\(quoted(raw)) is not \(form)", at: value.offset)
            return nil
        default:
            return mismatch(value, expected: form)
        }
    }

    @discardableResult
    func mismatch<Value>(_ value: JSON5Value, expected: String) -> Value? {
        report("expected \(expected), found \(value.kindText)", at: value.offset)
        return nil
    }

    private func mismatch(_ value: JSON5Value, expected: String) {
        let _: Never? = mismatch(value, expected: expected)
    }

    // MARK: - Variables

    /// `raw` with each `${NAME}` replaced, once; a variable that is not set or empty is reported.
    private func expanded(_ raw: String, at offset: Int) -> String? {
        var result = ""
        var rest = raw[...]
        var isComplete = true
        while let start = rest.firstRange(of: "${") {
            result += rest[..<start.lowerBound]
            guard let end = rest[start.upperBound...].firstIndex(of: "}") else {
                report("\"${\" without \"}\"", at: offset)
                return nil
            }
            let name = String(rest[start.upperBound..<end])
            if let value = variable(name, at: offset) { result += value } else { isComplete = false }
            rest = rest[rest.index(after: end)...]
        }
        return isComplete ? result + rest : nil
    }

    private func variable(_ name: String, at offset: Int) -> String? {
        let isName =
            name.first?.isNumber == false && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        guard isName else {
            report("\(quoted("${\(name)}")) is not ${NAME} with letters, digits and _", at: offset)
            return nil
        }
        guard let value = source.environment(name) else {
            report("the environment variable \(name) is not set", at: offset)
            return nil
        }
        guard !value.isEmpty else {
            report("the environment variable \(name) is empty", at: offset)
            return nil
        }
        return value
    }
}
