import RenditionCache

extension Command {
    /// One rendition.
    static let get = Command(
        name: "get",
        operands: "<id>",
        operandCount: 1...1,
        purpose: "one rendition, from the cache or the origin",
        details: """
            <id> is an id, a slug, a path in a folder, or a URL of the CMS. Without -o the bytes go to a pipe, or on a
            terminal to a file named after the picture. A rendition that the origin could not confirm is written with a
            notice; a placeholder only with --placeholder.
            """,
        options: GetCommand.selectionOptions + [
            Option(
                name: "output",
                letter: "o",
                value: "FILE",
                help: "where to; the extension decides the format, - is standard output"
            ),
            Option(name: "info", help: "what is known of it, as JSON; no bytes"),
            Option(name: "offline", help: "from the cache alone, however old"),
            Option(name: "placeholder", help: "accept a stand-in if there is no picture"),
            Option(name: "force", help: "replace a file that is there"),
        ],
        examples: [
            Example(
                line: "rcache get CONT0123456789ABCDEF0123456789ABCDEF --rendition Medium -o hero.jpg",
                purpose: "the CMS's Medium rendition, or one made here, as JPEG"
            ),
            Example(
                line: "rcache get beach --folder photos --width 640 --format webp > beach.webp",
                purpose: "a picture of a folder, 640 pixels wide"
            ),
        ],
        run: { (invocation) throws(Failure) in try await GetCommand(invocation).run() }
    )
}

/// `rcache get`.
struct GetCommand {
    let invocation: Invocation
    private var arguments: Arguments { invocation.arguments }
    private var console: Console { invocation.console }

    /// Which form of a picture; also of `explain`.
    static let selectionOptions: [Option] = [
        Option(
            name: "rendition",
            value: "NAME",
            help: "native (default), Thumbnail, Small, Medium, Large, a preset, or the CMS's own"
        ),
        Option(name: "channel", value: "NAME", help: "the channel; needed only if several have the id"),
        Option(name: "transform", value: "QUERY", help: "what to do to the picture, as in 'width=640&format=webp'"),
        Option(name: "width", value: "PIXELS", help: "at most that wide, 1…8192"),
        Option(name: "height", value: "PIXELS", help: "at most that high, 1…8192"),
        Option(name: "format", value: "NAME", help: "jpeg, png, webp or avif (default the picture's own)"),
        Option(name: "quality", value: "NUMBER", help: "1…100 (default JPEG 80, WebP 80, AVIF 55)"),
    ]

    init(_ invocation: Invocation) { self.invocation = invocation }

    func run() async throws(Failure) -> ExitCode {
        let configuration = try invocation.configuration()
        let (requests, format) = try requests(configuration)
        let delivery = try RenditionDelivery(invocation)
        return try await invocation.withService(configuration) { (service) throws(Failure) in
            let search = RenditionSearch(service: service, console: console, isOffline: arguments.has("offline"))
            let request = try await search.choose(requests)
            let outcome = try await outcome(search, request, format)
            try accept(outcome)
            try delivery.deliver(outcome, request)
            return .done
        }
    }

    /// What may be meant, one request a channel that could have it, and the format that a native is to have.
    func requests(_ configuration: Configuration) throws(Failure) -> ([RenditionRequest], format: ImageFormat?) {
        let channels =
            try arguments["channel"].map { (name) throws(Failure) in
                [try invocation.channel(named: name, of: configuration)]
            } ?? configuration.channels
        let target = try AssetTarget(arguments.operands[0], channels: channels)
        let wanted = try SelectionOptions(words(target), presets: configuration.presets)
        let requests = target.candidates.map {
            RenditionRequest(channel: $0.channel, asset: $0.reference, selection: wanted.selection)
        }
        return (requests, wanted.nativeFormat)
    }

    private func words(_ target: AssetTarget) throws(Failure) -> SelectionOptions.Words {
        if target.rendition != nil, arguments["rendition"] != nil {
            throw .usage("the URL names a rendition already; leave --rendition out, or give the id")
        }
        var words = SelectionOptions.Words()
        words.rendition = arguments["rendition"] ?? target.rendition ?? words.rendition
        words.transform = arguments["transform"]
        words.output = arguments["output"]
        for name in ["width", "height", "format", "quality"] {
            if let value = arguments[name] { words.parameters.append((name, value)) }
        }
        return words
    }

    /// The picture; a native of another format than is wanted is converted.
    private func outcome(
        _ search: RenditionSearch,
        _ request: RenditionRequest,
        _ format: ImageFormat?
    ) async throws(Failure) -> RenditionOutcome {
        let outcome = try await search.outcome(request)
        guard let format, outcome.rendition.format != format else { return outcome }
        try accept(outcome)
        try SelectionOptions.check(format)
        var converted = request
        converted.selection = .transform(Transform(format: .fixed(format)))
        return try await search.outcome(converted)
    }

    /// Says that a picture is old, and refuses a placeholder that was not asked for.
    private func accept(_ outcome: RenditionOutcome) throws(Failure) {
        guard case .placeholder(_, let cause) = outcome, !arguments.has("placeholder") else { return }
        let hint = "; --placeholder accepts a stand-in"
        switch cause {
        case .notFound: throw Failure(.notFound, "the origin has no such picture\(hint)")
        case .forbidden: throw Failure(.unreachable, "the origin refuses the picture, and nothing is cached\(hint)")
        case .originDown: throw Failure(.unreachable, "the origin cannot be reached, and nothing is cached\(hint)")
        case .timeout: throw Failure(.unreachable, "the origin did not answer in time, and nothing is cached\(hint)")
        case .overloaded: throw Failure(.unreachable, "too much is waiting to be rendered; try again\(hint)")
        case .undecodable: throw Failure(.failures, "the picture cannot be decoded\(hint)")
        case .tooLarge: throw Failure(.failures, "the picture is larger than the limits allow\(hint)")
        case .notAnImage: throw Failure(.failures, "it is not a picture\(hint)")
        }
    }
}
