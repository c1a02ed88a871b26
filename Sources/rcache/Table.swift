/// Columns for people: as wide as their widest cell, two spaces between, the last one ragged.
struct Table {
    /// The cells, row by row; every row has as many.
    var rows: [[String]]
    /// Columns that line up on the right.
    var numeric: Set<Int> = []

    /// The lines.
    var text: String {
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
