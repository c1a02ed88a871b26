/// The `Config.xcconfig` of an AEM sample app: where the instance is and how it wants to be asked (spec AEM §11).
package struct AEMConfigFile: Equatable, Sendable {
    /// Scheme, host and port, normalised.
    package var url: String
    /// The credential for queries and pictures alike.
    package var authentication: OriginAuthentication

    /// Reads a file; keys that are not the app's are let be.
    ///
    /// - Throws: everything that is wrong, each with its line and column; no value is repeated, since it may be a secret.
    package static func read(file path: String) throws(ConfigurationError) -> AEMConfigFile {
        let settings = XcconfigParser.parse(try ConfigurationSource.text(ofFile: path), minding: "AEM_")
        var reader = Reader(file: path, settings: settings)
        let (url, authentication) = (reader.url(), reader.authentication())
        guard reader.issues.isEmpty, let url, let authentication else {
            throw ConfigurationError(issues: reader.issues.sorted { ($0.line, $0.column) < ($1.line, $1.column) })
        }
        return AEMConfigFile(url: url, authentication: authentication)
    }

    private struct Reader {
        let file: String
        let settings: XcconfigParser.Settings
        var issues: [ConfigurationError.Issue]

        init(file: String, settings: XcconfigParser.Settings) {
            self.file = file
            self.settings = settings
            issues = settings.problems.map {
                .init(file: file, line: $0.line, column: $0.column, message: $0.message)
            }
        }

        private mutating func report(_ message: String, at value: XcconfigParser.Value? = nil) {
            issues.append(
                .init(file: file, line: value?.line ?? 1, column: value?.column ?? 1, message: message)
            )
        }

        /// A missing key expands to nothing, and so counts as empty.
        private func text(_ name: String) -> String { settings[name]?.text ?? "" }

        mutating func url() -> String? {
            let (scheme, host) = (text("AEM_SCHEME"), text("AEM_HOST"))
            for (name, value) in [("AEM_SCHEME", scheme), ("AEM_HOST", host)] where value.isEmpty {
                report("no key \(quoted(name))", at: settings[name])
            }
            guard !scheme.isEmpty, !host.isEmpty else { return nil }
            guard ["http", "https"].contains(scheme.lowercased()) else {
                report("AEM_SCHEME is http or https", at: settings["AEM_SCHEME"])
                return nil
            }
            do throws(BaseURL.Refusal) {
                return try BaseURL("\(scheme)://\(host)").text
            } catch {
                report(
                    "AEM_HOST is a host, with a port or without, and nothing else: the URL \(error.reason)",
                    at: settings["AEM_HOST"]
                )
                return nil
            }
        }

        /// Anything but `basic` and `token` is no authentication, as it is to the app.
        mutating func authentication() -> OriginAuthentication? {
            switch text("AEM_AUTH_TYPE") {
            case "basic":
                guard need("AEM_USERNAME", for: "basic") else { return nil }
                return .basic(user: text("AEM_USERNAME"), password: text("AEM_PASSWORD"))
            case "token":
                guard need("AEM_TOKEN", for: "token") else { return nil }
                return .bearer(token: text("AEM_TOKEN"))
            default:
                return OriginAuthentication.none
            }
        }

        private mutating func need(_ name: String, for type: String) -> Bool {
            guard text(name).isEmpty else { return true }
            report("AEM_AUTH_TYPE is \(type), which needs \(quoted(name))", at: settings["AEM_AUTH_TYPE"])
            return false
        }
    }
}
