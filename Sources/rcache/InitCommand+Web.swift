import RenditionCache

extension Command {
    /// Which contents a microCMS channel has.
    static let microCMSEndpoint = Option(
        name: "endpoint",
        value: "NAME",
        help: "with --microcms, an API whose pictures are the channel's",
        isRepeatable: true
    )
    /// What a web server has.
    static let httpList = Option(
        name: "list",
        value: "FILE|URL",
        help: "with --http, what there is: one URL or path a line, or a sitemap"
    )
}

extension InitCommand {
    /// The channel of `--microcms` or `--http`; nil without either.
    func webChannel(besides file: String) throws(Failure) -> (String, String)? {
        let given = ["folder", "ocm", "aem", "microcms", "http"].filter { arguments[$0] != nil }
        for (option, kind) in [(Command.microCMSEndpoint.name, "microcms"), (Command.httpList.name, "http")] {
            guard arguments.all(option).isEmpty || given == [kind] else {
                throw .usage("--\(option) goes with --\(kind)")
            }
        }
        guard given.contains("microcms") || given.contains("http") else { return nil }
        guard given.count == 1 else { throw .usage("--\(given[0]) and --\(given[1]): one channel at a time") }
        if let service = arguments["microcms"] { return try microCMSChannel(service) }
        return try arguments["http"].map { (url) throws(Failure) in try httpChannel(url, besides: file) }
    }

    /// The channel of a microCMS service; its key stays in the environment.
    private func microCMSChannel(_ service: String) throws(Failure) -> (String, String) {
        let isName = !service.isEmpty && service.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        guard isName else {
            throw .usage("--microcms takes the NAME in https://NAME.microcms.io, not \(quoted(service))")
        }
        let endpoints = arguments.all(Command.microCMSEndpoint.name)
        let list = endpoints.map(JSONText.quoted).joined(separator: ", ")
        let keys = """
            kind: "microcms", service: \(JSONText.quoted(service)), apiKey: "${MICROCMS_API_KEY}",
                  // The APIs whose pictures are warmed, with parameters where needed: ["news", "pages?depth=2"]
                  endpoints: [\(list)], warm: ["requested"]
            """
        return (try name(service.lowercased()), keys)
    }

    /// The channel of a web server.
    private func httpChannel(_ url: String, besides file: String) throws(Failure) -> (String, String) {
        let (root, host): (String, String)
        do throws(BaseURL.Refusal) {
            (root, host) = (try HTTPSettings.root(url), try BaseURL(url, droppingPath: true).text)
        } catch {
            throw .usage("--http: the URL \(error.reason)")
        }
        var keys = "kind: \"http\", url: \(JSONText.quoted(root))"
        if let list = arguments[Command.httpList.name] {
            let isURL = list.hasPrefix("http://") || list.hasPrefix("https://")
            keys += ", list: \(isURL ? JSONText.quoted(list) : try Self.reference(list, from: file))"
        } else {
            keys += " /* list: \"urls.txt\", for warm and list */"
        }
        let suggestion = Self.channelName(of: host, otherwise: "site")
        return (try name(suggestion), keys + ", warm: [\"Thumbnail\", \"Medium\"]")
    }
}
