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
        }
    }

    private init(_ candidates: [Candidate], rendition: String?) {
        self.candidates = candidates
        self.rendition = rendition
    }

    private static func candidates(_ text: String, in channel: ChannelSettings) -> [Candidate] {
        let byID = Candidate(channel: channel.name, reference: .id(text))
        switch channel.kind {
        case .folder: return [byID]
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
        let base: BaseURL
        do throws(BaseURL.Refusal) {
            base = try BaseURL(text, droppingPath: true)
        } catch {
            throw .usage("the URL \(error.reason)")
        }
        let afterScheme = text.dropFirst(base.scheme.count + 3)
        let target = afterScheme.drop { !"/?#".contains($0) }.prefix { $0 != "#" }
        let path = target.prefix { $0 != "?" }
        let query = Self.query(target.dropFirst(path.count + 1))
        let matching = try self.channels(at: base, token: query["channelToken"], among: channels)
        guard let (reference, form) = OCMPath.parse(path, query: query) else {
            throw .usage("the URL's path \(quoted(String(path))) is no asset, item or rendition of OCM")
        }
        return AssetTarget(matching.map { Candidate(channel: $0.name, reference: reference) }, rendition: form)
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
            throw .usage("no channel of the configuration is at \(base.text)")
        }
        let withToken = here.filter { channel in
            guard case .ocm(let settings) = channel.kind else { return false }
            return token != nil && settings.channelToken == token
        }
        return withToken.isEmpty ? here : withToken
    }

    /// The decoded parameters; of equal names the first, and none that cannot be decoded.
    private static func query(_ raw: Substring) -> [String: String] {
        var parameters: [String: String] = [:]
        for piece in raw.split(separator: "&") {
            let parts = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = percentDecoded(parts[0].utf8), parameters[name] == nil else { continue }
            parameters[name] = parts.count > 1 ? percentDecoded(parts[1].utf8) ?? "" : ""
        }
        return parameters
    }
}

/// The delivery paths of OCM (spec OCM §1, §8).
private enum OCMPath {
    /// The asset and the form, in the words of `--rendition`; nil for any other path.
    static func parse(_ path: Substring, query: [String: String]) -> (AssetReference, String)? {
        var segments: [String] = []
        for segment in path.split(separator: "/") {
            guard let decoded = percentDecoded(segment.utf8) else { return nil }
            segments.append(decoded)
        }
        if segments.starts(with: ["content", "assets"]) {
            guard segments.count > 2 else { return nil }
            return form(.slug(segments[2]), segments.dropFirst(3), query)
        }
        let prefix = ["content", "published", "api"]
        guard segments.starts(with: prefix), segments.count > 5, segments[3] == "v1.1" || segments[3] == "v1" else {
            return nil
        }
        var rest = segments.dropFirst(5)
        guard segments[4] == "assets" || segments[4] == "items", let first = rest.popFirst() else { return nil }
        var reference = AssetReference.id(first)
        if first == ".by.slug" {
            guard let slug = rest.popFirst() else { return nil }
            reference = .slug(slug)
        }
        return segments[4] == "items" && rest.isEmpty ? (reference, "native") : form(reference, rest, query)
    }

    /// `native`, or a rendition's name with its format; a file name may follow.
    private static func form(
        _ reference: AssetReference,
        _ rest: ArraySlice<String>,
        _ query: [String: String]
    ) -> (AssetReference, String)? {
        guard let name = rest.first, rest.count <= 2 else { return nil }
        if name == "native" { return (reference, name) }
        let format = query["format"].map { ".\($0)" } ?? ""
        return (reference, (name == "thumbnail" ? "Thumbnail" : name) + format)
    }
}
