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
        Option(name: "transform", value: "QUERY", help: "what to do to the picture, as in 'width=640&format=webp'"),
        Option(name: "width", value: "PIXELS", help: "at most that wide, 1…8192"),
        Option(name: "height", value: "PIXELS", help: "at most that high, 1…8192"),
        Option(name: "format", value: "NAME", help: "jpeg, png, webp or avif (default the picture's own)"),
        Option(name: "quality", value: "NUMBER", help: "1…100 (default JPEG 80, WebP 80, AVIF 55)"),
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
        let wanted = try SelectionOptions(words(target), presets: configuration.presets)
        let requests = target.candidates.map {
            RenditionRequest(channel: $0.channel, asset: $0.reference, selection: wanted.selection)
        }
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
