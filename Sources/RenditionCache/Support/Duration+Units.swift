extension Duration {
    /// The duration in seconds.
    package var seconds: Double {
        let (whole, atto) = components
        return Double(whole) + Double(atto) / 1e18
    }

    /// Whole milliseconds, rounded up.
    var milliseconds: Int {
        Int(components.seconds * 1000) + Int((components.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }

    /// Seconds with one decimal, as in `5.0 s`.
    var secondsText: String {
        let tenths = (milliseconds + 50) / 100
        return "\(tenths / 10).\(tenths % 10) s"
    }
}
