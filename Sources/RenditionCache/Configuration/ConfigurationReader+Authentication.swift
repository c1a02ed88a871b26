/// Credentials of a channel.
extension ConfigurationReader {
    private struct AuthenticationDraft {
        var values: [String: String] = [:]
        subscript(name: String) -> String { values[name] ?? "" }
    }

    /// What each type of `auth` is made of.
    private static let parts: KeyValuePairs<String, [String]> = [
        "none": [], "basic": ["user", "password"], "token": ["token"],
        "oauth": ["tokenURL", "clientID", "clientSecret"],
    ]

    /// `auth: { type: "basic", user: …, password: … }`, `{ type: "token", token: … }`, or `{ type: "oauth", tokenURL: …,
    /// clientID: …, clientSecret: …, scope: … }`.
    func authentication(_ value: JSON5Value) -> OriginAuthentication? {
        var draft = AuthenticationDraft()
        let names = ["type", "scope"] + Self.parts.flatMap(\.value)
        section(
            value,
            into: &draft,
            keys: names.map { name in Key(name) { $2.values[name] = $0.text($1) } }
        )
        guard case .object(let members) = value.content else { return nil }
        let given = Set(members.map(\.name))
        guard given.contains("type") else {
            report("\"auth\" needs \"type\"", at: value.offset)
            return nil
        }
        guard let type = draft.values["type"] else { return nil }
        guard let parts = Self.parts.first(where: { $0.key == type })?.value else {
            let known = Self.parts.map(\.key).joined(separator: ", ")
            report("unknown \"type\" of \"auth\"; known are \(known)", at: value.offset)
            return nil
        }
        let absent = parts.filter { !given.contains($0) }
        if !absent.isEmpty {
            report("\"auth\" needs \(absent.map(quoted).joined(separator: " and "))", at: value.offset)
        }
        guard parts.allSatisfy({ draft.values[$0] != nil }) else { return nil }
        switch type {
        case "basic": return .basic(user: draft["user"], password: draft["password"])
        case "token": return .bearer(token: draft["token"])
        case "oauth":
            let (id, secret) = (draft["clientID"], draft["clientSecret"])
            let url = draft["tokenURL"]
            return .oauth(
                OAuthSettings(tokenURL: url, clientID: id, clientSecret: secret, scope: draft.values["scope"])
            )
        default: return OriginAuthentication.none
        }
    }

    /// The file that an OCM sample app comes with: an object with `url` and `channelToken`; other keys are let be.
    func credentials(_ value: JSON5Value) -> (url: String, channelToken: String)? {
        guard let path = path(value) else { return nil }
        do throws(ConfigurationError) {
            let credentials = try OCMCredentials.read(file: path)
            return (credentials.url, credentials.channelToken)
        } catch {
            take(error, of: value)
            return nil
        }
    }

    /// The file that an AEM sample app comes with.
    func aemConfigFile(_ value: JSON5Value) -> AEMConfigFile? {
        guard let path = path(value) else { return nil }
        do throws(ConfigurationError) {
            return try AEMConfigFile.read(file: path)
        } catch {
            take(error, of: value)
            return nil
        }
    }

    /// Reports what is wrong in a file that the configuration names.
    func take(_ error: ConfigurationError, of value: JSON5Value) {
        for issue in error.issues where issue.line > 0 { foreignIssues.append(issue) }
        for issue in error.issues where issue.line == 0 { report(issue.description, at: value.offset) }
    }
}
