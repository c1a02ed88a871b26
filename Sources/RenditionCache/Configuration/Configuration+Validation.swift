extension Configuration {
    /// A value that makes no sense, and where it is in the file's terms.
    struct Problem: Equatable {
        var path: [String]
        var message: String
    }

    /// Checks a configuration that was put together in code; one that was read has been checked.
    ///
    /// - Throws: everything that is wrong, each under its path.
    public func validate() throws(ConfigurationError) {
        let issues = problems().map {
            ConfigurationError.Issue(file: $0.path.joined(separator: "."), message: $0.message)
        }
        guard issues.isEmpty else { throw ConfigurationError(issues: issues) }
    }

    /// Everything that makes no sense.
    func problems() -> [Problem] {
        var problems = RangeChecks(self).problems
        for name in presets.keys.sorted() { problems += presetProblems(name) }
        for (index, channel) in channels.enumerated() {
            problems += channel.problems(presets: presets)
            if channels[..<index].contains(where: { $0.name == channel.name }) {
                problems.append(Problem(path: ["channels", channel.name], message: "two channels have this name"))
            }
        }
        return problems
    }

    private func presetProblems(_ name: String) -> [Problem] {
        let path = ["presets", name]
        if WarmSelection.isCommonName(name) {
            return [
                Problem(path: path, message: "\(quoted(name)) is a rendition that every channel has; take another name")
            ]
        }
        guard isPlainName(name), !name.contains(".") else {
            return [Problem(path: path, message: "a preset's name is made of letters, digits, - and _")]
        }
        return []
    }
}

extension ChannelSettings {
    fileprivate func problems(presets: [String: Transform]) -> [Configuration.Problem] {
        let path = ["channels", name]
        var problems: [Configuration.Problem] = []
        func report(_ key: [String], _ message: String) { problems.append(.init(path: path + key, message: message)) }
        if !isPlainName(name) {
            report([], "a channel's name is made of letters, digits, -, _ and ., and does not begin with a point")
        }
        for (index, form) in warm.enumerated() where form != WarmSelection.requested {
            do throws(RequestError) {
                _ = try WarmSelection.selection(form, presets: presets, dialect: dialect)
                if form.utf8.contains(UInt8(ascii: "=")) { _ = try dialect.transform(written: form) }
            } catch {
                report(["warm", "\(index)"], error.description)
            }
        }
        for (index, host) in allow.enumerated() where host.isEmpty || host.contains(where: \.isWhitespace) {
            report(["allow", "\(index)"], "expected a host or an address")
        }
        let ages = [("maxAge", maxAge), ("staleWhileRevalidate", staleWhileRevalidate), ("staleIfError", staleIfError)]
        for (key, age) in ages where age < .zero { report([key], "\(key) is negative") }
        switch kind {
        case .folder(let folder):
            if !folder.hasPrefix("/") { report(["path"], "the path of a folder is absolute") }
        case .ocm, .aem, .microcms, .http:
            for problem in kind.origin?.problems ?? [] { report(problem.path, problem.message) }
        }
        return problems
    }
}

/// What a channel may be called: it stands in paths and URLs.
package func isPlainName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 64 && !name.hasPrefix(".")
        && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
}
