/// Dates as CMSs write them in JSON: ISO 8601 with or without fractions and offset.
package enum ISODate {
    /// Milliseconds since 1970; nil if the text is no such date.
    ///
    /// `2020-04-01T21:12:12.045Z`, `…-06:00`, `…+0530`; without an offset UTC is meant, without a time midnight.
    package static func milliseconds(_ text: String) -> Int? {
        var rest = Substring(text)
        guard let year = digits(4, &rest), skip("-", &rest), let month = digits(2, &rest), skip("-", &rest),
            let day = digits(2, &rest), let midnight = CivilTime.secondsSince1970(year: year, month: month, day: day)
        else { return nil }
        guard !rest.isEmpty else { return midnight * 1000 }
        guard skip("T", &rest), let hour = digits(2, &rest), skip(":", &rest), let minute = digits(2, &rest),
            hour < 24, minute < 60
        else { return nil }
        var second = 0
        if skip(":", &rest) {
            guard let value = digits(2, &rest), value <= 60 else { return nil }
            second = value
        }
        var fraction = 0
        if skip(".", &rest) {
            let places = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(places.count)
            guard let value = Int((places + "00").prefix(3)), !places.isEmpty else { return nil }
            fraction = value
        }
        guard let offset = offsetMinutes(rest) else { return nil }
        return (midnight + (hour * 60 + minute - offset) * 60 + second) * 1000 + fraction
    }

    /// `1994-11-06T08:49:37.045Z`, in UTC and always with milliseconds (spec OCM §7.2).
    package static func text(seconds: Double) -> String {
        let milliseconds = Int((min(max(seconds, -6e10), 2.5e11) * 1000).rounded())
        let whole = Int((Double(milliseconds) / 1000).rounded(.down))
        let time = CivilTime(secondsSince1970: whole)
        func padded(_ number: Int, _ places: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, places - digits.count)) + digits
        }
        let date = "\(padded(time.year, 4))-\(padded(time.month, 2))-\(padded(time.day, 2))"
        let clock = "\(padded(time.hour, 2)):\(padded(time.minute, 2)):\(padded(time.second, 2))"
        return "\(date)T\(clock).\(padded(milliseconds - whole * 1000, 3))Z"
    }

    private static func offsetMinutes(_ text: Substring) -> Int? {
        var rest = text
        if rest.isEmpty || rest == "Z" { return 0 }
        let sign = rest.removeFirst()
        guard sign == "+" || sign == "-", let hours = digits(2, &rest) else { return nil }
        _ = skip(":", &rest)
        guard let minutes = rest.isEmpty ? 0 : digits(2, &rest), rest.isEmpty, hours < 24, minutes < 60 else {
            return nil
        }
        return (sign == "-" ? -1 : 1) * (hours * 60 + minutes)
    }

    private static func digits(_ count: Int, _ rest: inout Substring) -> Int? {
        let text = rest.prefix(count)
        guard text.utf8.count == count, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        rest = rest.dropFirst(count)
        return Int(text)
    }

    private static func skip(_ mark: Character, _ rest: inout Substring) -> Bool {
        guard rest.first == mark else { return false }
        rest.removeFirst()
        return true
    }
}
