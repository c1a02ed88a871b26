import RenditionCache

/// Where `get` puts a picture, and what it says about it.
struct RenditionDelivery {
    private enum Destination {
        case standardOutput
        /// A file; nil is one in this folder, named after the picture.
        case file(String?, inFolder: String?)
        case nowhere
    }

    private let console: Console
    private let isJSON: Bool
    private let force: Bool
    private let destination: Destination

    /// Chooses by `-o`, `--info`, and whether standard output is a terminal.
    init(_ invocation: Invocation) throws(Failure) {
        let arguments = invocation.arguments
        console = invocation.console
        force = arguments.has("force")
        isJSON = invocation.isJSON || arguments.has("info")
        let output = arguments["output"]
        if arguments.has("info") {
            guard output == nil else { throw .usage("--info writes no bytes; leave -o out") }
            destination = .nowhere
        } else if let output, output != "-" {
            let isFolder = Invocation.isDirectory(output)
            destination = .file(isFolder ? nil : output, inFolder: isFolder ? output : nil)
        } else if output == nil, console.isOutputTerminal {
            destination = .file(nil, inFolder: nil)
        } else {
            guard !isJSON else { throw .usage("the bytes go to standard output; for --json add -o FILE or --info") }
            destination = .standardOutput
        }
    }

    /// Writes the picture, a notice if it is not fresh, and JSON if it is wanted.
    func deliver(_ outcome: RenditionOutcome, _ request: RenditionRequest) throws(Failure) {
        notice(outcome)
        let rendition = outcome.rendition
        var file: String?
        switch destination {
        case .nowhere: break
        case .standardOutput: try OutputFile.writeToStandardOutput(rendition.body)
        case .file(let named?, _):
            try OutputFile.write(rendition.body, to: named, overwriting: true)
            file = named
        case .file(nil, let folder):
            let name = OutputFile.safeName(rendition.fileName)
            let path = folder.map { $0.hasSuffix("/") ? $0 + name : "\($0)/\(name)" } ?? name
            try OutputFile.write(rendition.body, to: path, overwriting: force)
            file = path
        }
        if isJSON {
            try console.write(RenditionInfo.json(outcome, request, file: file, now: SystemClock.seconds()))
        } else if let file, console.isLive || !isNamed {
            console.say("\(file)  \(RenditionInfo.clause(rendition))")
        }
    }

    private var isNamed: Bool {
        if case .file(.some, _) = destination { true } else { false }
    }

    private func notice(_ outcome: RenditionOutcome) {
        let age = outcome.rendition.provenance.staleSeconds.map {
            "\(Quantity.text(seconds: Double($0))) past its time"
        }
        switch outcome {
        case .rendition: if let age { console.say("note: this picture is \(age); it is checked for the next time") }
        case .stale(_, let cause):
            console.say("note: this is the last good picture\(age.map { ", \($0)" } ?? "") (\(cause.rawValue))")
        case .placeholder(_, let cause):
            console.say("note: this is a placeholder, not the picture (\(cause.rawValue))")
        }
    }
}

/// What is said of a rendition.
enum RenditionInfo {
    /// `1024×683  jpeg  143 kB  made here`.
    static func clause(_ rendition: Rendition) -> String {
        let maker =
            switch rendition.provenance.maker {
            case .origin: "from the origin"
            case .local: "made here"
            case .placeholder: "a placeholder"
            }
        let parts = [
            rendition.size?.description, rendition.format?.rawValue ?? rendition.mediaType,
            Quantity.text(bytes: rendition.body.count), maker,
        ]
        return parts.compactMap { $0 }.joined(separator: "  ")
    }

    /// Everything.
    static func json(_ outcome: RenditionOutcome, _ request: RenditionRequest, file: String?, now: Double) -> JSONText {
        let rendition = outcome.rendition
        let isPlaceholder = rendition.provenance.maker == .placeholder
        return .object([
            ("channel", .string(request.channel)),
            ("asset", .string(request.asset.description)),
            ("state", .string(state(outcome))),
            ("cause", JSONText(rendition.provenance.cause?.rawValue)),
            ("provenance", .string(rendition.provenance.fieldValue)),
            ("format", JSONText(rendition.format?.rawValue)),
            ("mediaType", .string(rendition.mediaType)),
            ("width", JSONText(rendition.size?.width)),
            ("height", JSONText(rendition.size?.height)),
            ("bytes", .integer(rendition.body.count)),
            ("sha256", .string(rendition.digest.description)),
            ("entityTag", JSONText(rendition.entityTag)),
            ("modified", JSONText(rendition.modifiedSeconds.map(DateText.rfc3339))),
            ("ageSeconds", isPlaceholder ? .null : .integer(whole(now - rendition.validatedSeconds))),
            ("lifetimeSeconds", isPlaceholder ? .null : .integer(whole(rendition.lifetimeSeconds))),
            ("fileName", .string(rendition.fileName)),
            ("file", JSONText(file)),
        ])
    }

    private static func state(_ outcome: RenditionOutcome) -> String {
        switch outcome {
        case .rendition: "fresh"
        case .stale: "stale"
        case .placeholder: "placeholder"
        }
    }

    /// Whole seconds, however far off a clock or a header is.
    private static func whole(_ seconds: Double) -> Int { Int(min(max(seconds, 0), 1e15)) }
}
