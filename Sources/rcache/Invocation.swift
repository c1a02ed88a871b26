import Glibc
import RenditionCache

/// A command that has been called: its arguments and its way to speak.
struct Invocation: Sendable {
    let arguments: Arguments
    let console: Console

    /// Whether results are to be JSON.
    var isJSON: Bool { arguments.has("json") }

    // MARK: - Configuration

    /// By `--folder`, `--config`, `$RCACHE_CONFIG` or `./rcache.json`.
    func configuration() throws(Failure) -> Configuration {
        if let folder = arguments["folder"] {
            guard arguments["config"] == nil else { throw .usage("--folder and --config exclude each other") }
            guard Self.isDirectory(folder) else { throw .usage("--folder: there is no folder \(quoted(folder))") }
            return .folder(folder)
        }
        guard let file = arguments["config"] ?? Self.configurationFile() else {
            throw .usage(
                """
                no configuration: neither --config nor $RCACHE_CONFIG nor ./rcache.json
                  for a folder of pictures, add --folder DIR
                  for a CMS or a web server, write one first; rcache init --help says how
                """
            )
        }
        do throws(ConfigurationError) {
            return try Configuration.read(file: file)
        } catch {
            throw .usage("the configuration cannot be used\n\(error)")
        }
    }

    /// The channel that is named, or the only one there is.
    func channel(named name: String?, of configuration: Configuration) throws(Failure) -> ChannelSettings {
        let known = configuration.channels.map(\.name)
        guard let name else {
            if let only = configuration.channels.first, known.count == 1 { return only }
            throw .usage("which channel? there are \(known.joined(separator: ", "))")
        }
        if let channel = configuration.channels.first(where: { $0.name == name }) { return channel }
        throw Failure(RenditionError.unknownChannel(name, known: known))
    }

    private static func configurationFile() -> String? {
        if let named = Configuration.processEnvironment("RCACHE_CONFIG"), !named.isEmpty { return named }
        return access("rcache.json", F_OK) == 0 ? "rcache.json" : nil
    }

    static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    // MARK: - Service

    /// Opens the service, lends it, and shuts it down whatever happens.
    ///
    /// - Parameter log: what hears of warnings; text unless `--json` is given.
    func withService<Result>(
        _ configuration: Configuration,
        log: Log? = nil,
        _ body: (RenditionService) async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let log = log ?? console.log(minimum: arguments.has("verbose") ? .debug : .warning, asJSON: isJSON)
        let service: RenditionService
        do throws(RenditionError) {
            service = try await RenditionService.open(configuration, log: log)
        } catch {
            throw Failure(error)
        }
        do throws(Failure) {
            let result = try await body(service)
            await service.shutDown()
            return result
        } catch {
            await service.shutDown()
            throw error
        }
    }
}
