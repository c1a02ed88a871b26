/// One thing worth telling.
public struct LogRecord: Sendable {
    /// How urgent a record is.
    public enum Level: Int, Comparable, Sendable {
        case debug, info, warning, error

        /// Orders by urgency.
        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// How urgent.
    public var level: Level
    /// A constant text.
    public var message: String
    /// What varies, in order.
    public var fields: [(key: String, value: String)]
}

/// Where the library's records go; the logging hook.
public struct Log: Sendable {
    private let minimum: LogRecord.Level
    private let handler: @Sendable (LogRecord) -> Void

    /// A log that hands every record of at least `minimum` to `handler`, on whichever thread it arises.
    public init(minimum: LogRecord.Level = .info, handler: @escaping @Sendable (LogRecord) -> Void) {
        self.minimum = minimum
        self.handler = handler
    }

    /// Drops everything.
    public static let silent = Log(minimum: .error) { _ in }

    /// Writes a record; `fields` are not built when nobody listens.
    public func callAsFunction(
        _ level: LogRecord.Level,
        _ message: String,
        _ fields: @autoclosure () -> KeyValuePairs<String, any CustomStringConvertible> = [:]
    ) {
        guard level >= minimum else { return }
        handler(LogRecord(level: level, message: message, fields: fields().map { ($0.key, $0.value.description) }))
    }
}
