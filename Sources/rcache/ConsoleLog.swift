import RenditionCache

extension Console {
    /// The library's log on standard error: text for people, JSON lines for who collects them.
    func log(minimum: LogRecord.Level, asJSON: Bool) -> Log {
        Log(minimum: minimum) { [self] record in
            say(asJSON ? Self.json(record, seconds: SystemClock.seconds()) : Self.text(record))
        }
    }

    /// `warning: origin answers slowly host=cms.example`.
    static func text(_ record: LogRecord) -> String {
        let fields = record.fields.map { " \($0.key)=\($0.value.contains(" ") ? quoted($0.value) : $0.value)" }
        return "\(record.level): \(record.message)\(fields.joined())"
    }

    /// One object with `time`, `level`, `message` and the fields.
    static func json(_ record: LogRecord, seconds: Double) -> String {
        let head: [(String, JSONText)] = [
            ("time", .string(DateText.rfc3339(seconds))),
            ("level", .string("\(record.level)")),
            ("message", .string(record.message)),
        ]
        return JSONText.object(head + record.fields.map { ($0.key, .string($0.value)) }).line
    }
}
