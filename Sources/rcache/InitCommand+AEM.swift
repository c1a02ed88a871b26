import RenditionCache

extension Command {
    /// Which pictures an AEM channel has.
    static let aemQuery = Option(
        name: "query",
        value: "QUERY",
        help: "a persisted query whose pictures are the channel's (default wknd-shared/adventures-all)",
        isRepeatable: true
    )
}

extension InitCommand {
    /// The query that the app of the configuration file shows first (spec AEM §13).
    private static let appQuery = "wknd-shared/adventures-all"

    /// The channel of an AEM app's configuration file, once that has proved good.
    func aemChannel(_ config: String, besides file: String) throws(Failure) -> (String, String) {
        guard arguments["folder"] == nil, arguments["ocm"] == nil else {
            throw .usage("--aem goes neither with --folder nor with --ocm")
        }
        let given = arguments.all(Command.aemQuery.name)
        for text in given {
            do throws(PersistedQuery.Refusal) {
                _ = try PersistedQuery(text)
            } catch {
                throw .usage("--query \(quoted(text)) \(error)")
            }
        }
        let url: String
        do throws(ConfigurationError) {
            url = try AEMConfigFile.read(file: config).url
        } catch {
            throw .usage("\(error)")
        }
        let queries = (given.isEmpty ? [Self.appQuery] : given).map(JSONText.quoted).joined(separator: ", ")
        let path = try Self.reference(config, from: file)
        return (
            try name(Self.channelName(of: url, otherwise: "aem")),
            "kind: \"aem\", xcconfig: \(path), queries: [\(queries)], warm: [\"requested\"]"
        )
    }
}
