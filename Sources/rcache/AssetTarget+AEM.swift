import RenditionCache

/// Addresses of AEM: paths in the DAM, identifiers, and the URLs that queries answer with.
extension AssetTarget {
    /// The target of a URL; nil where no channel of kind aem is at its host.
    static func aem(_ rest: Substring, at base: BaseURL, channels: [ChannelSettings]) throws(Failure) -> AssetTarget? {
        let here = channels.filter { channel in
            guard case .aem(let settings) = channel.kind else { return false }
            return AEMPictureAddress.roots(of: settings).contains(base.text)
        }
        guard !here.isEmpty else { return nil }
        guard let address = AEMPictureAddress(target: String(rest)) else {
            throw .usage("the URL's path \(quoted(String(rest.prefix { $0 != "?" }))) is no picture of AEM")
        }
        let candidates = here.map { Candidate(channel: $0.name, reference: address.reference) }
        return AssetTarget(candidates, rendition: address.form)
    }

    /// What an operand may be called in a channel of kind aem.
    static func aemReferences(_ text: String) -> [AssetReference] {
        if let address = AEMPictureAddress(operand: text) { return [address.reference] }
        return [.id(text)]
    }

    /// The form that an operand names which is an address without its host; nil for a mere name of an asset.
    static func aemForm(_ text: String, channels: [ChannelSettings]) -> String? {
        let isAEM = channels.contains { if case .aem = $0.kind { true } else { false } }
        guard isAEM, let form = AEMPictureAddress(operand: text)?.form, form != "native" else { return nil }
        return form
    }
}
