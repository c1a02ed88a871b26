/// Why a configuration cannot be used: everything that is wrong with it, at once.
public struct ConfigurationError: Error, Equatable, Sendable {
    /// One thing that is wrong.
    public struct Issue: Equatable, Sendable {
        /// The file, as it was named.
        public var file: String
        /// The line, from 1; 0 where the file as a whole is meant.
        public var line: Int
        /// The column in Unicode scalars, from 1; 0 where the file as a whole is meant.
        public var column: Int
        /// One clause, without secrets.
        public var message: String

        /// An issue.
        public init(file: String, line: Int = 0, column: Int = 0, message: String) {
            self.file = file
            self.line = line
            self.column = column
            self.message = message
        }
    }

    /// What is wrong, in the order of the file.
    public var issues: [Issue]

    /// An error with these issues.
    public init(issues: [Issue]) { self.issues = issues }
}

extension ConfigurationError.Issue: CustomStringConvertible {
    /// `rcache.json:3:14: unknown key "chanels"; did you mean "channels"?`.
    public var description: String { line > 0 ? "\(file):\(line):\(column): \(message)" : "\(file): \(message)" }
}

extension ConfigurationError: CustomStringConvertible {
    /// One line an issue.
    public var description: String { issues.map(\.description).joined(separator: "\n") }
}
