import Glibc

extension Configuration {
    /// Looks a variable of the process's environment up.
    public static let processEnvironment: @Sendable (String) -> String? = { name in
        getenv(name).map { String(cString: $0) }
    }

    /// Reads a configuration file: JSON5, at most 1 MB, in UTF-8.
    ///
    /// - Parameters:
    ///   - file: its path; relative paths inside are relative to its directory.
    ///   - environment: where `${NAME}` looks.
    /// - Throws: everything that is wrong, at once, with line and column.
    public static func read(
        file: String,
        environment: @Sendable (String) -> String? = processEnvironment
    ) throws(ConfigurationError) -> Configuration {
        let text = try ConfigurationSource.text(ofFile: file)
        let directory = absolutePath(file, in: workingDirectory()).split(separator: "/").dropLast()
        return try parse(
            text,
            fileName: file,
            baseDirectory: "/" + directory.joined(separator: "/"),
            environment: environment
        )
    }

    /// Reads a configuration text.
    ///
    /// - Parameters:
    ///   - text: the JSON5.
    ///   - fileName: what errors call it.
    ///   - baseDirectory: what relative paths are relative to; absolute.
    ///   - environment: where `${NAME}` looks.
    /// - Throws: everything that is wrong, at once, with line and column.
    public static func parse(
        _ text: String,
        fileName: String = "rcache.json",
        baseDirectory: String,
        environment: @Sendable (String) -> String? = processEnvironment
    ) throws(ConfigurationError) -> Configuration {
        try withoutActuallyEscaping(environment) { (environment) throws(ConfigurationError) in
            let source = ConfigurationSource(
                fileName: fileName,
                baseDirectory: baseDirectory,
                environment: environment
            )
            return try parse(text, source)
        }
    }

    private static func parse(_ text: String, _ source: ConfigurationSource) throws(ConfigurationError) -> Configuration
    {
        let parsed = JSON5Parser.parse(text)
        let reader = ConfigurationReader(source)
        for error in parsed.errors { reader.report(error.message, at: error.offset) }
        var configuration = Configuration()
        if let value = parsed.value {
            configuration = reader.configuration(value)
            for problem in configuration.problems() {
                reader.report(problem.message, at: reader.offset(of: problem.path))
            }
        }
        let lines = LineTable(text)
        let issues = reader.issues.sorted { $0.offset < $1.offset }.map { issue in
            let position = lines.position(of: issue.offset)
            return ConfigurationError.Issue(
                file: source.fileName,
                line: position.line,
                column: position.column,
                message: issue.message
            )
        }
        guard issues.isEmpty && reader.foreignIssues.isEmpty else {
            throw ConfigurationError(issues: issues + reader.foreignIssues)
        }
        return configuration
    }
}
