import RenditionCache

extension Command {
    /// A whole channel before demand.
    static let warm = Command(
        name: "warm",
        operands: "[channel]",
        operandCount: 0...1,
        purpose: "fetch and render a channel's renditions before anyone asks",
        details: """
            The channel may be left out if there is only one. What is made of each picture is the channel's "warm" list
            (default Thumbnail, Medium, native; for AEM and microCMS "requested", which is what content itself asks for),
            unless --rendition or --transform say otherwise. A warm that was interrupted or killed goes on from there when
            the same command is given again within a day.
            """,
        options: [
            Option(
                name: "rendition",
                value: "NAME",
                help: "native, Thumbnail, Small, Medium, Large, a preset, the CMS's own, or requested",
                isRepeatable: true
            ),
            Option(
                name: "transform",
                value: "QUERY",
                help: "what to do to each picture, as in 'width=640'",
                isRepeatable: true
            ),
            Option(name: "used", help: "only what the channel's content refers to"),
            Option(name: "only-missing", help: "only what is not in the cache (default)"),
            Option(name: "refresh", help: "ask the origin again for everything"),
            Option(
                name: "changed-since",
                value: "DATE",
                help: "only what changed since 2026-01-31, 2026-01-31T18:00Z or \"2 d\" ago"
            ),
            Option(name: "limit", value: "N", help: "at most that many pictures"),
            Option(
                name: "max-bytes",
                value: "SIZE",
                help: "stop once that much has been added to the cache, as in \"2 GB\""
            ),
            Option(name: "concurrency", value: "N", help: "pictures at a time, 1…256 (default 8)"),
            Option(name: "dry-run", help: "only say what would be done"),
        ],
        examples: [
            Example(
                line: "rcache warm blog",
                purpose: "everything an app will ask for, with progress and a closing table"
            ),
            Example(
                line: "rcache warm photos --folder photos --rendition Medium --transform 'width=320&format=webp'",
                purpose: "two forms of every picture in a folder"
            ),
        ],
        run: { (invocation) throws(Failure) in try await WarmCommand(invocation).run() }
    )
}

/// `rcache warm`.
struct WarmCommand {
    private let invocation: Invocation
    private var arguments: Arguments { invocation.arguments }

    init(_ invocation: Invocation) { self.invocation = invocation }

    func run() async throws(Failure) -> ExitCode {
        let configuration = try invocation.configuration()
        let plan = try plan(configuration)
        return try await invocation.withService(configuration) { (service) throws(Failure) in
            var report = WarmReport(plan: plan, invocation: invocation)
            do {
                for try await event in service.warm(plan) { try report.take(event) }
            } catch RenditionError.cancelled {
                // Told below, as when the stream just ends.
            } catch {
                report.breakOff()
                throw (error as? Failure) ?? (error as? RenditionError).map { Failure($0) }
                    ?? Failure(.failures, "\(error)")
            }
            return try report.finish()
        }
    }

    private func plan(_ configuration: Configuration) throws(Failure) -> WarmPlan {
        let channel = try invocation.channel(named: arguments.operands.first, of: configuration)
        var plan = WarmPlan(channel: channel.name)
        plan.selections = try selections(channel, configuration)
        plan.requested = arguments.all("rendition").contains(WarmSelection.requested)
        plan.refresh = arguments.has("refresh")
        if plan.refresh, arguments.has("only-missing") {
            throw .usage("--refresh and --only-missing exclude each other")
        }
        plan.scope = arguments.has("used") ? .used : .all
        plan.dryRun = arguments.has("dry-run")
        plan.limit = try arguments.number("limit", in: 1...1_000_000_000)
        plan.concurrency = try arguments.number("concurrency", in: 1...256) ?? plan.concurrency
        if let text = arguments["max-bytes"] {
            guard let bytes = Quantity.bytes(text) else {
                throw .usage("--max-bytes takes \(Quantity.sizeForm), not \(quoted(text))")
            }
            plan.maxBytes = bytes
        }
        if let text = arguments["changed-since"] {
            guard let seconds = DateText.seconds(text, now: SystemClock.seconds()) else {
                throw .usage("--changed-since takes \(DateText.form), not \(quoted(text))")
            }
            plan.changedSinceSeconds = seconds
        }
        return plan
    }

    private func selections(
        _ channel: ChannelSettings,
        _ configuration: Configuration
    ) throws(Failure) -> [RenditionRequest.Selection] {
        do throws(RequestError) {
            var selections: [RenditionRequest.Selection] = []
            for name in arguments.all("rendition") where name != WarmSelection.requested {
                selections += WarmSelection.concrete(
                    try WarmSelection.selection(name, presets: configuration.presets, ignoringCase: true)
                )
            }
            for query in arguments.all("transform") {
                selections += WarmSelection.concrete(.transform(try channel.dialect.transform(written: query)))
            }
            return selections
        } catch {
            throw .usage("\(error)")
        }
    }
}
