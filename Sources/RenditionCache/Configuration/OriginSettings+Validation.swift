extension OriginSettings {
    // A message here never shows a value: it may be a secret.
    var problems: [Configuration.Problem] {
        var problems = urlProblems + headerProblems
        func report(_ path: String..., message: String) { problems.append(.init(path: path, message: message)) }
        switch authentication {
        case .none: break
        case .basic(let user, let password):
            // RFC 7617 §2: the first colon ends the user name.
            if user.contains(":") || !isFieldText(user + password) {
                report("auth", message: "the user has a colon, or user or password a control character")
            }
        case .bearer(let token):
            if token.isEmpty || !token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
                report("auth", message: "the token is empty or has a character that a header cannot carry")
            }
        case .oauth(let settings):
            do throws(BaseURL.Refusal) {
                _ = try BaseURL(settings.tokenURL, droppingPath: true)
            } catch {
                report("auth", message: "the token URL \(error.reason)")
            }
            if settings.clientID.isEmpty || settings.clientSecret.isEmpty {
                report("auth", message: "the client's identifier or secret is empty")
            }
        }
        return problems + ownProblems
    }

    private var urlProblems: [Configuration.Problem] {
        do throws(BaseURL.Refusal) {
            _ = try BaseURL(url, droppingPath: self is HTTPSettings)
            return []
        } catch {
            return [.init(path: ["url"], message: "the URL \(error.reason)")]
        }
    }

    private var headerProblems: [Configuration.Problem] {
        headers.sorted { $0.key < $1.key }.compactMap { name, value in
            let problem: String? =
                if !isFieldName(name) {
                    "\(quoted(name)) is no name of a header field"
                } else if reservedFields.contains(name.lowercased()) {
                    "\(name) is set by rcache itself"
                } else if !isFieldText(value) {
                    "the value of \(name) has a control character"
                } else {
                    nil
                }
            return problem.map { .init(path: ["headers", name], message: $0) }
        }
    }

    /// What only this kind has.
    private var ownProblems: [Configuration.Problem] {
        switch self {
        case let settings as OCMSettings:
            guard let token = settings.channelToken, token.isEmpty || !isFieldText(token) else { return [] }
            return [.init(path: ["channelToken"], message: "the channel token is empty or has a control character")]
        case let settings as AEMSettings:
            return settings.queries.enumerated().compactMap { index, text in
                do throws(PersistedQuery.Refusal) {
                    _ = try PersistedQuery(text)
                    return nil
                } catch {
                    return .init(path: ["queries", "\(index)"], message: "the query \(error)")
                }
            }
        case let settings as MicroCMSSettings:
            guard let key = settings.apiKey, key.isEmpty || !isFieldText(key) else { return settings.problemsOfItsOwn }
            return [.init(path: ["apiKey"], message: "the key is empty or has a control character")]
                + settings.problemsOfItsOwn
        default: return []
        }
    }
}

/// Fields that rcache sets itself or that belong to one connection (RFC 9110 §7.6.1).
private let reservedFields: Set<String> = [
    "host", "connection", "content-length", "transfer-encoding", "te", "upgrade", "keep-alive", "trailer",
]

/// A token (RFC 9110 §5.6.2).
private func isFieldName(_ name: String) -> Bool {
    !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "!#$%&'*+-.^_`|~".contains($0)) }
}

/// No control character but a tab (RFC 9110 §5.5).
private func isFieldText(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0 == "\t" || ($0.value >= 0x20 && $0.value != 0x7F) }
}
