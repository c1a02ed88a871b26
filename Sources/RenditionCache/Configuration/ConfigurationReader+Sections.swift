/// The sections of `rcache.json` but for the channels.
extension ConfigurationReader {
    /// Everything.
    func configuration(_ value: JSON5Value) -> Configuration {
        var configuration = Configuration()
        configuration.cache.directory = absolutePath(configuration.cache.directory, in: source.baseDirectory)
        section(
            value,
            into: &configuration,
            keys: [
                Key("cache") { $0.section($1, into: &$2.cache, keys: Self.cacheKeys) },
                Key("server") { $0.section($1, into: &$2.server, keys: Self.serverKeys) },
                Key("presets", \.presets, ConfigurationReader.presets),
                Key("channels", \.channels, ConfigurationReader.channels),
                Key("fetch") { $0.section($1, into: &$2.fetch, keys: Self.fetchKeys) },
                Key("render") { $0.section($1, into: &$2.render, keys: Self.renderKeys) },
            ]
        )
        // A mistyped key has been reported already, and what it hides is not missing.
        if issues.isEmpty, !members(value).contains(where: { $0.name == "channels" }) {
            report("there are no \"channels\"", at: value.offset)
        }
        return configuration
    }

    private static var cacheKeys: [Key<CacheSettings>] {
        [
            Key("directory", \.directory, ConfigurationReader.path),
            Key("maxBytes", \.maxBytes, ConfigurationReader.size),
            Key("keepFree", \.keepFreeBytes, ConfigurationReader.size),
            Key("maxEntries", \.maxEntries, ConfigurationReader.integer),
            Key("memory", \.memoryBytes, ConfigurationReader.size),
        ]
    }

    private static var serverKeys: [Key<ServerSettings>] {
        [
            Key("listen") { reader, value, settings in
                guard let text = reader.text(value) else { return }
                guard let listen = ListenAddress(text) else {
                    reader.report("expected \(ListenAddress.form)", at: value.offset)
                    return
                }
                (settings.address, settings.port) = (listen.address, listen.port)
            },
            Key("threads", \.threads, ConfigurationReader.integer),
            Key("maxConnections", \.maxConnections, ConfigurationReader.integer),
            Key("maxWaiting", \.maxWaiting, ConfigurationReader.integer),
            Key("waitLimit", \.waitLimit, ConfigurationReader.duration),
            Key("idleTimeout", \.idleTimeout, ConfigurationReader.duration),
        ]
    }

    private static var fetchKeys: [Key<FetchSettings>] {
        [
            Key("maxBytes", \.maxBytes, ConfigurationReader.size),
            Key("connectTimeout", \.connectTimeout, ConfigurationReader.duration),
            Key("stallTimeout", \.stallTimeout, ConfigurationReader.duration),
            Key("totalTimeout", \.totalTimeout, ConfigurationReader.duration),
            Key("maxRedirects", \.maxRedirects, ConfigurationReader.integer),
            Key("perHost", \.perHost, ConfigurationReader.integer),
            Key("inAll", \.inAll, ConfigurationReader.integer),
            Key("liveRetries", \.liveRetries, ConfigurationReader.integer),
            Key("warmRetries", \.warmRetries, ConfigurationReader.integer),
            Key("liveWait", \.liveWait, ConfigurationReader.duration),
            Key("warmWait", \.warmWait, ConfigurationReader.duration),
            Key("longestQuiet", \.longestQuiet, ConfigurationReader.duration),
            Key("breakerFailures", \.breakerFailures, ConfigurationReader.integer),
            Key("breakerRest", \.breakerRest, ConfigurationReader.duration),
            Key("breakerLongestRest", \.breakerLongestRest, ConfigurationReader.duration),
        ]
    }

    private static var renderKeys: [Key<RenderSettings>] {
        [
            Key("workers", \.workers, ConfigurationReader.integer),
            Key("jobsPerWorker", \.jobsPerWorker, ConfigurationReader.integer),
            Key("queuePerWorker", \.queuePerWorker, ConfigurationReader.integer),
            Key("program") { $2.program = $0.path($1) },
            Key("deadline", \.limits.deadlineSeconds, ConfigurationReader.seconds),
            Key("sourceBytes", \.limits.sourceBytes, ConfigurationReader.size),
            Key("sourcePixels", \.limits.sourcePixels, ConfigurationReader.integer),
            Key("frames", \.limits.frames, ConfigurationReader.integer),
            Key("outputEdge", \.limits.outputEdgePixels, ConfigurationReader.integer),
            Key("svgBytes", \.limits.svgBytes, ConfigurationReader.size),
            Key("jobBytes", \.limits.jobBytes, ConfigurationReader.size),
        ]
    }

    // MARK: - Presets

    private func presets(_ value: JSON5Value) -> [String: Transform]? {
        var presets: [String: Transform] = [:]
        for member in members(value) {
            inside(member.name, at: member.nameOffset) { presets[member.name] = preset(member.value) }
        }
        return presets
    }

    /// A transform in rcache's own dialect; each parameter is tried alone, so that its error has its place.
    private func preset(_ value: JSON5Value) -> Transform? {
        var parameters: [(name: String, value: String)] = []
        var isComplete = true
        for member in members(value) {
            do throws(RequestError) {
                guard let text = parameterText(member.value) else { throw .malformed("") }
                _ = try OwnDialect.transform(parameters: [(member.name, text)])
                parameters.append((member.name, text))
            } catch {
                isComplete = false
                switch error {
                case .malformed: break  // reported by parameterText
                case .unknownParameter: report("\(error)", at: member.nameOffset)
                default: report("\(error)", at: member.value.offset)
                }
            }
        }
        guard isComplete else { return nil }
        do throws(RequestError) {
            return try OwnDialect.transform(parameters: parameters)
        } catch {
            // Each is right by itself; the one that does not go with another is named.
            var culprit: JSON5Value?
            if case .badValue(let name, _, _) = error { culprit = members(value).first { $0.name == name }?.value }
            report("\(error)", at: (culprit ?? value).offset)
            return nil
        }
    }

    private func parameterText(_ value: JSON5Value) -> String? {
        switch value.content {
        case .number(let number): Int(exactly: number).map(String.init) ?? "\(number)"
        case .boolean(let flag): "\(flag)"
        default: text(value)
        }
    }
}
