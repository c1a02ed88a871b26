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

    /// The form that OCM writes, always with milliseconds and in UTC: `2020-04-01T21:12:12.045Z`.
    ///
    /// - Parameter seconds: since 1970; dates before the year 0 or after 9999 are clamped.
    package static func text(seconds: Double) -> String {
        let milliseconds = Int((min(max(seconds, -62_167_219_200), 253_402_300_799) * 1000).rounded())
        let whole = Int((Double(milliseconds) / 1000).rounded(.down))
        let civil = CivilTime(secondsSince1970: whole)
        func padded(_ number: Int, _ count: Int) -> String { String(("000" + String(number)).suffix(count)) }
        return "\(padded(civil.year, 4))-\(padded(civil.month, 2))-\(padded(civil.day, 2))"
            + "T\(padded(civil.hour, 2)):\(padded(civil.minute, 2)):\(padded(civil.second, 2))"
            + ".\(padded(milliseconds - whole * 1000, 3))Z"
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
