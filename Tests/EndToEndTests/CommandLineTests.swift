import Foundation
import TestSupport
import Testing

@Suite struct CommandLineTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write([], to: "photos/nothing")
    }

    private func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> CommandRun {
        try await CommandRun(arguments, in: folder.path, environment: environment)
    }

    // MARK: - Help

    @Test func `the overview names every command`() async throws {
        for words in [["--help"], ["-h"], ["help"]] {
            let run = try await CommandRun(words, in: folder.path)
            #expect(run.status == 0)
            #expect(run.messages == "")
            for name in ["warm", "get", "serve", "list", "stats", "explain", "init"] {
                #expect(run.output.contains("\n  \(name)"), "\(name)")
            }
        }
    }

    @Test(arguments: ["warm", "get", "serve", "list", "stats", "explain", "init"])
    func `each command explains itself with its purpose, its options and an example`(_ name: String) async throws {
        let run = try await run(name, "--help")
        #expect(run.status == 0)
        #expect(run.messages == "")
        let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.first?.isEmpty == false)
        #expect(lines.dropFirst().first == "")
        #expect(run.output.contains("usage: rcache \(name)"))
        #expect(run.output.contains("--config FILE"))
        #expect(try #require(run.output.firstRange(of: "example")).lowerBound > run.output.startIndex)
        #expect(run.output.contains("\n  rcache \(name) "))
        #expect(try await self.run("help", name).output == run.output)
    }

    @Test func `the version is one line`() async throws {
        let run = try await run("--version")
        #expect(run.output.wholeMatch(of: /rcache \d+\.\d+\.\d+\n/) != nil)
        #expect(run.status == 0)
    }

    // MARK: - Usage

    struct Misuse: Sendable, CustomTestStringConvertible {
        var words: [String]
        var message: String
        init(_ line: String, _ message: String) {
            words = line.split(separator: " ").map(String.init)
            self.message = message
        }
        var testDescription: String { words.joined(separator: " ") }
    }

    @Test(arguments: [
        Misuse("", "what shall be done?"), Misuse("waarm", "unknown command \"waarm\"; did you mean warm?"),
        Misuse("xyzzy", "unknown command \"xyzzy\"; rcache --help lists them"),
        Misuse("list --limt 3 --folder photos", "unknown option --limt; did you mean --limit?"),
        Misuse("list -x", "unknown option -x; --help lists them"),
        Misuse("list --limit", "--limit needs a value: --limit N"),
        Misuse("list --limit --json", "--limit needs a value; write --limit=--json if \"--json\" is meant"),
        Misuse("list --json=yes", "--json takes no value"),
        Misuse("list --limit 1 --limit=2", "--limit is given twice"),
        Misuse("list --folder photos --limit 0", "--limit takes 1…1000000000, not \"0\""),
        Misuse("list --folder nope", "--folder: there is no folder \"nope\""),
        Misuse("list --folder photos --config x", "--folder and --config exclude each other"),
        Misuse("list other --folder photos", "no channel \"other\"; there are photos"),
        Misuse("list photo --folder photos", "no channel \"photo\"; did you mean \"photos\"?"),
        Misuse("list a b", "list: too many operands, beginning with \"b\"; rcache list --help shows an example"),
        Misuse("get", "get: <id> is missing; rcache get --help shows an example"),
        Misuse("get x --folder photos --width 0", "width takes 1…8192 px or 1%…400%, not \"0\""),
        Misuse("get x --folder photos --width 5 --transform width=6", "\"width\" is given twice"),
        Misuse("get x --folder photos -o a.jpg --format png", "\"a.jpg\" asks for jpeg, and the options for png"),
        Misuse("get x --folder photos -o a.jpg --info", "--info writes no bytes; leave -o out"),
        Misuse("get x --folder photos --json", "the bytes go to standard output; for --json add -o FILE or --info"),
        Misuse("get https://h/x --folder photos", "no channel of the configuration is at https://h"),
        Misuse("warm --folder photos --refresh --only-missing", "--refresh and --only-missing exclude each other"),
        Misuse("warm --folder photos --max-bytes 5x", "--max-bytes takes bytes, or a size such as"),
        Misuse("warm --folder photos --changed-since yesterday", "--changed-since takes a date such as"),
        Misuse("warm --folder photos --concurrency 257", "--concurrency takes 1…256, not \"257\""),
        Misuse("warm --folder photos --rendition native.tiff", "native takes one of the formats"),
        Misuse("warm --folder photos --transform widht=1", "unknown parameter \"widht\"; did you mean \"width\"?"),
        Misuse("serve --folder photos --listen 8080", "--listen takes ADDRESS:PORT"),
        Misuse(
            "init",
            "init needs one of --folder DIR, --ocm credentials.json, --aem Config.xcconfig, --microcms SERVICE"
        ),
        Misuse("init --folder photos --query a/b", "--query goes with --aem"),
        Misuse("init --aem Config.xcconfig --folder photos", "--aem goes neither with --folder nor with --ocm"),
        Misuse("init --aem Config.xcconfig --query a", "--query \"a\" is not a configuration and a query"),
        Misuse("init --folder photos --name a/b", "--name takes letters, digits, -, _ and ., not \"a/b\""),
    ])
    func `a wrong command line is refused with 2 and says what is wrong`(_ misuse: Misuse) async throws {
        let run = try await CommandRun(misuse.words, in: folder.path)
        #expect(run.status == 2)
        #expect(run.output == "")
        #expect(run.messages.hasPrefix("rcache: \(misuse.message)"), "\(run.messages)")
    }

    @Test func `without a configuration the two ways out are shown`() async throws {
        let run = try await run("warm")
        #expect(run.status == 2)
        #expect(run.messages.contains("--folder DIR"))
        #expect(run.messages.contains("rcache init"))
    }

    @Test func `output that nobody reads ends the command as others end`() async throws {
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/bash")
        shell.arguments = ["-c", "{ \"$0\" --help; echo $? > status; } | true; sleep 0", CommandRun.program.path]
        shell.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        try shell.run()
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                shell.waitUntilExit()
                continuation.resume()
            }
        }
        // Whether `true` is gone before the first write is a matter of luck; either way it is no crash.
        let status = try String(contentsOfFile: folder.file("status"), encoding: .utf8)
        #expect(["0\n", "141\n"].contains(status))
    }

    @Test func `the second signal ends a command that cannot be interrupted`() async throws {
        let pipe = folder.file("pipe.json")
        try #require(mkfifo(pipe, 0o600) == 0)
        let command = try RunningCommand(["stats", "--config", pipe], in: folder.path)
        // Opening for writing succeeds once the command waits for its configuration.
        var writer = open(pipe, O_WRONLY | O_NONBLOCK)
        while writer < 0 && command.isRunning {
            try await Task.sleep(for: .milliseconds(5))
            writer = open(pipe, O_WRONLY | O_NONBLOCK)
        }
        command.send(SIGTERM)
        // One that still waited to be delivered would swallow the second.
        try await until { try !hasPendingSignal(command.identifier) }
        #expect(command.isRunning)
        command.send(SIGTERM)
        let run = await command.end()
        close(writer)
        #expect(run.status == 128 + SIGTERM)
    }

    // MARK: - Configuration

    @Test func `every mistake in the configuration is shown with its place`() async throws {
        try folder.write("{\n  chanels: {},\n  cache: { maxBytes: \"${NO_SUCH}\" }\n}\n".utf8, to: "rcache.json")
        let expected = """
            rcache: the configuration cannot be used
            rcache.json:2:3: unknown key "chanels"; did you mean "channels"?
            rcache.json:3:22: the environment variable NO_SUCH is not set

            """
        for words in [["stats"], ["warm"], ["serve", "--check"], ["list"], ["get", "x"]] {
            let run = try await CommandRun(words, in: folder.path)
            #expect(run.status == 2)
            #expect(run.messages == expected)
            #expect(run.output == "")
        }
    }

    @Test func `the configuration is found by option, then by variable, then here`() async throws {
        func write(_ name: String) throws -> String {
            try folder.write(
                "{ channels: { \(name): { kind: 'folder', path: '\(folder.file("photos"))' } } }".utf8,
                to: "\(name).json"
            )
        }
        _ = try write("rcache")
        let (byOption, byVariable) = (try write("option"), try write("variable"))
        let variables = ["RCACHE_CONFIG": byVariable]
        func channel(_ run: CommandRun) -> String { String(run.output.split(separator: ":")[1].prefix { $0 != " " }) }
        let all = try await run("serve", "--check", "--config", byOption, environment: variables).output
        #expect(all.hasPrefix("the configuration is good: option on 127.0.0.1:8080"))
        #expect(try await run("serve", "--check", environment: variables).output.contains("good: variable on"))
        #expect(try await run("serve", "--check").output.contains("good: rcache on"))
        #expect(try await run("--config=\(byOption)", "--check", "serve").output.contains("good: option on"))
    }

    @Test func `a variable of the environment reaches the configuration and is not shown`() async throws {
        try folder.write(
            "{ channels: { a: { kind: 'ocm', url: '${CMS}', channelToken: 'x' } } }".utf8,
            to: "rcache.json"
        )
        let good = try await run("serve", "--check", "--json", environment: ["CMS": "https://cms.example"])
        #expect(good.status == 0)
        #expect(good.output.hasPrefix(#"{"ok":true,"channels":["a"],"listen":"127.0.0.1:8080","cache":""#))
        let bad = try await run("serve", "--check", environment: ["CMS": "https://me:hush@cms.example"])
        #expect(bad.status == 2)
        #expect(bad.messages.contains("rcache.json:1:38: the URL has a user name or password"))
        #expect(!bad.messages.contains("hush"))
    }

    // MARK: - Init

    @Test func `init writes a configuration for a folder that serve accepts, and never over another`() async throws {
        let first = try await run("init", "--folder", "photos")
        #expect(first.status == 0)
        #expect(first.messages == "rcache.json is written; next: rcache warm photos, then rcache serve\n")
        let check = try await run("serve", "--check")
        #expect(
            check.output == "the configuration is good: photos on 127.0.0.1:8080, cache in \(folder.file("cache"))\n"
        )
        try folder.write("// mine\n".utf8, to: "rcache.json")
        let second = try await run("init", "--folder", "photos")
        #expect(second.status == 2)
        #expect(second.messages == "rcache: rcache.json is there already; --force replaces it\n")
        #expect(try String(contentsOfFile: folder.file("rcache.json"), encoding: .utf8) == "// mine\n")
        #expect(try await run("init", "--folder", "photos", "--force").status == 0)
        #expect(try await run("serve", "--check").status == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == ["photos", "rcache.json"], "no temporary file is left")
    }

    @Test func `init refers to an app's credentials and does not copy them`() async throws {
        try folder.write(
            #"{"url":"https://blog-example.cms.example","channelToken":"0a1b2c"}"#.utf8,
            to: "credentials.json"
        )
        let run = try await run("init", "--ocm", "credentials.json", "--json")
        #expect(run.status == 0)
        #expect(run.output == #"{"file":"rcache.json","channel":"blog-example"}"# + "\n")
        let text = try String(contentsOfFile: folder.file("rcache.json"), encoding: .utf8)
        #expect(text.contains(#""blog-example": { kind: "ocm", credentials: "credentials.json""#))
        #expect(!text.contains("0a1b2c"))
        #expect(try await self.run("serve", "--check").output.hasPrefix("the configuration is good: blog-example on"))
        let bad = try await self.run("init", "--ocm", "none.json", "--force")
        #expect(bad.status == 2)
        #expect(bad.messages.contains("none.json: cannot be read (open: No such file or directory)"))
    }

    @Test func `init refers to an AEM app's file and does not copy its secrets`() async throws {
        let token = "AEM_AUTH_TYPE = token\nAEM_TOKEN = 0a1b2c3d\n"
        try folder.write("AEM_SCHEME = https\nAEM_HOST = publish-p1-e2.example\n\(token)".utf8, to: "Config.xcconfig")
        let run = try await run("init", "--aem", "Config.xcconfig", "--json")
        #expect(run.output == #"{"file":"rcache.json","channel":"publish-p1-e2"}"# + "\n", "\(run.messages)")
        let text = try String(contentsOfFile: folder.file("rcache.json"), encoding: .utf8)
        #expect(
            text.contains(#"{ kind: "aem", xcconfig: "Config.xcconfig", queries: ["wknd-shared/adventures-all"], warm"#)
        )
        #expect(!text.contains("0a1b2c3d"))
        #expect(try await self.run("serve", "--check").output.hasPrefix("the configuration is good: publish-p1-e2 on"))
        let query = "wknd-shared/articles-all;first=7"
        let words = ["init", "--aem", "Config.xcconfig", "--query", query, "--query", "a/b", "--name", "x", "--force"]
        #expect(try await CommandRun(words, in: folder.path).status == 0)
        let other = try String(contentsOfFile: folder.file("rcache.json"), encoding: .utf8)
        #expect(other.contains(#""x": { kind: "aem", xcconfig: "Config.xcconfig", queries: ["\#(query)", "a/b"]"#))
        try folder.write("AEM_HOST = publish\n".utf8, to: "Config.xcconfig")
        let bad = try await self.run("init", "--aem", "Config.xcconfig", "--force")
        #expect(bad.status == 2 && bad.messages.contains("Config.xcconfig:1:1: no key \"AEM_SCHEME\""))
    }

    @Test func `init elsewhere keeps the folder's path right, whatever it is called`() async throws {
        try folder.write([], to: "my \"pics\"/nothing")
        try folder.write([], to: "etc/nothing")
        let run = try await run("init", "--folder", "my \"pics\"", "--config", "etc/rcache.json")
        #expect(run.status == 0, "\(run.messages)")
        let check = try await self.run("serve", "--check", "--config", "etc/rcache.json")
        #expect(
            check.output
                == "the configuration is good: my--pics- on 127.0.0.1:8080, cache in \(folder.file("etc/cache"))\n",
            "\(check.messages)"
        )
    }

    @Test func `init refuses a path that the configuration could not say`() async throws {
        try folder.write([], to: "${x}/nothing")
        let run = try await run("init", "--folder", "${x}")
        #expect(run.status == 2)
        #expect(run.messages == "rcache: a path with \"${\" would be read as a variable; rename \"${x}\"\n")
    }

    /// Whether a signal has been sent but not delivered yet, by proc(5).
    private func hasPendingSignal(_ process: pid_t) throws -> Bool {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let pending = status.split(separator: "\n").filter { $0.hasPrefix("ShdPnd:") || $0.hasPrefix("SigPnd:") }
        return pending.contains { $0.dropFirst(7).contains { $0 != "0" && !$0.isWhitespace } }
    }
}
