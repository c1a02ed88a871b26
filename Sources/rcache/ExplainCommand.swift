import RenditionCache

extension Command {
    /// What would happen to a request.
    static let explain = Command(
        name: "explain",
        operands: "<id> …",
        operandCount: 1...1000,
        purpose: "what would happen to a request, and why; nothing is fetched or changed",
        details: "<id> is what get takes: an id, a slug, a path, or a URL of the CMS.",
        options: SelectionOptions.options,
        examples: [
            Example(
                line: "rcache explain beach --rendition Medium --folder photos",
                purpose: "hit or miss, the key, how fresh"
            ),
            Example(
                line: "rcache explain CONT0123456789ABCDEF0123456789ABCDEF --json",
                purpose: "the same of a native, as JSON; one line for each id"
            ),
        ],
        run: { (invocation) throws(Failure) in try await ExplainCommand(invocation: invocation).run() }
    )
}

/// `rcache explain`.
struct ExplainCommand {
    let invocation: Invocation

    func run() async throws(Failure) -> ExitCode {
        let configuration = try invocation.configuration()
        var requests: [[RenditionRequest]] = []
        for operand in invocation.arguments.operands {
            requests.append(try invocation.requests(for: operand, configuration).0)
        }
        return try await invocation.withService(configuration) { (service) throws(Failure) in
            for case (let name, .folder) in configuration.channels.map({ ($0.name, $0.kind) }) {
                // A folder is known once it has been looked through; one that is missing is explained as unknown.
                _ = try? await service.assets(in: name, limit: 1)
            }
            for candidates in requests {
                for explanation in try explanations(candidates, service) {
                    let text = invocation.isJSON ? Self.json(explanation).line + "\n" : Self.text(explanation)
                    try invocation.console.write(text)
                }
            }
            return .done
        }
    }

    /// Of every candidate that is known; of the first where none is.
    private func explanations(
        _ candidates: [RenditionRequest],
        _ service: RenditionService
    ) throws(Failure) -> [Explanation] {
        do throws(RenditionError) {
            var all: [Explanation] = []
            for request in candidates { all.append(try service.explain(request)) }
            let known = all.filter { $0.verdict != .unknownAsset }
            return known.isEmpty ? Array(all.prefix(1)) : known
        } catch {
            throw Failure(error)
        }
    }

    private static func text(_ explanation: Explanation) -> String {
        var rows = [
            ["  verdict", "\(explanation.verdict.rawValue): \(explanation.reason)"],
            ["  source", explanation.source],
        ]
        if let version = explanation.version { rows.append(["  version", version]) }
        if let checked = explanation.checkedSecondsAgo, let lifetime = explanation.lifetimeSeconds {
            let (ago, good) = (Quantity.text(seconds: checked), Quantity.text(seconds: lifetime))
            rows.append(["  checked", "\(ago) ago, good for \(good)"])
        }
        if let key = explanation.key { rows.append(["  key", key]) }
        if let stored = explanation.stored {
            let made = stored.maker == "local" ? "made here" : "from the origin"
            let what = "\(stored.mediaType), \(Quantity.text(bytes: stored.byteCount)), \(made)"
            rows.append(["  stored", "\(what), \(DateText.rfc3339(stored.storedSeconds))"])
            rows.append(["  sha256", stored.digest])
        }
        let head = "\(explanation.asset) of \(explanation.channel), as \(explanation.form)\n"
        return Printable.text(head) + Table(rows: rows).text
    }

    private static func json(_ explanation: Explanation) -> JSONText {
        let stored = explanation.stored.map { stored in
            JSONText.object([
                ("sha256", .string(stored.digest)), ("bytes", .integer(stored.byteCount)),
                ("mediaType", .string(stored.mediaType)), ("maker", .string(stored.maker)),
                ("stored", .string(DateText.rfc3339(stored.storedSeconds))),
            ])
        }
        return .object([
            ("channel", .string(explanation.channel)), ("asset", .string(explanation.asset)),
            ("form", .string(explanation.form)), ("verdict", .string(explanation.verdict.rawValue)),
            ("reason", .string(explanation.reason)), ("source", .string(explanation.source)),
            ("version", JSONText(explanation.version)), ("key", JSONText(explanation.key)),
            ("checkedSecondsAgo", JSONText(explanation.checkedSecondsAgo)),
            ("lifetimeSeconds", JSONText(explanation.lifetimeSeconds)), ("stored", stored ?? .null),
        ])
    }
}
