import RenditionCache

extension Command {
    /// Writes a configuration.
    static let initialise = Command(
        name: "init",
        purpose: "write an rcache.json for a folder or a CMS",
        details: """
            The file is written to ./rcache.json, or where --config says; one that is there is left alone without --force.
            A secret stays in credentials.json or Config.xcconfig, or in the environment (MICROCMS_API_KEY): the
            configuration only refers to it.
            """,
        options: [
            Option(name: "ocm", value: "FILE", help: "the credentials.json of an OCM app, with url and channelToken"),
            Option(name: "aem", value: "FILE", help: "the Config.xcconfig of an AEM app, with AEM_SCHEME and AEM_HOST"),
            aemQuery,
            Option(
                name: "microcms",
                value: "SERVICE",
                help: "a microCMS service, the NAME in https://NAME.microcms.io"
            ),
            microCMSEndpoint,
            Option(name: "http", value: "URL", help: "a web server; what every picture's URL begins with"),
            httpList,
            Option(name: "name", value: "NAME", help: "what the channel is called (default by the host or the folder)"),
            Option(name: "force", help: "replace a configuration that is there"),
        ],
        examples: [
            Example(line: "rcache init --ocm credentials.json --name blog", purpose: "then: rcache warm blog"),
            Example(line: "rcache init --aem Config.xcconfig --query site/pages-all", purpose: "then: rcache warm"),
            Example(
                line: "rcache init --microcms example --endpoint news",
                purpose: "then: MICROCMS_API_KEY=… rcache warm"
            ),
            Example(line: "rcache init --http https://img.example.com/ --list urls.txt", purpose: "then: rcache warm"),
            Example(line: "rcache init --folder photos", purpose: "then: rcache serve"),
        ],
        run: { (invocation) throws(Failure) in try InitCommand(invocation: invocation).run() }
    )
}

/// `rcache init`.
struct InitCommand {
    let invocation: Invocation
    var arguments: Arguments { invocation.arguments }

    func run() throws(Failure) -> ExitCode {
        let file = arguments["config"] ?? "rcache.json"
        let (name, channel) = try channel(besides: file)
        let text = Self.text(name: name, channel: channel)
        try OutputFile.write(.memory(Array(text.utf8)), to: file, overwriting: arguments.has("force"))
        if invocation.isJSON {
            try invocation.console.write(.object([("file", .string(file)), ("channel", .string(name))]))
        } else {
            let option = arguments["config"].map { " --config \(ShellWord.quoted($0))" } ?? ""
            let first = channel.contains("${MICROCMS_API_KEY}") ? "set MICROCMS_API_KEY, then " : ""
            invocation.console.say(
                "\(file) is written; next: \(first)rcache warm \(name)\(option), then rcache serve\(option)"
            )
        }
        return .done
    }

    /// The channel's name, and its keys as JSON5.
    private func channel(besides file: String) throws(Failure) -> (String, String) {
        if let target = try webChannel(besides: file) { return target }
        if let config = arguments["aem"] { return try aemChannel(config, besides: file) }
        guard arguments.all(Command.aemQuery.name).isEmpty else { throw .usage("--query goes with --aem") }
        switch (arguments["folder"], arguments["ocm"]) {
        case (let folder?, nil):
            guard Invocation.isDirectory(folder) else { throw .usage("--folder: there is no folder \(quoted(folder))") }
            let suggestion = Configuration.channelName(ofFolder: absolutePath(folder, in: workingDirectory()))
            let path = try Self.reference(folder, from: file)
            return (try name(suggestion), "kind: \"folder\", path: \(path), warm: [\"Thumbnail\", \"Medium\"]")
        case (nil, let credentials?):
            let suggestion = try Self.hostName(credentials)
            let path = try Self.reference(credentials, from: file)
            return (
                try name(suggestion),
                "kind: \"ocm\", credentials: \(path), warm: [\"Thumbnail\", \"Medium\", \"native\"]"
            )
        default:
            throw .usage(
                "init needs one of --folder DIR, --ocm credentials.json, --aem Config.xcconfig, --microcms SERVICE and --http URL"
            )
        }
    }

    func name(_ suggestion: String) throws(Failure) -> String {
        guard let given = arguments["name"] else { return suggestion }
        guard isPlainName(given) else { throw .usage("--name takes letters, digits, -, _ and ., not \(quoted(given))") }
        return given
    }

    /// The first part of the host's name, once the credentials have proved good.
    private static func hostName(_ credentials: String) throws(Failure) -> String {
        do throws(ConfigurationError) {
            return channelName(of: try OCMCredentials.read(file: credentials).url, otherwise: "ocm")
        } catch {
            throw .usage("\(error)")
        }
    }

    /// The first part of the host's name in an origin's URL, if a channel can be called that.
    static func channelName(of url: String, otherwise kind: String) -> String {
        let host = url.split(separator: "/").last ?? ""
        let first = host.split { $0 == "." || $0 == ":" }.first.map(String.init) ?? ""
        return first.allSatisfy(\.isNumber) || !isPlainName(first) ? kind : first
    }

    /// `path` as the file has to say it: it is relative to the file, not to here.
    static func reference(_ path: String, from file: String) throws(Failure) -> String {
        guard !path.contains("${") else {
            throw .usage("a path with \"${\" would be read as a variable; rename \(quoted(path))")
        }
        return JSONText.quoted(file.contains("/") ? absolutePath(path, in: workingDirectory()) : path)
    }

    private static func text(name: String, channel: String) -> String {
        """
        // The configuration of rcache: JSON5, so comments and trailing commas are welcome.
        // Relative paths are relative to this file. ${NAME} in a string takes an environment variable, for secrets:
        //   auth: { type: "token", token: "${CMS_TOKEN}" }
        {
          cache: { directory: "cache", maxBytes: "10 GB", keepFree: "1 GB" },
          server: { listen: "127.0.0.1:8080" },
          presets: {
            hero: { width: 1600, format: "webp", quality: 80 },
          },
          channels: {
            \(JSONText.quoted(name)): { \(channel) },
          },
        }

        """
    }
}
