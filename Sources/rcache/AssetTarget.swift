import RenditionCache

/// What `get` is pointed at: an id, a slug, a path, or a URL of a CMS.
struct AssetTarget: Equatable {
    /// A channel that may have it, and how it would be called there.
    struct Candidate: Equatable {
        var channel: String
        var reference: AssetReference
    }

    /// Where to look, in order.
    var candidates: [Candidate]
    /// The form that a URL names, in the words of `--rendition`.
    var rendition: String?

    /// Reads an operand.
    ///
    /// - Parameter channels: the one that was named, or all.
    init(_ text: String, channels: [ChannelSettings]) throws(Failure) {
        if text.hasPrefix("https://") || text.hasPrefix("http://") {
            self = try Self.fromURL(text, channels: channels)
        } else if text.isEmpty {
            throw .usage("the id is empty")
        } else {
            candidates = channels.flatMap { Self.candidates(text, in: $0) }
            rendition = Self.aemForm(text, channels: channels) ?? Self.mediaForm(text, channels: channels)
        }
    }

    init(_ candidates: [Candidate], rendition: String?) {
        self.candidates = candidates
        self.rendition = rendition
    }

    private static func candidates(_ text: String, in channel: ChannelSettings) -> [Candidate] {
        let byID = Candidate(channel: channel.name, reference: .id(text))
        switch channel.kind {
        case .folder: return [byID]
        case .microcms, .http: return [webCandidate(text, in: channel) ?? byID]
        case .aem: return aemReferences(text).map { Candidate(channel: channel.name, reference: $0) }
        case .ocm:
            return looksLikeID(text) ? [byID] : [Candidate(channel: channel.name, reference: .slug(text)), byID]
        }
    }

    /// `CONT` or `CORE` and 32 hexadecimal digits (spec OCM §1).
    private static func looksLikeID(_ text: String) -> Bool {
        text.utf8.count == 36 && (text.hasPrefix("CONT") || text.hasPrefix("CORE"))
            && text.dropFirst(4).allSatisfy { $0.isHexDigit && $0.isASCII && !$0.isLowercase }
    }

    // MARK: - URLs

    private static func fromURL(_ text: String, channels: [ChannelSettings]) throws(Failure) -> AssetTarget {
        if let target = web(text, channels: channels) { return target }
        let base: BaseURL
        do throws(BaseURL.Refusal) {
            base = try BaseURL(text, droppingPath: true)
        } catch {
            throw .usage("the URL \(error.reason)")
        }
        let rest = text.dropFirst(base.scheme.count + 3).drop { !"/?#".contains($0) }.prefix { $0 != "#" }
        if let target = try aem(rest, at: base, channels: channels) { return target }
        let target: RequestTarget
        do throws(RequestError) {
            target = try RequestTarget(rest.utf8)
        } catch {
            throw .usage("the URL cannot be read: \(error)")
        }
        let parameters = Dictionary(target.parameters.map { ($0.name, $0.value) }) { first, _ in first }
        let matching = try self.channels(at: base, token: parameters["channelToken"], among: channels)
        guard let (references, form) = form(OCMDialect.operation(target), format: parameters["format"]) else {
            let path = String(rest.prefix { $0 != "?" })
            throw .usage("the URL's path \(quoted(path)) is no asset, item or rendition of OCM")
        }
        let candidates = matching.flatMap { channel in
            references.map { Candidate(channel: channel.name, reference: $0) }
        }
        return AssetTarget(candidates, rendition: form)
    }

    /// The asset and the form, in the words of `--rendition`; nil for what is no picture.
    private static func form(
        _ operation: OCMDialect.Operation,
        format: String?
    ) -> (references: [AssetReference], form: String)? {
        switch operation {
        case .item(let references), .native(let references, _): return (references, "native")
        case .rendition(let references, let names, _):
            guard let name = names.first else { return nil }
            return (references, (name == "thumbnail" ? "Thumbnail" : name) + (format.map { ".\($0)" } ?? ""))
        default: return nil
        }
    }

    private static func channels(
        at base: BaseURL,
        token: String?,
        among channels: [ChannelSettings]
    ) throws(Failure) -> [ChannelSettings] {
        let here = channels.filter { channel in
            guard case .ocm(let settings) = channel.kind else { return false }
            // Anything else would have been refused with the configuration.
            return (try? BaseURL(settings.url)) == base
        }
        guard !here.isEmpty else {
            throw .usage(notHere(base, channels: channels))
        }
        let withToken = here.filter { channel in
            guard case .ocm(let settings) = channel.kind else { return false }
            return token != nil && settings.channelToken == token
        }
        return withToken.isEmpty ? here : withToken
    }
}
