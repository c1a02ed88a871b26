import RenditionCache

/// Dates on the command line and in its output.
enum DateText {
    /// What a date looks like, for messages.
    static let form = "a date such as 2026-01-31 or 2026-01-31T18:00:00Z, or how long ago, such as \"2 d\""

    /// Seconds since 1970 of `2026-01-31` (midnight, UTC), of `2026-01-31T18:00+01:00`, or of `2 d` ago.
    static func seconds(_ text: String, now: Double) -> Double? {
        if text.last?.isLetter == true, let ago = Quantity.duration(text) { return now - ago / .seconds(1) }
        return ISODate.milliseconds(text).map { Double($0) / 1000 }
    }

    /// `2026-01-31T18:00:00Z` (RFC 3339), without fractions.
    static func rfc3339(_ seconds: Double) -> String {
        String(ISODate.text(seconds: seconds.rounded(.down)).dropLast(5)) + "Z"
    }
}
