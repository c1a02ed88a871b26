/// The name that a mistyped one most likely means: the fewest edits away, a swap of neighbours counting as one.
///
/// Case is ignored; nil when even the nearest differs in more than a third of its letters (at least one may differ).
package func nearest(to word: some StringProtocol, among names: some Sequence<String>) -> String? {
    // Longer words cannot be near any name we have, and the table below grows with the square.
    guard word.utf8.count <= 64 else { return nil }
    let typed = Array(word.lowercased().unicodeScalars)
    var best: (name: String, distance: Int)?
    for name in names {
        let letters = Array(name.lowercased().unicodeScalars)
        let distance = editDistance(typed, letters)
        guard distance <= max(1, max(typed.count, letters.count) / 3), distance < best?.distance ?? .max else {
            continue
        }
        best = (name, distance)
    }
    return best?.name
}

/// Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment).
private func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
        var current = [row + 1]
        for column in right.indices {
            let substitution = last[column] + (left[row] == right[column] ? 0 : 1)
            var cost = min(substitution, last[column + 1] + 1, current[column] + 1)
            if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                cost = min(cost, beforeLast[column - 1] + 1)
            }
            current.append(cost)
        }
        (beforeLast, last) = (last, current)
    }
    return last[right.count]
}
