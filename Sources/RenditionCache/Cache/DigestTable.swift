/// A hash table from digests to values, built for a million of them: values lie in one array, links are indices.
///
/// A digest is its own hash. Open addressing with linear probing over 4-byte cells, at most three quarters full; a
/// removal closes its gap, so there are no tombstones.
struct DigestTable<Value: Sendable>: Sendable {
    /// Where a value lies; stays the same until it is removed.
    typealias Slot = UInt32
    /// No slot.
    static var none: Slot { .max }

    private struct Place: Sendable {
        var digest: Digest
        var value: Value
    }

    private var places: [Place] = []
    private var free: [Slot] = []
    private var cells: [Slot] = [Slot](repeating: none, count: 16)
    /// What a freed place holds, so that it owns no memory.
    private let vacant: Value

    /// An empty table; `vacant` fills the places of removed values.
    init(vacant: Value) { self.vacant = vacant }

    /// How many values there are.
    var count: Int { places.count - free.count }

    /// The slot of a digest.
    func find(_ digest: Digest) -> Slot? {
        var cell = home(of: digest)
        while cells[cell] != Self.none {
            if places[Int(cells[cell])].digest == digest { return cells[cell] }
            cell = (cell + 1) & (cells.count - 1)
        }
        return nil
    }

    /// The value in a slot that `find` or `insert` gave.
    subscript(slot: Slot) -> Value {
        get { places[Int(slot)].value }
        _modify { yield &places[Int(slot)].value }
    }

    /// The digest in a slot.
    func digest(at slot: Slot) -> Digest { places[Int(slot)].digest }

    /// Adds a digest that is not there yet.
    mutating func insert(_ digest: Digest, _ value: Value) -> Slot {
        if (count + 1) * 4 > cells.count * 3 { rehash(into: cells.count * 2) }
        let slot: Slot
        if let reused = free.popLast() {
            slot = reused
            places[Int(slot)] = Place(digest: digest, value: value)
        } else {
            // By an eighth, not by doubling: the table's size is a promise.
            if places.count == places.capacity { places.reserveCapacity(places.count + places.count / 8 + 16) }
            slot = Slot(places.count)
            places.append(Place(digest: digest, value: value))
        }
        enter(slot)
        return slot
    }

    /// Takes a value out.
    @discardableResult
    mutating func remove(_ slot: Slot) -> Value {
        var gap = home(of: places[Int(slot)].digest)
        while cells[gap] != slot { gap = (gap + 1) & (cells.count - 1) }
        closeGap(gap)
        let value = places[Int(slot)].value
        places[Int(slot)].value = vacant
        free.append(slot)
        return value
    }

    /// Calls `body` with every digest and value.
    func forEach(_ body: (Digest, Value) -> Void) {
        for slot in cells where slot != Self.none { body(places[Int(slot)].digest, places[Int(slot)].value) }
    }

    /// The middle bits: shards are chosen by the first ones.
    private func home(of digest: Digest) -> Int { Int(truncatingIfNeeded: digest.words.1) & (cells.count - 1) }

    private mutating func enter(_ slot: Slot) {
        var cell = home(of: places[Int(slot)].digest)
        while cells[cell] != Self.none { cell = (cell + 1) & (cells.count - 1) }
        cells[cell] = slot
    }

    /// Moves later cells of the run up, as long as that brings them no further than home (Knuth, TAOCP 6.4 R).
    private mutating func closeGap(_ start: Int) {
        var gap = start
        var cell = start
        while true {
            cells[gap] = Self.none
            repeat {
                cell = (cell + 1) & (cells.count - 1)
                if cells[cell] == Self.none { return }
            } while isCyclically(home(of: places[Int(cells[cell])].digest), after: gap, upTo: cell)
            cells[gap] = cells[cell]
            gap = cell
        }
    }

    private func isCyclically(_ home: Int, after gap: Int, upTo cell: Int) -> Bool {
        gap <= cell ? gap < home && home <= cell : gap < home || home <= cell
    }

    private mutating func rehash(into size: Int) {
        let old = cells
        cells = [Slot](repeating: Self.none, count: size)
        for slot in old where slot != Self.none { enter(slot) }
    }
}
