/// The keys of a channel, by kind.
extension ConfigurationReader {
    static var commonKeys: [Key<Draft>] {
        [
            Key("kind") { _, _, _ in },
            Key("warm") { $2.warm = $0.texts($1) },
            Key("allow", \.common.allow, ConfigurationReader.texts),
            Key("maxAge") { $2.maxAge = $0.duration($1) },
            Key("staleWhileRevalidate") { $2.staleWhileRevalidate = $0.duration($1) },
            Key("staleIfError", \.common.staleIfError, ConfigurationReader.duration),
        ]
    }

    static func keys(of kind: Kind) -> [Key<Draft>] {
        switch kind {
        case .folder:
            [Key("path") { $2.path = $0.path($1) }, Key("publish", \.common.publish, ConfigurationReader.surfaces)]
        case .ocm: ocmKeys + [url] + accessKeys
        case .aem: aemKeys + [url] + accessKeys
        case .microcms: microCMSKeys + [url, headers, access]
        case .http: [Key("url") { $2.url = $0.pictureRoot($1) }, Key("list") { $2.list = $0.list($1) }] + accessKeys
        }
    }

    private static var url: Key<Draft> { Key("url") { $2.url = $0.baseURL($1) ?? $2.url } }
    private static var headers: Key<Draft> { Key("headers", \.headers, ConfigurationReader.dictionary) }
    private static var access: Key<Draft> { Key("access", \.common.access, ConfigurationReader.access) }
    private static var accessKeys: [Key<Draft>] {
        [Key("auth", \.authentication, ConfigurationReader.authentication), headers, access]
    }

    private static var ocmKeys: [Key<Draft>] {
        [
            Key("credentials") { reader, value, draft in
                guard let credentials = reader.credentials(value) else { return }
                (draft.url, draft.channelToken) = (credentials.url, credentials.channelToken)
            },
            Key("channelToken") { $2.channelToken = $0.text($1) },
            Key("channelTokenIn", \.channelTokenIn, ConfigurationReader.tokenPlace),
        ]
    }

    private static var aemKeys: [Key<Draft>] {
        [
            Key("xcconfig") { reader, value, draft in
                guard let file = reader.aemConfigFile(value) else { return }
                draft.url = file.url
                // What the configuration itself says of it counts more.
                if !draft.given.contains("auth") { draft.authentication = file.authentication }
            },
            Key("queries", \.queries, ConfigurationReader.texts),
        ]
    }

    private static var microCMSKeys: [Key<Draft>] {
        [
            Key("service") { reader, value, draft in
                draft.url = reader.serviceURL(value) ?? draft.url
            },
            Key("apiKey") { $2.apiKey = $0.text($1) },
            Key("endpoints", \.endpoints, ConfigurationReader.texts),
            Key("imageHosts") { $2.imageHosts = $0.texts($1) },
        ]
    }

    // MARK: - Values

    private func surfaces(_ value: JSON5Value) -> [ChannelSettings.Surface]? {
        guard let names = texts(value) else { return nil }
        let surfaces = names.compactMap(ChannelSettings.Surface.init(rawValue:))
        guard surfaces.count == names.count else {
            let known = ChannelSettings.Surface.allCases.map { quoted($0.rawValue) }.joined(separator: ", ")
            report("\"publish\" takes \(known) in this version", at: value.offset)
            return nil
        }
        return surfaces
    }

    private func access(_ value: JSON5Value) -> ChannelSettings.Access? {
        guard let name = text(value) else { return nil }
        if let access = ChannelSettings.Access(rawValue: name) { return access }
        report("\"access\" takes \"same\" (default) or \"open\"", at: value.offset)
        return nil
    }

    private func tokenPlace(_ value: JSON5Value) -> OCMSettings.TokenPlace? {
        guard let name = text(value) else { return nil }
        if let place = OCMSettings.TokenPlace(rawValue: name) { return place }
        report("\"channelTokenIn\" takes \"query\" (default) or \"header\"", at: value.offset)
        return nil
    }

    private func baseURL(_ value: JSON5Value) -> String? {
        guard let text = text(value) else { return nil }
        do throws(BaseURL.Refusal) {
            return try BaseURL(text).text
        } catch {
            report("the URL \(error.reason)", at: value.offset)
            return nil
        }
    }

    /// The URL that pictures are below; one that does not end in `/` gets one.
    private func pictureRoot(_ value: JSON5Value) -> String? {
        guard let text = text(value) else { return nil }
        do throws(BaseURL.Refusal) {
            return try HTTPSettings.root(text)
        } catch {
            report("the URL \(error.reason)", at: value.offset)
            return nil
        }
    }

    private func list(_ value: JSON5Value) -> HTTPSettings.List? {
        guard let text = text(value) else { return nil }
        guard text.hasPrefix("http://") || text.hasPrefix("https://") else { return path(value).map { .file($0) } }
        do throws(BaseURL.Refusal) {
            _ = try BaseURL(text, droppingPath: true)
            return .url(text)
        } catch {
            report("the URL \(error.reason)", at: value.offset)
            return nil
        }
    }

    /// `https://{service}.microcms.io` (spec microCMS §1).
    private func serviceURL(_ value: JSON5Value) -> String? {
        guard let name = text(value) else { return nil }
        let isName = !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        guard isName else {
            report("a service is the NAME in https://NAME.microcms.io: letters, digits and -", at: value.offset)
            return nil
        }
        return "https://\(name.lowercased()).microcms.io"
    }
}

extension HTTPSettings {
    /// The URL that pictures are below, normalised: it ends in `/` and has neither query nor fragment.
    package static func root(_ text: String) throws(BaseURL.Refusal) -> String {
        let base = try BaseURL(text, droppingPath: true)
        let path = text.dropFirst(base.scheme.count + 3).drop { !"/?#".contains($0) }
        guard !path.contains(where: { "?#".contains($0) }) else {
            throw BaseURL.Refusal(reason: "has a query or a fragment; it is what every picture's URL begins with")
        }
        return base.text + (path.hasPrefix("/") ? path : "/") + (path.hasSuffix("/") || path.isEmpty ? "" : "/")
    }
}
