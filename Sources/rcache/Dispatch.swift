import RenditionCache

/// From the words of the command line to the command that is meant.
enum Dispatch {
    /// The version that `rcache --version` prints.
    static let version = "0.1.0"

    /// Runs a whole command line; everything that is to be said has been said when it returns.
    static func run(_ words: [String]) async -> ExitCode {
        let console = Console()
        do throws(Failure) {
            return try await run(words, console)
        } catch {
            console.endStatus()
            // What fails after Ctrl-C fails because of it.
            guard !Interruption.hasCome || error == .interrupted else {
                console.say("interrupted")
                return Failure.interrupted.code
            }
            if !error.message.isEmpty { console.say("rcache: \(error.message)") }
            return error.code
        }
    }

    private static func run(_ words: [String], _ console: Console) async throws(Failure) -> ExitCode {
        let (name, rest) = commandName(words)
        guard let name else { return try withoutCommand(rest, console) }
        if name == "help" { return try help(rest, console) }
        let command = try find(name)
        let arguments = try Arguments(rest, options: command.allOptions)
        if arguments.has("help") {
            try console.write(HelpText.of(command))
            return .done
        }
        let count = arguments.operands.count
        guard command.operandCount.contains(count) else {
            let problem =
                count > command.operandCount.upperBound
                ? "too many operands, beginning with \(quoted(arguments.operands[command.operandCount.upperBound]))"
                : "\(command.operands) is missing"
            throw .usage("\(command.name): \(problem); rcache \(command.name) --help shows an example")
        }
        return try await command.run(Invocation(arguments: arguments, console: console))
    }

    /// The first word that is neither an option nor an option's value, and all the others.
    private static func commandName(_ words: [String]) -> (String?, [String]) {
        let known = Command.globalOptions + Command.all.flatMap(\.options)
        var index = 0
        while index < words.count, words[index] != "--" {
            let word = words[index]
            guard word.hasPrefix("-"), word != "-" else {
                return (word, Array(words[..<index] + words[(index + 1)...]))
            }
            let takesNext = known.contains { option in
                guard option.value != nil else { return false }
                return word == "--\(option.name)" || option.letter.map { word == "-\($0)" } ?? false
            }
            index += takesNext ? 2 : 1
        }
        return (nil, words)
    }

    private static func find(_ name: String) throws(Failure) -> Command {
        if let command = Command.all.first(where: { $0.name == name }) { return command }
        let hint = nearest(to: name, among: Command.all.map(\.name)).map { "did you mean \($0)?" }
        throw .usage("unknown command \(quoted(name)); \(hint ?? "rcache --help lists them")")
    }

    private static func withoutCommand(_ words: [String], _ console: Console) throws(Failure) -> ExitCode {
        let version = Option(name: "version", help: "the version")
        let arguments = try Arguments(words, options: Command.globalOptions + [version])
        if arguments.has("version") {
            try console.write("rcache \(Self.version)\n")
        } else if arguments.has("help") {
            try console.write(HelpText.overview)
        } else {
            throw .usage("what shall be done?\n\n\(HelpText.overview)")
        }
        return .done
    }

    private static func help(_ words: [String], _ console: Console) throws(Failure) -> ExitCode {
        let arguments = try Arguments(words, options: Command.globalOptions)
        guard let name = arguments.operands.first else {
            try console.write(HelpText.overview)
            return .done
        }
        try console.write(HelpText.of(try find(name)))
        return .done
    }
}
