import RenditionCache

/// Addresses of pictures of microCMS and of plain web servers.
extension AssetTarget {
    /// The target of a URL; nil where no channel of these kinds has it.
    ///
    /// The parameters of a microCMS picture are the form that is asked for; those of another belong to its name.
    static func web(_ url: String, channels: [ChannelSettings]) -> AssetTarget? {
        let candidates = channels.compactMap { webCandidate(url, in: $0) }
        guard !candidates.isEmpty else { return nil }
        let media = candidates.filter { candidate in
            channels.contains { if case .microcms = $0.kind { $0.name == candidate.channel } else { false } }
        }
        let query = url.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst()
        guard !media.isEmpty else { return AssetTarget(candidates, rendition: "native") }
        return AssetTarget(media, rendition: query.contains("=") ? String(query) : "native")
    }

    /// What an operand is called in a channel of these kinds; nil for what is no picture there.
    static func webCandidate(_ text: String, in channel: ChannelSettings) -> Candidate? {
        let id: String? =
            switch channel.kind {
            case .microcms(let settings): settings.assetID(named: text, allow: channel.allow)
            case .http(let settings): settings.assetID(named: text)
            case .folder, .ocm, .aem: nil
            }
        return id.map { Candidate(channel: channel.name, reference: .id($0)) }
    }
}
