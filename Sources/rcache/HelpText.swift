/// What `--help` prints.
enum HelpText {
    /// All commands.
    static var overview: String {
        let rows = Command.all.map { ["\($0.name) \($0.operands)", $0.purpose] }
        return """
            rcache keeps a CMS's pictures at hand: fetched once, in the size and format that is asked for,
            and there when the CMS is not.

            usage: rcache <command> [options]

            commands:
            \(indented(rows))
            options of every command:
            \(indented(Command.globalOptions.map(row)))
            rcache <command> --help explains a command with an example; rcache --version prints the version.
            Exit codes: 0 done, 1 finished with failures, 2 usage or configuration, 3 not found,
            4 origin unreachable and nothing cached.

            """
    }

    /// One command.
    static func of(_ command: Command) -> String {
        let usage = ["rcache", command.name, command.operands, "[options]"].filter { !$0.isEmpty }
        var text = "\(command.purpose)\n\nusage: \(usage.joined(separator: " "))\n"
        if !command.details.isEmpty { text += "\n\(command.details)\n" }
        if !command.options.isEmpty { text += "\noptions:\n\(indented(command.options.map(row)))" }
        text += "\noptions of every command:\n\(indented(Command.globalOptions.map(row)))"
        text += "\n\(command.examples.count == 1 ? "example" : "examples"):\n"
        for example in command.examples { text += "  \(example.line)\n      \(example.purpose)\n" }
        return text
    }

    private static func row(_ option: Option) -> [String] {
        let letter = option.letter.map { "-\($0), " } ?? ""
        let name = "\(letter)--\(option.name)" + (option.value.map { " \($0)" } ?? "")
        return [name, option.help + (option.isRepeatable ? "; may be repeated" : "")]
    }

    private static func indented(_ rows: [[String]]) -> String {
        Table(rows: rows).text.split(separator: "\n").map { "  \($0)\n" }.joined()
    }
}
