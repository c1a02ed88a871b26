import RenditionCache

extension Command {
    /// Why a request hits or misses.
    static let explain = Command(
        name: "explain",
        operands: "<id>",
        operandCount: 1...1,
        purpose: "say what a request would meet: key, freshness, hit or miss and why; nothing is changed",
        details: "The picture is named as in get: an id, a path, or one of the CMS's own URLs.",
        options: GetCommand.selectionOptions,
        examples: [
            Example(line: "rcache explain CONT0123 --rendition Medium", purpose: "as one channel's app would ask"),
            Example(line: "rcache explain harbour --width 640 --folder photos --json", purpose: "a transform, as JSON"),
        ],
        run: { (invocation) throws(Failure) in
            let configuration = try invocation.configuration()
            let (requests, _) = try GetCommand(invocation).requests(configuration)
            return try await invocation.withService(configuration) { (service) throws(Failure) in
                for request in requests {
                    let explanation: Explanation
                    do throws(RenditionError) {
                        explanation = try service.explain(request)
                    } catch {
                        throw Failure(error)
                    }
                    let text = ExplanationText(explanation)
                    try invocation.isJSON
                        ? invocation.console.write(text.json) : invocation.console.write(text.table)
                }
                return .done
            }
        }
    )
}

/// What `explain` prints.
struct ExplanationText {
    let explanation: Explanation

    init(_ explanation: Explanation) { self.explanation = explanation }

    var table: String {
        var rows = [
            ["asset", "\(explanation.asset) of channel \(explanation.channel)"], ["form", explanation.form],
            ["verdict", "\(explanation.verdict.rawValue): \(explanation.reason)"], ["source", explanation.source],
        ]
        if let version = explanation.version { rows.append(["version", version]) }
        if let checked = explanation.checkedSecondsAgo, let lifetime = explanation.lifetimeSeconds {
            let age = "checked \(Quantity.text(seconds: checked)) ago"
            rows.append(["freshness", "\(age), good for \(Quantity.text(seconds: lifetime))"])
        }
        if let key = explanation.key { rows.append(["key", key]) }
        if let stored = explanation.stored {
            let size = Quantity.text(bytes: stored.byteCount)
            rows.append(["stored", "\(size) of \(stored.mediaType), made by \(stored.maker)"])
            rows.append(["digest", stored.digest])
        }
        return Table(rows: rows).text
    }

    var json: JSONText {
        .object([
            ("channel", .string(explanation.channel)), ("asset", .string(explanation.asset)),
            ("form", .string(explanation.form)), ("verdict", .string(explanation.verdict.rawValue)),
            ("reason", .string(explanation.reason)), ("source", .string(explanation.source)),
            ("version", JSONText(explanation.version)), ("key", JSONText(explanation.key)),
            ("checkedSecondsAgo", JSONText(explanation.checkedSecondsAgo)),
            ("lifetimeSeconds", JSONText(explanation.lifetimeSeconds)),
            (
                "stored",
                explanation.stored.map { stored in
                    .object([
                        ("digest", .string(stored.digest)), ("bytes", .integer(stored.byteCount)),
                        ("mediaType", .string(stored.mediaType)), ("maker", .string(stored.maker)),
                        ("storedSeconds", .number(stored.storedSeconds)),
                    ])
                } ?? .null
            ),
        ])
    }
}
