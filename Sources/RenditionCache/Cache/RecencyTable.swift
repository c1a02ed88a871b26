/// A `DigestTable` whose values are also in a list by last use, linked by index.
struct RecencyTable<Value: Sendable>: Sendable {
    typealias Slot = UInt32

    private struct Linked: Sendable {
        var value: Value
        /// When it was last used; larger is later.
        var tick: Int64 = 0
        var newer = DigestTable<Linked>.none
        var older = DigestTable<Linked>.none
    }

    private var table: DigestTable<Linked>
    private var newest = DigestTable<Linked>.none
    /// The least recently used; `UInt32.max` in an empty table.
    private var last = DigestTable<Linked>.none

    /// An empty table; `vacant` fills the places of removed values.
    init(vacant: Value) { table = DigestTable(vacant: Linked(value: vacant)) }

    var count: Int { table.count }

    func find(_ digest: Digest) -> Slot? { table.find(digest) }
    func digest(at slot: Slot) -> Digest { table.digest(at: slot) }
    func tick(at slot: Slot) -> Int64 { table[slot].tick }
    func forEach(_ body: (Digest, Value) -> Void) { table.forEach { body($0, $1.value) } }

    subscript(slot: Slot) -> Value {
        get { table[slot].value }
        _modify { yield &table[slot].value }
    }

    /// The slot that was used longest ago.
    var oldest: Slot? { last == DigestTable<Linked>.none ? nil : last }

    /// The slot that was used next after `slot`.
    func newer(than slot: Slot) -> Slot? {
        let next = table[slot].newer
        return next == DigestTable<Linked>.none ? nil : next
    }

    /// Adds a value that was last used at `tick`; O(1) for the newest, else a walk from the new end.
    mutating func insert(_ digest: Digest, _ value: Value, tick: Int64) -> Slot {
        let slot = table.insert(digest, Linked(value: value, tick: tick))
        link(slot, tick: tick)
        return slot
    }

    /// Notes a use; one that is older than the last known changes nothing.
    mutating func touch(_ slot: Slot, tick: Int64) {
        guard tick > table[slot].tick else { return }
        unlink(slot)
        table[slot].tick = tick
        link(slot, tick: tick)
    }

    /// Takes a value out.
    @discardableResult
    mutating func remove(_ slot: Slot) -> Value {
        unlink(slot)
        return table.remove(slot).value
    }

    private mutating func link(_ slot: Slot, tick: Int64) {
        var newer = DigestTable<Linked>.none
        var older = newest
        while older != DigestTable<Linked>.none, table[older].tick > tick {
            newer = older
            older = table[older].older
        }
        table[slot].newer = newer
        table[slot].older = older
        if newer == DigestTable<Linked>.none { newest = slot } else { table[newer].older = slot }
        if older == DigestTable<Linked>.none { last = slot } else { table[older].newer = slot }
    }

    private mutating func unlink(_ slot: Slot) {
        let (newer, older) = (table[slot].newer, table[slot].older)
        if newer == DigestTable<Linked>.none { newest = older } else { table[newer].older = older }
        if older == DigestTable<Linked>.none { last = newer } else { table[older].newer = newer }
    }
}
