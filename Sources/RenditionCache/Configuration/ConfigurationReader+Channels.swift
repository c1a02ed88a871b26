/// The channels of `rcache.json`.
extension ConfigurationReader {
    /// The kinds that can be configured, and those that have a name but are not built yet.
    private enum Kind: String, CaseIterable {
        case folder, ocm
        static let planned = ["aem", "microcms", "http"]
    }

    /// A channel while its keys are read.
    private struct Draft {
        var settings: ChannelSettings
        var path: String?
        var ocm = OCMSettings(url: "")
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
        let isFolder = kind == .folder
        var draft = Draft(
            settings: ChannelSettings(
                name: channel.name,
                kind: isFolder ? .folder(path: "") : .ocm(OCMSettings(url: ""))
            )
        )
        let (own, other) = isFolder ? (Self.folderKeys, Self.ocmKeys) : (Self.ocmKeys, Self.folderKeys)
        section(
            channel.value,
            into: &draft,
            keys: Self.commonKeys + own,
            elsewhere: Dictionary(other.map { ($0.name, "is not a key of kind \(kind.rawValue)") }) { first, _ in first
            }
        )
        let given = Set(members.map(\.name))
        switch kind {
        case .folder: return folder(draft, given: given, at: channel.nameOffset)
        case .ocm: return ocm(draft, given: given, at: channel.nameOffset)
        }
    }

    private func kind(_ members: [JSON5Value.Member], of channel: JSON5Value.Member) -> Kind? {
        let known = "known are \(Kind.allCases.map(\.rawValue).joined(separator: ", "))"
        guard let member = members.first(where: { $0.name == "kind" }) else {
            report("channel \(quoted(channel.name)) has no \"kind\"; \(known)", at: channel.nameOffset)
            return nil
        }
        guard let name = text(member.value) else { return nil }
        if let kind = Kind(rawValue: name) { return kind }
        if Kind.planned.contains(name) {
            report("this version has no kind \(quoted(name)) yet; \(known)", at: member.value.offset)
        } else if let near = nearest(to: name, among: Kind.allCases.map(\.rawValue)) {
            report("unknown kind \(quoted(name)); did you mean \(quoted(near))?", at: member.value.offset)
        } else {
            report("unknown kind \(quoted(name)); \(known)", at: member.value.offset)
        }
        return nil
    }

    private func folder(_ draft: Draft, given: Set<String>, at offset: Int) -> ChannelSettings? {
        guard let path = draft.path else {
            if !given.contains("path") { report("a channel of kind folder needs \"path\"", at: offset) }
            return nil
        }
        var settings = draft.settings
        settings.kind = .folder(path: path)
        return settings
    }

    private func ocm(_ draft: Draft, given: Set<String>, at offset: Int) -> ChannelSettings? {
        if given.contains("credentials") {
            let own = ["url", "channelToken"].filter(given.contains)
            if !own.isEmpty {
                report(
                    "\(own.map(quoted).joined(separator: " and ")) beside \"credentials\": leave one out",
                    at: offset
                )
            }
        } else if !given.contains("url") {
            report("a channel of kind ocm needs \"credentials\", or \"url\" and \"channelToken\"", at: offset)
        }
        guard !draft.ocm.url.isEmpty else { return nil }
        var settings = draft.settings
        settings.kind = .ocm(draft.ocm)
        return settings
    }

    // MARK: - Keys

    private static var commonKeys: [Key<Draft>] {
        [
            Key("kind") { _, _, _ in },
            Key("warm", \.settings.warm, ConfigurationReader.texts),
            Key("allow", \.settings.allow, ConfigurationReader.texts),
            Key("maxAge", \.settings.maxAge, ConfigurationReader.duration),
            Key("staleWhileRevalidate", \.settings.staleWhileRevalidate, ConfigurationReader.duration),
            Key("staleIfError", \.settings.staleIfError, ConfigurationReader.duration),
        ]
    }

    private static var folderKeys: [Key<Draft>] {
        [
            Key("path") { $2.path = $0.path($1) },
            Key("publish", \.settings.publish, ConfigurationReader.surfaces),
        ]
    }

    private static var ocmKeys: [Key<Draft>] {
        [
            Key("credentials") { reader, value, draft in
                guard let credentials = reader.credentials(value) else { return }
                (draft.ocm.url, draft.ocm.channelToken) = (credentials.url, credentials.channelToken)
            },
            Key("url") { reader, value, draft in
                if let url = reader.baseURL(value) { draft.ocm.url = url }
            },
            Key("channelToken") { $2.ocm.channelToken = $0.text($1) },
            Key("auth", \.ocm.authentication, ConfigurationReader.authentication),
            Key("headers", \.ocm.headers, ConfigurationReader.dictionary),
            Key("access", \.settings.access, ConfigurationReader.access),
        ]
    }

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

    private func baseURL(_ value: JSON5Value) -> String? {
        guard let text = text(value) else { return nil }
        do throws(BaseURL.Refusal) {
            return try BaseURL(text).text
        } catch {
            report("the URL \(error.reason)", at: value.offset)
            return nil
        }
    }

    // MARK: - Credentials

    /// `auth: { type: "basic", user: …, password: … }` or `{ type: "token", token: … }`.
    private func authentication(_ value: JSON5Value) -> OCMSettings.Authentication? {
        struct Draft {
            var type: String?, user: String?, password: String?, token: String?
        }
        var draft = Draft()
        section(
            value,
            into: &draft,
            keys: [
                Key("type") { $2.type = $0.text($1) },
                Key("user") { $2.user = $0.text($1) },
                Key("password") { $2.password = $0.text($1) },
                Key("token") { $2.token = $0.text($1) },
            ]
        )
        guard case .object(let members) = value.content else { return nil }
        let given = Set(members.map(\.name))
        func missing(_ names: String...) -> Bool {
            let absent = names.filter { !given.contains($0) }
            if !absent.isEmpty {
                report("\"auth\" needs \(absent.map(quoted).joined(separator: " and "))", at: value.offset)
            }
            return !absent.isEmpty
        }
        if missing("type") { return nil }
        switch draft.type {
        case nil: return nil
        case "none": return OCMSettings.Authentication.none
        case "basic":
            guard !missing("user", "password"), let user = draft.user, let password = draft.password else { return nil }
            return .basic(user: user, password: password)
        case "token":
            guard !missing("token"), let token = draft.token else { return nil }
            return .bearer(token: token)
        default:
            report("unknown \"type\" of \"auth\"; known are none, basic, token", at: value.offset)
            return nil
        }
    }

    /// The file that an OCM sample app comes with: an object with `url` and `channelToken`; other keys are let be.
    private func credentials(_ value: JSON5Value) -> (url: String, channelToken: String)? {
        guard let path = path(value) else { return nil }
        do throws(ConfigurationError) {
            let credentials = try OCMCredentials.read(file: path)
            return (credentials.url, credentials.channelToken)
        } catch {
            for issue in error.issues where issue.line > 0 { foreignIssues.append(issue) }
            for issue in error.issues where issue.line == 0 { report(issue.description, at: value.offset) }
            return nil
        }
    }
}
