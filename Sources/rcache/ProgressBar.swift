import RenditionCache

/// How far a long command has come: a live bar on a terminal, a plain line now and then otherwise.
struct ProgressBar {
    private let console: Console
    private let title: String
    private let began = ContinuousClock.now
    private var drawn = ContinuousClock.now
    private var drawnDone = 0

    /// A bar that nothing has been drawn of yet.
    init(_ console: Console, title: String) {
        self.console = console
        self.title = title
    }

    /// Draws, unless it was drawn just now: ten times a second on a terminal.
    ///
    /// - Parameters:
    ///   - done: how many of `total` are behind us.
    ///   - total: nil while it is not known.
    ///   - remark: what else is worth knowing, as in `2 failed`.
    mutating func update(done: Int, total: Int?, remark: String = "") {
        let now = ContinuousClock.now
        guard isDue(done, total, after: now - drawn) else { return }
        (drawn, drawnDone) = (now, done)
        let line = Self.line(
            title,
            done: done,
            total: total,
            seconds: (now - began) / .seconds(1),
            remark,
            bar: console.isLive
        )
        if console.isLive { console.show(status: line) } else { console.say(line) }
    }

    private func isDue(_ done: Int, _ total: Int?, after pause: Duration) -> Bool {
        if console.isLive { return pause >= .milliseconds(100) || done == total }
        return Self.isLineDue(done, after: drawnDone, of: total, pause: pause)
    }

    /// Without a terminal: each tenth of the whole that takes a second or more, every five seconds, and the end.
    static func isLineDue(_ done: Int, after drawn: Int, of total: Int?, pause: Duration) -> Bool {
        guard done != drawn else { return false }
        let isNextTenth = total.map { done * 10 / max($0, 1) > drawn * 10 / max($0, 1) } ?? false
        return done == total || pause >= .seconds(isNextTenth ? 1 : 5)
    }

    /// Takes the bar away.
    func finish() { console.endStatus() }

    /// `warm blog [######........]  34 of 120  12.3/s  7.0 s left  2 failed`.
    static func line(
        _ title: String,
        done: Int,
        total: Int?,
        seconds: Double,
        _ remark: String,
        bar: Bool
    ) -> String {
        var parts = [title]
        if bar, let total, total > 0 {
            let filled = min(24, done * 24 / total)
            parts[0] += " [\(String(repeating: "#", count: filled))\(String(repeating: ".", count: 24 - filled))]"
        }
        parts.append(total.map { "\(done) of \($0)" } ?? "\(done)")
        let rate = seconds > 0 ? Double(done) / seconds : 0
        if rate > 0 {
            parts.append("\((rate * 10).rounded() / 10)/s")
            if let total, total > done { parts.append("\(Quantity.text(seconds: Double(total - done) / rate)) left") }
        }
        if !remark.isEmpty { parts.append(remark) }
        return parts.joined(separator: "  ")
    }
}
