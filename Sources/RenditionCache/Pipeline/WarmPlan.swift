/// What to warm.
public struct WarmPlan: Sendable {
    /// The channel.
    public var channel: String
    /// Which of its assets; default all.
    public var scope = CatalogueScope.all
    /// The forms to produce of each asset; none of them, nor `requested`, stands for the channel's own `warm` list.
    public var selections: [RenditionRequest.Selection]
    /// Make what content itself asks for too, and the native where it asks for nothing else.
    public var requested = false
    /// Assets at a time; default 8.
    public var concurrency: Int
    /// Ask the origin again even for what is cached and fresh.
    public var refresh: Bool
    /// Stop after that many assets have been taken on; what is skipped does not count.
    public var limit: Int?
    /// Only assets that the catalogue says changed at or after this time, in seconds since 1970.
    public var changedSinceSeconds: Double?
    /// Stop taking on assets once that many bytes have been added to the cache.
    public var maxBytes: Int?
    /// Only say what would be done.
    public var dryRun: Bool
    /// How long one asset waits in all while its origin asks to wait, or is down after it was up; default 5 min.
    ///
    /// A warm whose origin has given nothing for as long ends, and can be gone on with.
    public var patience: Duration = .seconds(300)

    /// A plan with the defaults.
    public init(
        channel: String,
        selections: [RenditionRequest.Selection] = [],
        concurrency: Int = 8,
        refresh: Bool = false,
        limit: Int? = nil,
        changedSinceSeconds: Double? = nil,
        maxBytes: Int? = nil,
        dryRun: Bool = false
    ) {
        self.channel = channel
        self.selections = selections
        self.concurrency = concurrency
        self.refresh = refresh
        self.limit = limit
        self.changedSinceSeconds = changedSinceSeconds
        self.maxBytes = maxBytes
        self.dryRun = dryRun
    }
}

extension WarmPlan {
    /// Stands for what is made of which assets: an interrupted warm is gone on with only by the same.
    var identity: String {
        let forms = selections.map { "\($0)" }
        let parts =
            forms + [
                "scope \(scope.rawValue)", "requested \(requested)", "refresh \(refresh)",
                "since \(changedSinceSeconds.map { "\($0)" } ?? "")",
            ]
        return Digest(of: parts.joined(separator: "\u{0}").utf8).description
    }
}

/// What happens during a warm, in order.
public enum WarmEvent: Sendable {
    /// It goes on where one was interrupted, which had done that many assets.
    case resumed(Int)
    /// The catalogue's size, as soon as and as often as it becomes known.
    case total(Int)
    /// Work on an asset began.
    case began(Asset)
    /// All forms of an asset are in the cache; `made` says how each came about, in the plan's order.
    case done(Asset, made: [WarmedForm])
    /// Not something to warm: no picture, or unchanged.
    case skipped(Asset, reason: String)
    /// A form could not be had; the reason is one clause.
    case failed(Asset, form: String, reason: String)
    /// The end.
    case finished(WarmSummary)
}

/// How one form of an asset came into the cache.
public struct WarmedForm: Sendable {
    /// How it came about.
    public enum Means: String, Sendable {
        /// It was there already.
        case present
        /// The origin sent it.
        case fetched
        /// It was rendered here.
        case rendered
        /// A dry run: it is missing and would be made.
        case missing
    }

    /// The form, as in `Medium` or `width=640`.
    public var form: String
    /// How it came about.
    public var means: Means
    /// Its size in bytes; 0 in a dry run for what is missing.
    public var byteCount: Int
}

/// What a warm did, in all.
public struct WarmSummary: Sendable {
    /// Assets all of whose forms are in the cache.
    public var done = 0
    /// Those of them that an interrupted warm had done before.
    public var resumed = 0
    /// Assets that were not for warming, by reason.
    public var skipped: [String: Int] = [:]
    /// Assets with at least one form that could not be had, by reason.
    public var failed: [String: Int] = [:]
    /// Forms that the origin sent, that were rendered here, and that were there already.
    public var fetched = 0, rendered = 0, present = 0
    /// Answers of origins that asked to wait: 429, or 503 with `Retry-After`.
    public var slowdowns = 0
    /// Requests that were sent again, because an answer was bad or a connection broke.
    public var retries = 0
    /// Bytes that came from the origin.
    public var fetchedBytes = 0
    /// Bytes that were added to the cache.
    public var storedBytes = 0
    /// Entries that had to leave the cache for what was added; where it is too small, this warm's own among them.
    public var evicted = 0
    /// How long it took, in seconds.
    public var seconds = 0.0

    /// Nothing done yet.
    public init() {}
}
