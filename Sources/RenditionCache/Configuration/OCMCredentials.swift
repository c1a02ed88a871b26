/// The `credentials.json` of an OCM sample app: an object with `url` and `channelToken`; other keys are let be.
package struct OCMCredentials: Equatable, Sendable {
    /// Scheme, host and port, normalised.
    package var url: String
    /// The channel token.
    package var channelToken: String

    /// Reads a file.
    package static func read(file path: String) throws(ConfigurationError) -> OCMCredentials {
        let whole = try ConfigurationSource.text(ofFile: path)
        let lines = LineTable(whole)
        let parsed = JSON5Parser.parse(whole)
        func issue(_ message: String, at offset: Int) -> ConfigurationError.Issue {
            let position = lines.position(of: offset)
            return .init(file: path, line: position.line, column: position.column, message: message)
        }
        var issues = parsed.errors.map { issue($0.message, at: $0.offset) }
        guard issues.isEmpty, let value = parsed.value else { throw ConfigurationError(issues: issues) }
        guard case .object(let members) = value.content else {
            throw ConfigurationError(issues: [
                issue("expected an object with \"url\" and \"channelToken\"", at: value.offset)
            ])
        }
        func text(_ name: String) -> (text: String, offset: Int)? {
            guard let value = members.first(where: { $0.name == name })?.value else {
                issues.append(issue("no key \(quoted(name))", at: value.offset))
                return nil
            }
            guard case .string(let text) = value.content, !text.isEmpty else {
                issues.append(issue("\(quoted(name)) is no text", at: value.offset))
                return nil
            }
            return (text, value.offset)
        }
        let url = text("url")
        let token = text("channelToken")
        guard let url, let token else { throw ConfigurationError(issues: issues) }
        do throws(BaseURL.Refusal) {
            return OCMCredentials(url: try BaseURL(url.text).text, channelToken: token.text)
        } catch {
            throw ConfigurationError(issues: [issue("the URL \(error.reason)", at: url.offset)])
        }
    }
}
