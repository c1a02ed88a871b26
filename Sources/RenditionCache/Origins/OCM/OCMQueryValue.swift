/// What a field can be compared with in OCM's query language; every value is written in double quotes (spec OCM §5.2).
public protocol OCMQueryValue: Sendable {
    /// The value as it stands between the quotes.
    var queryText: String { get }
}

/// A value that has an order: a number or a date.
public protocol OCMQueryMeasure: OCMQueryValue {}

extension String: OCMQueryValue {
    /// The text itself.
    public var queryText: String { self }
}

extension Int: OCMQueryMeasure {
    /// Decimal digits.
    public var queryText: String { "\(self)" }
}

extension Double: OCMQueryMeasure {
    /// The shortest text that reads back as the number; whole ones keep `.0`.
    public var queryText: String { "\(self)" }
}

/// A date in one of the spellings that OCM reads (spec OCM §5.3).
public struct OCMDate: OCMQueryMeasure, Hashable {
    /// How much of the date is written.
    public enum Spelling: Hashable, Sendable {
        /// `2023-03-01`.
        case day
        /// `2023-03-01T08:00:07`.
        case seconds
        /// `2023-03-01T08:00:07.495`.
        case milliseconds
        /// `2023-03-01T08:00:07.495+05:30`.
        case zoned
    }

    /// Seconds since 1970.
    public var secondsSince1970: Double
    /// The zone that the date is written in, in seconds east of UTC; without an offset in the spelling OCM cannot tell.
    public var utcOffsetSeconds: Int
    /// How it is written.
    public var spelling: Spelling

    /// A date; years from 1 to 9999.
    public init(secondsSince1970: Double, utcOffsetSeconds: Int = 0, spelling: Spelling = .milliseconds) {
        self.secondsSince1970 = secondsSince1970
        self.utcOffsetSeconds = utcOffsetSeconds
        self.spelling = spelling
    }

    /// The date as it is spelled.
    public var queryText: String {
        let local = ISODate.text(seconds: secondsSince1970 + Double(utcOffsetSeconds))
        return switch spelling {
        case .day: String(local.prefix(10))
        case .seconds: String(local.prefix(19))
        case .milliseconds: String(local.dropLast())
        case .zoned: local.dropLast() + Self.offset(utcOffsetSeconds / 60)
        }
    }

    private static func offset(_ minutes: Int) -> String {
        let (hours, rest) = abs(minutes).quotientAndRemainder(dividingBy: 60)
        return "\(minutes < 0 ? "-" : "+")\(hours < 10 ? "0" : "")\(hours):\(rest < 10 ? "0" : "")\(rest)"
    }
}
