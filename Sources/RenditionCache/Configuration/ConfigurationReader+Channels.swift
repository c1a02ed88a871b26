/// The channels of `rcache.json`.
extension ConfigurationReader {
    /// The kinds that can be configured.
    enum Kind: String, CaseIterable {
        case folder, ocm, aem, microcms, http
    }

    /// A channel while its keys are read.
    struct Draft {
        /// The keys that stand in the file.
        let given: Set<String>
        /// The kind that it says it is.
        let kind: Kind
        /// Where the channel's name stands.
        let offset: Int
        var common = ChannelSettings(name: "", kind: .folder(path: ""))
        /// The ages that were written; a kind's own hold otherwise.
        var maxAge: Duration?, staleWhileRevalidate: Duration?
        var warm: [String]?
        var path: String?
        var url: String?
        var authentication = OriginAuthentication.none
        var headers: [String: String] = [:]
        var channelToken: String?
        var channelTokenIn = OCMSettings.TokenPlace.query
        var queries: [String] = []
        var apiKey: String?
        var endpoints: [String] = []
        var imageHosts: [String]?
        var list: HTTPSettings.List?
    }

    func channels(_ value: JSON5Value) -> [ChannelSettings]? {
        var channels: [ChannelSettings] = []
        if value.content == .object([]) { report("there is no channel", at: value.offset) }
        for member in members(value) {
            inside(member.name, at: member.nameOffset) { channel(member).map { channels.append($0) } }
        }
        return channels
    }

    private func channel(_ channel: JSON5Value.Member) -> ChannelSettings? {
        guard case .object(let members) = channel.value.content else {
            return mismatch(channel.value, expected: "an object with \"kind\"")
        }
        guard let kind = kind(members, of: channel) else { return nil }
        var draft = Draft(given: Set(members.map(\.name)), kind: kind, offset: channel.nameOffset)
        let own = Self.keys(of: kind)
        let elsewhere = Kind.allCases.flatMap(Self.keys).map(\.name).filter { name in
            !own.contains { $0.name == name }
        }
        section(
            channel.value,
            into: &draft,
            keys: Self.commonKeys + own,
            elsewhere: Dictionary(elsewhere.map { ($0, "is not a key of kind \(kind.rawValue)") }) { first, _ in first }
        )
        return kindSettings(draft).map { settings(draft, named: channel.name, kind: $0) }
    }

    private func kind(_ members: [JSON5Value.Member], of channel: JSON5Value.Member) -> Kind? {
        let known = "known are \(Kind.allCases.map(\.rawValue).joined(separator: ", "))"
        guard let member = members.first(where: { $0.name == "kind" }) else {
            report("channel \(quoted(channel.name)) has no \"kind\"; \(known)", at: channel.nameOffset)
            return nil
        }
        guard let name = text(member.value) else { return nil }
        if let kind = Kind(rawValue: name) { return kind }
        if let near = nearest(to: name, among: Kind.allCases.map(\.rawValue)) {
            report("unknown kind \(quoted(name)); did you mean \(quoted(near))?", at: member.value.offset)
        } else {
            report("unknown kind \(quoted(name)); \(known)", at: member.value.offset)
        }
        return nil
    }

    private func settings(_ draft: Draft, named name: String, kind: ChannelSettings.Kind) -> ChannelSettings {
        var settings = draft.common
        let defaults = ChannelSettings(name: name, kind: kind)
        settings.name = name
        settings.kind = kind
        settings.warm = draft.warm ?? defaults.warm
        settings.maxAge = draft.maxAge ?? defaults.maxAge
        settings.staleWhileRevalidate = draft.staleWhileRevalidate ?? defaults.staleWhileRevalidate
        return settings
    }

    // MARK: - What each kind needs

    private func kindSettings(_ draft: Draft) -> ChannelSettings.Kind? {
        switch draft.kind {
        case .folder:
            guard let path = draft.path else { return need(draft, "path") }
            return .folder(path: path)
        case .ocm:
            excludes(draft, "credentials", "url", "channelToken")
            guard let url = draft.url else {
                return need(draft, "credentials", or: "\"credentials\", or \"url\" and \"channelToken\"", "url")
            }
            var settings = OCMSettings(url: url, channelToken: draft.channelToken)
            (settings.authentication, settings.headers) = (draft.authentication, draft.headers)
            settings.channelTokenIn = draft.channelTokenIn
            return .ocm(settings)
        case .aem:
            excludes(draft, "xcconfig", "url")
            guard let url = draft.url else { return need(draft, "xcconfig", or: "\"xcconfig\" or \"url\"", "url") }
            var settings = AEMSettings(url: url, queries: draft.queries)
            (settings.authentication, settings.headers) = (draft.authentication, draft.headers)
            return .aem(settings)
        case .microcms:
            excludes(draft, "service", "url")
            guard let url = draft.url else { return need(draft, "service", or: "\"service\" or \"url\"", "url") }
            var settings = MicroCMSSettings(url: url, apiKey: draft.apiKey, endpoints: draft.endpoints)
            settings.headers = draft.headers
            if let hosts = draft.imageHosts { settings.imageHosts = hosts }
            return .microcms(settings)
        case .http:
            guard let url = draft.url else { return need(draft, "url") }
            var settings = HTTPSettings(url: url, list: draft.list)
            (settings.authentication, settings.headers) = (draft.authentication, draft.headers)
            return .http(settings)
        }
    }

    /// Reports that none of the keys is there; one that is, but makes no sense, has been reported.
    private func need(_ draft: Draft, _ key: String, or words: String? = nil, _ other: String...) -> ChannelSettings
        .Kind?
    {
        if !([key] + other).contains(where: draft.given.contains) {
            report("a channel of kind \(draft.kind.rawValue) needs \(words ?? quoted(key))", at: draft.offset)
        }
        return nil
    }

    private func excludes(_ draft: Draft, _ key: String, _ others: String...) {
        let own = others.filter(draft.given.contains)
        guard draft.given.contains(key), !own.isEmpty else { return }
        report("\(own.map(quoted).joined(separator: " and ")) beside \(quoted(key)): leave one out", at: draft.offset)
    }
}
