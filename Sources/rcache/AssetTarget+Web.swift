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

    /// The parameters of a microCMS path `/assets/…?w=640`; nil where the text is no such path, or has none.
    static func mediaForm(_ text: String, channels: [ChannelSettings]) -> String? {
        guard text.hasPrefix("/assets/") || text.hasPrefix("assets/") else { return nil }
        let query = text.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst()
        let isMedia = channels.contains { channel in
            if case .microcms = channel.kind { webCandidate(text, in: channel) != nil } else { false }
        }
        return isMedia && query.contains("=") ? String(query) : nil
    }

    /// What is said of a URL at whose host no channel has it: where the channels of that host have theirs.
    static func notHere(_ base: BaseURL, channels: [ChannelSettings]) -> String {
        let message = "no channel of the configuration is at \(base.text)"
        for channel in channels {
            switch channel.kind {
            case .http(let settings) where (try? BaseURL(settings.url, droppingPath: true)) == base:
                return "\(channel.name) has nothing but what is below \(settings.url)"
            case .microcms(let settings) where settings.imageHosts.contains(base.host):
                return "the URL is no picture of \(channel.name); those are at \(base.text)/assets/…"
            case .microcms where base.host == MicroCMSSettings.sharedImageHost:
                return
                    "\(message); add \(quoted(base.host)) to \"imageHosts\" of \(channel.name) if that is where its pictures are"
            default: continue
            }
        }
        return message
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
