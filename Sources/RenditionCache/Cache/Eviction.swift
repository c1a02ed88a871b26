/// What has to leave so that something can come, decided from numbers alone.
enum Eviction: Equatable, Sendable {
    /// There is room.
    case none
    /// At least that many allocated bytes have to leave first, least recently used first.
    case bytes(Int)
    /// Even an empty cache would not have the room; nothing is to be evicted in vain.
    case futile

    /// How things stand, in bytes.
    struct State: Equatable, Sendable {
        /// Allocated and reserved, everything of the cache included.
        var allocated: Int
        /// The part of `allocated` that eviction can free: the blobs.
        var evictable: Int
        /// The limit on `allocated`.
        var limit: Int
        /// Free on the file system, less what is reserved and may yet be written.
        var free: Int
        /// What has to stay free.
        var keepFree: Int
    }

    /// What has to leave before `wanted` bytes may be reserved.
    static func verdict(wanted: Int, in state: State) -> Eviction {
        let missing = max(
            state.allocated + wanted - state.limit,
            state.keepFree + wanted - state.free
        )
        if missing <= 0 { return .none }
        return missing <= state.evictable ? .bytes(missing) : .futile
    }
}
