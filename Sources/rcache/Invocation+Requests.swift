import RenditionCache

extension SelectionOptions {
    /// The options that say which picture in which form.
    static let options: [Option] = [
        Option(
            name: "rendition",
            value: "NAME",
            help: "native (default), Thumbnail, Small, Medium, Large, a preset, or the CMS's own"
        ),
        Option(name: "channel", value: "NAME", help: "the channel; needed only if several have the id"),
        Option(
            name: "transform",
            value: "QUERY",
            help: "what to do to the picture, as in 'width=640&format=webp'; on AEM and microCMS in the CMS's own words"
        ),
        Option(name: "width", value: "PIXELS", help: "at most that wide, 1…8192"),
        Option(name: "height", value: "PIXELS", help: "at most that high, 1…8192"),
        Option(name: "format", value: "NAME", help: "jpeg, png, webp, avif, jxl or gif (default the picture's own)"),
        Option(name: "quality", value: "NUMBER", help: "1…100 (default JPEG 80, WebP 80, AVIF 55, JPEG XL 80)"),
    ]
}

extension Invocation {
    /// What an operand and the options ask for: a request for each channel, and name there, that may have it.
    func requests(
        for operand: String,
        _ configuration: Configuration
    ) throws(Failure) -> ([RenditionRequest], SelectionOptions) {
        var channels = configuration.channels
        if let name = arguments["channel"] { channels = [try channel(named: name, of: configuration)] }
        let target = try AssetTarget(operand, channels: channels)
        let words = try words(target)
        var requests: [RenditionRequest] = []
        var options: [SelectionOptions] = []
        for candidate in target.candidates {
            let dialect = channels.first { $0.name == candidate.channel }?.dialect ?? .own
            let wanted = try SelectionOptions(words, presets: configuration.presets, dialect: dialect)
            options.append(wanted)
            requests.append(
                RenditionRequest(channel: candidate.channel, asset: candidate.reference, selection: wanted.selection)
            )
        }
        guard let wanted = options.first else { throw Failure(.notFound, "no channel can have it") }
        return (requests, wanted)
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
}
