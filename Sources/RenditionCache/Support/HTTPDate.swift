/// Dates in HTTP fields (RFC 9110 §5.6.7), by bytes and without a formatter.
package enum HTTPDate {
    /// Seconds since 1970 of a date in any of the three forms; nil if it is none.
    ///
    /// - Parameter now: the present, to tell the century of the obsolete two-digit year.
    package static func parse(_ text: some StringProtocol, now: Double? = nil) -> Double? {
        let words = Array(text.utf8).split { [0x20, 0x2C, 0x2D].contains($0) }
        switch words.count {
        // Sun, 06 Nov 1994 08:49:37 GMT, and Sunday, 06-Nov-94 08:49:37 GMT
        case 6 where words[5].elementsEqual("GMT".utf8):
            let year = words[3].count == 2 ? fullYear(words[3], now) : number(words[3])
            return seconds(year: year, month: words[2], day: words[1], time: words[4])
        // Sun Nov  6 08:49:37 1994
        case 5: return seconds(year: number(words[4]), month: words[1], day: words[2], time: words[3])
        default: return nil
        }
    }

    /// The preferred form, as in `Sun, 06 Nov 1994 08:49:37 GMT`; fractions of a second are dropped.
    ///
    /// - Parameter seconds: since 1970; dates before the year 0 or after 9999 are clamped.
    package static func format(seconds: Double) -> String {
        let whole = Int(min(max(seconds, -62_167_219_200), 253_402_300_799).rounded(.down))
        let civil = CivilTime(secondsSince1970: whole)
        // Written over a model: every field has its place.
        var bytes = Array("---, 00 --- 0000 00:00:00 GMT".utf8)
        bytes.replaceSubrange(0..<3, with: days[civil.weekday].utf8)
        bytes.replaceSubrange(8..<11, with: months[civil.month - 1].utf8)
        let numbers = [
            (5, civil.day), (12, civil.year / 100), (14, civil.year % 100), (17, civil.hour), (20, civil.minute),
            (23, civil.second),
        ]
        for (place, number) in numbers {
            bytes[place] += UInt8(number / 10)
            bytes[place + 1] += UInt8(number % 10)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private typealias Digits = ArraySlice<UInt8>

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static func seconds(year: Int?, month: Digits, day: Digits, time: Digits) -> Double? {
        let parts = time.split(separator: UInt8(ascii: ":")).map { $0.count == 2 ? number($0) : nil }
        guard let year, let month = months.firstIndex(of: String(decoding: month, as: UTF8.self)),
            let day = number(day), parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2]
        else { return nil }
        // A leap second counts as the second after it.
        guard hour < 24, minute < 60, second <= 60 else { return nil }
        return CivilTime.secondsSince1970(year: year, month: month + 1, day: day)
            .map { Double($0 + hour * 3600 + minute * 60 + second) }
    }

    /// A two-digit year more than 50 years in the future is in the past (RFC 9110 §5.6.7).
    private static func fullYear(_ digits: Digits, _ now: Double?) -> Int? {
        guard let short = number(digits) else { return nil }
        let present = CivilTime(secondsSince1970: Int(now ?? SystemClock.seconds())).year
        let year = present / 100 * 100 + short
        return year > present + 50 ? year - 100 : year
    }

    private static func number(_ digits: Digits) -> Int? {
        guard (1...4).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
