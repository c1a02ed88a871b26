import RenditionCache

extension Command {
    /// What a warm would find new.
    static let diff = Command(
        name: "diff",
        operands: "[channel]",
        operandCount: 0...1,
        purpose: "what was added, changed and removed since the last warm, and what was never warmed",
        details: """
            The channel may be left out if there is only one. The catalogue is read, no picture is fetched. Where a
            catalogue names neither version nor time of change (AEM, microCMS, a list of URLs), only a warm finds out
            whether a picture has changed, once maxAge has passed or with --refresh; such pictures are counted as not
            comparable.
            """,
        examples: [
            Example(line: "rcache diff blog", purpose: "what the next warm would have to do"),
            Example(line: "rcache diff blog --json", purpose: "the same, one JSON object a difference"),
        ],
        run: { (invocation) throws(Failure) in try await DiffCommand(invocation: invocation).run() }
    )
}

/// `rcache diff`.
struct DiffCommand {
    let invocation: Invocation

    /// Differences of one sort that are listed one by one on a terminal.
    private static let listed = 50

    func run() async throws(Failure) -> ExitCode {
        let configuration = try invocation.configuration()
        let channel = try invocation.channel(named: invocation.arguments.operands.first, of: configuration).name
        return try await invocation.withService(configuration) { (service) throws(Failure) in
            let diff: CatalogueDiff
            do throws(RenditionError) { diff = try await service.difference(in: channel) } catch {
                throw Failure(error)
            }
            try show(diff, of: channel)
            return .done
        }
    }

    private func show(_ diff: CatalogueDiff, of channel: String) throws(Failure) {
        let sorts: [(name: String, items: [Item])] = [
            ("added", diff.added.map { Item($0) }), ("changed", diff.changed.map { Item($0) }),
            ("removed", diff.removed.map { Item(id: $0) }),
            ("never warmed", diff.neverWarmed.map { Item($0.asset, remark: $0.reason) }),
        ]
        if invocation.isJSON {
            for (name, items) in sorts { for item in items { try invocation.console.write(item.json(name)) } }
            return try invocation.console.write(Self.summary(diff, sorts.map { ($0.name, $0.items.count) }))
        }
        var rows: [[String]] = []
        for (name, items) in sorts {
            rows += items.prefix(Self.listed).map { [name, $0.id, $0.name, $0.remark] }
            if items.count > Self.listed { rows.append([name, "and \(items.count - Self.listed) more", "", ""]) }
        }
        if !rows.isEmpty { try invocation.console.write(Table(rows: rows).text) }
        invocation.console.say(Self.text(diff, sorts.map { ($0.name, $0.items.count) }, channel: channel))
    }

    private static func text(_ diff: CatalogueDiff, _ counts: [(name: String, count: Int)], channel: String) -> String {
        var parts = counts.map { "\($0.count) \($0.name)" } + ["\(diff.unchangedCount) unchanged"]
        if diff.unversionedCount > 0 { parts.append("\(diff.unversionedCount) not comparable without a warm") }
        guard let seconds = diff.warmSeconds else {
            return "\(channel) was never warmed: \(parts.joined(separator: ", "))"
        }
        let warm = diff.isFinished ? "the last warm" : "the last warm, which was interrupted,"
        return "since \(warm) of \(DateText.rfc3339(seconds)): \(parts.joined(separator: ", "))"
    }

    private static func summary(_ diff: CatalogueDiff, _ counts: [(name: String, count: Int)]) -> JSONText {
        .object(
            [("event", "finished"), ("lastWarm", JSONText(diff.warmSeconds.map(DateText.rfc3339)))]
                + counts.map { ($0.name == "never warmed" ? "neverWarmed" : $0.name, .integer($0.count)) }
                + [
                    ("unchanged", .integer(diff.unchangedCount)), ("notComparable", .integer(diff.unversionedCount)),
                    ("lastWarmFinished", .bool(diff.isFinished)),
                ]
        )
    }

    /// One difference.
    private struct Item {
        var id: String
        var name = ""
        var remark = ""

        init(id: String) { self.id = id }

        init(_ asset: Asset, remark: String = "") {
            (id, name) = (asset.id, asset.name)
            self.remark = remark
        }

        func json(_ sort: String) -> JSONText {
            .object([
                ("difference", .string(sort)), ("id", .string(id)), ("name", .string(name)),
                ("reason", JSONText(remark.isEmpty ? nil : remark)),
            ])
        }
    }
}
