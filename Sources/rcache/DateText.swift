import RenditionCache

/// Dates as people and machines write them, all in UTC unless they say otherwise.
enum DateText {
    /// What a date looks like, for messages.
    static let form = "a date such as 2026-01-31, 2026-01-31T18:00:00Z, or how long ago, such as \"2 d\""

    /// Seconds since 1970 of `2026-01-31`, `2026-01-31T18:00`, with seconds and offset or without, or of `2 d` ago.
    static func seconds(_ text: String, now: Double) -> Double? {
        if let ago = Quantity.duration(text), text.contains(where: \.isLetter) { return now - ago / .seconds(1) }
        let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "T" || $0 == "t" || $0 == " " }
        guard let date = numbers(parts[0], separator: "-", widths: [4, 2, 2]), let days = days(date) else { return nil }
        guard parts.count > 1 else { return Double(days * 86_400) }
        guard let time = timeOfDay(parts[1]) else { return nil }
        return Double(days * 86_400) + time
    }

    /// `2026-01-31T18:00:00Z`.
    static func rfc3339(_ seconds: Double) -> String {
        let whole = Int(seconds.rounded(.down))
        let (days, second) = whole.quotientAndRemainder(dividingBy: 86_400)
        let floorDays = second < 0 ? days - 1 : days
        let date = civil(floorDays)
        let time = second < 0 ? second + 86_400 : second
        func pad(_ number: Int, _ width: Int = 2) -> String {
            String(repeating: "0", count: max(0, width - "\(number)".count)) + "\(number)"
        }
        let clock = [time / 3600, time / 60 % 60, time % 60].map { pad($0) }.joined(separator: ":")
        return "\(pad(date.year, 4))-\(pad(date.month))-\(pad(date.day))T\(clock)Z"
    }

    /// `18:00`, `18:00:30.5`, each with `Z` or an offset, or without.
    private static func timeOfDay(_ text: Substring) -> Double? {
        var clock = text
        var offset = 0.0
        if clock.hasSuffix("Z") || clock.hasSuffix("z") {
            clock = clock.dropLast()
        } else if let sign = clock.lastIndex(where: { $0 == "+" || $0 == "-" }) {
            guard let parts = numbers(clock[clock.index(after: sign)...], separator: ":", widths: [2, 2]) else {
                return nil
            }
            guard parts[0] < 24, parts[1] < 60 else { return nil }
            offset = Double(parts[0] * 3600 + parts[1] * 60) * (clock[sign] == "-" ? -1 : 1)
            clock = clock[..<sign]
        }
        var fraction = 0.0
        if let point = clock.firstIndex(of: ".") {
            let digits = clock[clock.index(after: point)...]
            guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
            fraction = Double("0.\(digits)") ?? 0
            clock = clock[..<point]
        }
        guard
            let parts = numbers(clock, separator: ":", widths: [2, 2, 2])
                ?? numbers(clock, separator: ":", widths: [2, 2])
        else { return nil }
        let second = parts.count > 2 ? parts[2] : 0
        guard parts[0] < 24, parts[1] < 60, second <= 60 else { return nil }
        return Double(parts[0] * 3600 + parts[1] * 60 + second) + fraction - offset
    }

    private static func numbers(_ text: Substring, separator: Character, widths: [Int]) -> [Int]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.map(\.count) == widths, parts.joined().allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        return parts.compactMap { Int($0) }
    }

    /// Days since 1970-01-01 in the Gregorian calendar; nil for a day that is none.
    private static func days(_ date: [Int]) -> Int? {
        guard (1...12).contains(date[1]), (1...31).contains(date[2]) else { return nil }
        // Years begin in March, so that the leap day is the last; eras have 400 years.
        let year = date[1] <= 2 ? date[0] - 1 : date[0]
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (date[1] + (date[1] > 2 ? -3 : 9)) + 2) / 5 + date[2] - 1
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        let back = civil(days)
        return back == (date[0], date[1], date[2]) ? days : nil
    }

    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthIndex = (5 * dayOfYear + 2) / 153
        let month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthIndex + 2) / 5 + 1)
    }
}
