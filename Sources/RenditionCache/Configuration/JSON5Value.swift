/// A value of a JSON5 text, and where it begins.
struct JSON5Value: Equatable, Sendable {
    /// What it is.
    enum Content: Equatable, Sendable {
        case null
        case boolean(Bool)
        case number(Double)
        case string(String)
        case array([JSON5Value])
        /// Members in the order of the text, without the repeated ones.
        case object([Member])
    }

    /// One name and its value.
    struct Member: Equatable, Sendable {
        var name: String
        var nameOffset: Int
        var value: JSON5Value
    }

    var content: Content
    /// Where it begins, in Unicode scalars from the start of the text.
    var offset: Int

    /// What it is, for a message: `a number`.
    var kindText: String {
        switch content {
        case .null: "null"
        case .boolean: "a boolean"
        case .number: "a number"
        case .string(let text): text.isEmpty ? "an empty string" : "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// What is wrong at one place of a JSON5 text.
struct JSON5Error: Error, Equatable {
    /// Where, in Unicode scalars from the start of the text.
    var offset: Int
    /// One clause.
    var message: String
}

/// Turns offsets into lines and columns, both from 1; a column is one Unicode scalar.
struct LineTable {
    private var starts = [0]

    /// Finds the lines of `text`; LF, CR LF and CR end one.
    init(_ text: String) {
        var previous: Unicode.Scalar?
        for (offset, scalar) in text.unicodeScalars.enumerated() {
            if scalar == "\n" && previous == "\r" {
                starts[starts.count - 1] = offset + 1
            } else if scalar == "\n" || scalar == "\r" {
                starts.append(offset + 1)
            }
            previous = scalar
        }
    }

    /// The line and the column of the scalar at `offset`.
    func position(of offset: Int) -> (line: Int, column: Int) {
        let line = starts.lastIndex { $0 <= offset } ?? 0
        return (line + 1, offset - starts[line] + 1)
    }
}
