/// One command: what it is called, what it takes, and what runs it.
struct Command: Sendable {
    /// A command line and what it is for.
    struct Example: Sendable {
        var line: String
        var purpose: String
    }

    /// Its name.
    var name: String
    /// What follows the name, as in `<channel>`; in brackets what may be left out.
    var operands = ""
    /// How many operands there may be.
    var operandCount = 0...0
    /// One line.
    var purpose: String
    /// More than a line, where it helps.
    var details = ""
    /// Its own options; `globalOptions` come on top.
    var options: [Option] = []
    /// At least one.
    var examples: [Example]
    /// Does it.
    var run: @Sendable (Invocation) async throws(Failure) -> ExitCode

    /// Every command, in the order of the help.
    static let all: [Command] = [.warm, .get, .serve, .list, .diff, .stats, .explain, .initialise, .bench, .demo]

    /// Options of every command.
    static let globalOptions: [Option] = [
        Option(name: "config", value: "FILE", help: "the configuration (default $RCACHE_CONFIG, then ./rcache.json)"),
        Option(name: "folder", value: "DIR", help: "a folder of pictures as the only channel; no configuration needed"),
        Option(name: "json", help: "results as JSON; one object a line where there are many"),
        Option(name: "verbose", help: "say more on standard error"),
        Option(name: "help", letter: "h", help: "this text"),
    ]

    /// Its options and everybody's.
    var allOptions: [Option] { options + Self.globalOptions }
}
