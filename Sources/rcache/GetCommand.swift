import RenditionCache

extension Command {
    /// One rendition.
    static let get = Command(
        name: "get",
        operands: "<id>",
        operandCount: 1...1,
        purpose: "one rendition, from the cache or the origin",
        details: """
            <id> is an id, a slug, a path (in a folder, in AEM's DAM, behind microCMS' /assets/, below a web server's url), or
            a URL of the CMS with the form it asks for. Without -o the bytes go to a pipe, or on a terminal to a file named
            after the picture. A rendition that the origin could not confirm is written with a notice; a placeholder only
            with --placeholder.
            """,
        options: SelectionOptions.options + [
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
                line: "rcache get content/dam/site/beach.jpg --transform 'width=640&preferwebp=true' -o beach.webp",
                purpose: "an asset of AEM, in AEM's words"
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

    init(_ invocation: Invocation) { self.invocation = invocation }

    func run() async throws(Failure) -> ExitCode {
        let configuration = try invocation.configuration()
        let (requests, wanted) = try invocation.requests(for: arguments.operands[0], configuration)
        let delivery = try RenditionDelivery(invocation)
        return try await invocation.withService(configuration) { (service) throws(Failure) in
            let search = RenditionSearch(service: service, console: console, isOffline: arguments.has("offline"))
            let request = try await search.choose(requests)
            let outcome = try await outcome(search, request, wanted.nativeFormat)
            try accept(outcome)
            try delivery.deliver(outcome, request)
            return .done
        }
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
        case .overloaded: throw Failure(.failures, "the picture could not be rendered just now\(hint)")
        case .undecodable: throw Failure(.failures, "the picture cannot be decoded\(hint)")
        case .tooLarge: throw Failure(.failures, "the picture is larger than the limits allow\(hint)")
        case .notAnImage: throw Failure(.failures, "it is not a picture\(hint)")
        }
    }
}
