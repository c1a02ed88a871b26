/// How good a stored answer still is, by the clock alone.
enum Freshness: Equatable, Sendable {
    /// Within its lifetime.
    case fresh
    /// Past its lifetime, but to be answered at once while it is checked behind (RFC 5861 §3).
    case staleUsable
    /// To be checked first; answered only if the origin cannot be asked (RFC 5861 §4).
    case staleOnError
    /// Not to be answered.
    case expired

    /// Seconds by which two processes may be told different times, as while a clock is being corrected.
    private static let clockSkew = 60.0

    /// The verdict on something that was last confirmed at `checked` and is fresh for `lifetime`, at the time `now`.
    ///
    /// All in seconds. A boundary belongs to what comes after it: at age = lifetime it is no longer fresh (RFC 9111
    /// §4.2). A confirmation from the future, by a clock that was set back since, is as old as its lifetime: it would hold
    /// until the clock has caught up.
    static func verdict(
        checked: Double,
        lifetime: Double,
        staleWhileRevalidate: Double,
        staleIfError: Double,
        now: Double
    ) -> Freshness {
        let age = checked - now > clockSkew ? lifetime : max(0, now - checked)
        if age < lifetime { return .fresh }
        if age < lifetime + staleWhileRevalidate { return .staleUsable }
        if age < lifetime + staleIfError { return .staleOnError }
        return .expired
    }
}
