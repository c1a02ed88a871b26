/// One warm of a channel, as the journal in the index keeps it: a warm that was cut short goes on where it was.
struct WarmRun: Hashable, Sendable {
    /// The channel and its scope.
    let channel: String
    /// When it began, in microseconds since 1970; tells the runs of a channel apart.
    let number: Int64
    /// Stands for what was to be made: only the same can be gone on with.
    let plan: String
    /// When it came to its end, in microseconds since 1970; 0 while it has not.
    var finished: Int64 = 0
    /// Whether it has seen the whole catalogue.
    var isWhole = false

    /// When it began, in seconds since 1970.
    var startedSeconds: Double { Double(number) / 1_000_000 }
}

/// What became of one asset in a run.
struct WarmedAsset: Hashable, Sendable {
    /// How it ended.
    enum Outcome: Int, Sendable {
        case done, skipped, failed
    }

    /// The asset's id.
    var id: String
    /// What the catalogue said then that changes with the picture; empty where it says nothing of the kind.
    var mark: String
    /// How it ended.
    var outcome: Outcome
    /// Why it was skipped or failed; empty for what is done.
    var reason: String
}
