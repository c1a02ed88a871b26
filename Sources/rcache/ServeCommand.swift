import RenditionCache
import RenditionServer

extension Command {
    /// The HTTP service.
    static let serve = Command(
        name: "serve",
        purpose: "answer over HTTP, over the same URLs as the CMS",
        details: "Ctrl-C or SIGTERM ends it once what is being sent has been sent.",
        options: [
            Option(
                name: "listen",
                value: "ADDR:PORT",
                help: "where (default the configuration's, or 127.0.0.1:8080); port 0 is any"
            ),
            Option(name: "check", help: "only say whether the configuration is good"),
        ],
        examples: [
            Example(
                line: "rcache serve --folder photos",
                purpose: "a folder as if it were a CMS, at http://127.0.0.1:8080"
            ),
            Example(line: "rcache serve --config /etc/rcache.json --check", purpose: "before a restart"),
        ],
        run: { (invocation) throws(Failure) in try await ServeCommand(invocation: invocation).run() }
    )
}

/// `rcache serve`.
struct ServeCommand {
    let invocation: Invocation
    private var console: Console { invocation.console }

    func run() async throws(Failure) -> ExitCode {
        var configuration = try invocation.configuration()
        if let text = invocation.arguments["listen"] {
            guard let listen = ListenAddress(text) else {
                throw .usage("--listen takes \(ListenAddress.form), not \(quoted(text))")
            }
            (configuration.server.address, configuration.server.port) = (listen.address, listen.port)
        }
        if invocation.arguments.has("check") { return try check(configuration) }
        let settings = configuration.server
        // A service's messages are collected, unless somebody sits before it.
        let level: LogRecord.Level = invocation.arguments.has("verbose") ? .debug : .info
        let log = console.log(minimum: level, asJSON: invocation.isJSON || !console.isLive)
        return try await invocation.withService(configuration, log: log) { (service) throws(Failure) in
            let server: Server
            do throws(ServerError) {
                server = try Server.start(service, settings: settings, log: log)
            } catch {
                throw Failure(.failures, "\(error)")
            }
            let url = "http://\(Self.authority(settings, server.port))"
            do throws(Failure) {
                try await announce(url, service)
                await Self.untilCancelled()
            } catch {
                await server.stop()
                throw error
            }
            await server.stop()
            return .done
        }
    }

    private func check(_ configuration: Configuration) throws(Failure) -> ExitCode {
        for case .folder(let path) in configuration.channels.map(\.kind) where !Invocation.isDirectory(path) {
            throw .usage("there is no folder \(quoted(path))")
        }
        let names = configuration.channels.map(\.name)
        let listen = Self.authority(configuration.server, configuration.server.port)
        if invocation.isJSON {
            let json: [(String, JSONText)] = [
                ("ok", true), ("channels", .array(names.map(JSONText.string))), ("listen", .string(listen)),
                ("cache", .string(configuration.cache.directory)),
            ]
            try console.write(.object(json))
        } else {
            try console.write(
                "the configuration is good: \(names.joined(separator: ", ")) on \(listen), cache in \(configuration.cache.directory)\n"
            )
        }
        return .done
    }

    /// One line with the URL on standard output, and on standard error what to try next.
    private func announce(_ url: String, _ service: RenditionService) async throws(Failure) {
        if invocation.isJSON {
            try console.write(.object([("url", .string(url))]))
            return
        }
        try console.write("\(url)\n")
        console.say("\(await Self.advice(url, service))   (Ctrl-C ends)")
    }

    /// A request that can be made as it is printed; a CMS is not asked for an example.
    private static func advice(_ url: String, _ service: RenditionService) async -> String {
        for channel in service.configuration.channels {
            guard case .folder(let path) = channel.kind else { continue }
            // A folder that cannot be read is no reason not to serve the others.
            let page = try? await service.assets(in: channel.name, limit: 1)
            guard let id = page?.assets.first?.id else { return "there is no picture in \(path) yet" }
            return "try: curl -O '\(url)/v1/\(channel.name)/\(encoded(id))/Medium.jpg'"
        }
        let channels = service.configuration.channels
        let hasSurface = channels.contains { if case .ocm = $0.kind { true } else { false } }
        guard !hasSurface, let name = channels.first?.name else {
            return "ready: ask it as the CMS is asked, at this address"
        }
        return "ready: \(url)/v1/\(name)/ID/Medium.webp, where rcache list \(name) shows the ids"
    }

    /// Returns when the first signal has come.
    private static func untilCancelled() async {
        // The sleep ends early, by throwing, when the task is cancelled.
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
    }

    /// Where a client finds the server: an address for any interface becomes loopback.
    private static func authority(_ settings: ServerSettings, _ port: Int) -> String {
        switch settings.address {
        case "0.0.0.0": "127.0.0.1:\(port)"
        case "::": "[::1]:\(port)"
        case let address: address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
        }
    }

    /// Percent-encoded but for what a path and a shell's single quotes leave alone.
    static func encoded(_ id: String) -> String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
        return id.utf8.map { byte in
            if plain.contains(byte) { return String(UnicodeScalar(byte)) }
            let hex = String(byte, radix: 16, uppercase: true)
            return byte < 16 ? "%0\(hex)" : "%\(hex)"
        }.joined()
    }
}
