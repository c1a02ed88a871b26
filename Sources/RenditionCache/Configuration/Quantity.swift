/// Sizes and durations as people write them.
package enum Quantity {
    private static let byteUnits: KeyValuePairs<String, Double> = [
        "B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12,
        "KiB": 1024, "MiB": 1_048_576, "GiB": 1_073_741_824, "TiB": 1_099_511_627_776,
    ]
    private static let timeUnits: KeyValuePairs<String, Double> = [
        "ms": 0.001, "s": 1, "min": 60, "h": 3600, "d": 86_400, "w": 604_800,
    ]

    /// What a size looks like, for messages.
    package static let sizeForm = "bytes, or a size such as \"512 MiB\" or \"10 GB\""
    /// What a duration looks like, for messages.
    package static let durationForm = "seconds, or a duration such as \"10 s\", \"15 min\" or \"1 d\""

    /// The bytes that `10 GB`, `1.5 MiB` or `4096` mean; the case of the unit does not matter.
    package static func bytes(_ text: String) -> Int? { number(text, units: byteUnits).flatMap(wholeBytes) }

    /// A number of bytes, if it is one: not negative, below an exabyte.
    static func wholeBytes(_ number: Double) -> Int? { (0...1e18).contains(number) ? Int(number.rounded()) : nil }

    /// The time that `15 min`, `1 d` or `2.5` (seconds) means.
    package static func duration(_ text: String) -> Duration? { number(text, units: timeUnits).flatMap(duration) }

    /// That many seconds, if they are not negative and at most a century.
    static func duration(seconds: Double) -> Duration? { (0...3.2e9).contains(seconds) ? .seconds(seconds) : nil }

    private static func number(_ text: String, units: KeyValuePairs<String, Double>) -> Double? {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit = text.dropFirst(digits.count).drop { $0 == " " }.lowercased()
        // `Double` would also take "1e3", "nan" and "0x1p3"; the prefix has let only digits and points through.
        guard let number = Double(String(digits)) else { return nil }
        guard !unit.isEmpty else { return number }
        return units.first { $0.key.lowercased() == unit }.map { number * $0.value }
    }
}

extension Quantity {
    /// A size for people, as in `4.3 MB`: three digits and a decimal unit.
    package static func text(bytes: Int) -> String {
        guard bytes >= 1000 else { return "\(bytes) B" }
        var value = Double(bytes)
        var unit = "B"
        for next in ["kB", "MB", "GB", "TB", "PB"] where value >= 999.5 {
            value /= 1000
            unit = next
        }
        let tenths = Int((value * 10).rounded())
        return value < 99.95 ? "\(tenths / 10).\(tenths % 10) \(unit)" : "\(Int(value.rounded())) \(unit)"
    }

    /// A time for people, as in `0.42 s`, `12.3 s`, `4 min 5 s` or `2 h 10 min`.
    package static func text(seconds: Double) -> String {
        switch seconds {
        case ..<0.9995: return "\(Int((max(0, seconds) * 1000).rounded())) ms"
        case ..<59.95:
            let tenths = Int((seconds * 10).rounded())
            return "\(tenths / 10).\(tenths % 10) s"
        case ..<3599.5:
            let whole = Int(seconds.rounded())
            return "\(whole / 60) min \(whole % 60) s"
        default:
            let minutes = Int((min(seconds, 1e15) / 60).rounded())
            return "\(minutes / 60) h \(minutes % 60) min"
        }
    }
}
