/// Dates in HTTP fields (RFC 9110 §5.6.7), by bytes and without a formatter.
package enum HTTPDate {
    /// Seconds since 1970 of a date in any of the three forms; nil if it is none.
    ///
    /// - Parameter now: the present, to tell the century of the obsolete two-digit year.
    package static func parse(_ text: some StringProtocol, now: Double? = nil) -> Double? {
        let words = text.split { $0 == " " || $0 == "," || $0 == "-" }.map { Array($0.utf8) }
        switch words.count {
        // Sun, 06 Nov 1994 08:49:37 GMT, and Sunday, 06-Nov-94 08:49:37 GMT
        case 6 where words[5] == Array("GMT".utf8):
            return seconds(
                year: words[3].count == 2 ? fullYear(words[3], now) : number(words[3]),
                month: words[2],
                day: words[1],
                time: words[4]
            )
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
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let year = String("000\(civil.year)".suffix(4))
        return "\(days[civil.weekday]), \(two(civil.day)) \(months[civil.month - 1]) \(year) "
            + "\(two(civil.hour)):\(two(civil.minute)):\(two(civil.second)) GMT"
    }

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static func seconds(year: Int?, month: [UInt8], day: [UInt8], time: [UInt8]) -> Double? {
        let parts = time.split(separator: UInt8(ascii: ":")).map { $0.count == 2 ? number(Array($0)) : nil }
        guard let year, let month = months.firstIndex(of: String(decoding: month, as: UTF8.self)),
            let day = number(day), parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2]
        else { return nil }
        // A leap second counts as the second after it.
        guard hour < 24, minute < 60, second <= 60 else { return nil }
        return CivilTime.secondsSince1970(year: year, month: month + 1, day: day)
            .map { Double($0 + hour * 3600 + minute * 60 + second) }
    }

    /// A two-digit year more than 50 years in the future is in the past (RFC 9110 §5.6.7).
    private static func fullYear(_ digits: [UInt8], _ now: Double?) -> Int? {
        guard let short = number(digits) else { return nil }
        let present = CivilTime(secondsSince1970: Int(now ?? SystemClock.seconds())).year
        let year = present / 100 * 100 + short
        return year > present + 50 ? year - 100 : year
    }

    private static func number(_ digits: [UInt8]) -> Int? {
        guard (1...4).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
