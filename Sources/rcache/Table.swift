/// Columns for people: as wide as their widest cell, two spaces between, the last one ragged.
struct Table {
    /// The cells, row by row; every row has as many.
    var rows: [[String]]
    /// Columns that line up on the right.
    var numeric: Set<Int> = []

    /// The lines.
    var text: String {
        let rows = rows.map { $0.map { Printable.cell($0) } }
        let columns = rows.first?.count ?? 0
        let widths = (0..<columns).map { column in rows.map { Self.width($0[column]) }.max() ?? 0 }
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                let gap = String(repeating: " ", count: widths[column] - Self.width(cell))
                if numeric.contains(column) { return gap + cell }
                return column == columns - 1 ? cell : cell + gap
            }
            return cells.joined(separator: "  ") + "\n"
        }.joined()
    }

    private static func width(_ text: String) -> Int { text.count }
}

/// Text from outside that is safe on a terminal.
enum Printable {
    /// `text` without control characters but line ends and tabs, and without marks that turn the direction of writing: names and reasons come from a CMS.
    static func text(_ text: String) -> String {
        let plain = text.unicodeScalars.filter { scalar in
            scalar == "\n" || scalar == "\t" || scalar.properties.generalCategory != .control && !turns(scalar)
        }
        return String(String.UnicodeScalarView(plain))
    }

    /// Whether it changes the direction of what follows, or is a line end that no terminal counts.
    private static func turns(_ scalar: Unicode.Scalar) -> Bool {
        [0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069].contains { $0.contains(scalar.value) }
    }

    /// The same on one line.
    static func cell(_ text: String) -> String {
        let plain = text.unicodeScalars.map { $0 == "\n" || $0 == "\t" ? " " : $0 }
        return self.text(String(String.UnicodeScalarView(plain)))
    }
}
