/// Pictures in OCM's rich text (spec OCM §7.3).
enum OCMRichText {
    private static let opening = "[!--$CEC_DIGITAL_ASSET--]", closing = "[/!--$CEC_DIGITAL_ASSET--]"
    /// Longest identifier or slug in bytes.
    private static let maxNameBytes = 1024

    /// The assets that the HTML shows by their URLs, in order.
    static func pictures(in html: String) throws(HTMLError) -> [AssetReference] {
        try HTMLPictures.sources(in: html).compactMap { asset(at: $0.url) }
    }

    /// The assets of macros, which clients replace by the URLs of natives:
    /// `[!--$CEC_DIGITAL_ASSET--]id[,true][/!--$CEC_DIGITAL_ASSET--]`.
    static func macros(in text: String) -> [AssetReference] {
        guard text.contains(opening) else { return [] }
        return text.split(separator: opening, omittingEmptySubsequences: false).dropFirst().compactMap { rest in
            guard let end = rest.firstRange(of: closing) else { return nil }
            let id = String(rest[..<end.lowerBound].prefix { $0 != "," }).trimmed
            return id.isEmpty || id.utf8.count > maxNameBytes ? nil : .id(id)
        }
    }

    /// The asset of `…/content/published/api/v1.1/assets/{id}/…` or `…/content/assets/{slug}/…`, on whatever host: delivery
    /// hosts have many names (spec OCM §8).
    static func asset(at source: String) -> AssetReference? {
        let path = source.prefix { !"?#".contains($0) }
        guard let root = path.firstRange(of: "/content/") else { return nil }
        var parts = path[root.upperBound...].split(separator: "/", omittingEmptySubsequences: false)
        var isSlug = parts.first == "assets"
        if !isSlug {
            guard parts.count > 3, parts[..<2] == ["published", "api"], parts[3] == "assets" else { return nil }
            parts.removeFirst(3)
            if parts.dropFirst().first == ".by.slug" {
                isSlug = true
                parts.removeFirst()
            }
        }
        // An identifier alone is no picture's URL; a form follows it.
        guard parts.count >= 3, let name = percentDecoded(parts[1].utf8), !name.isEmpty,
            name.utf8.count <= maxNameBytes
        else { return nil }
        return isSlug ? .slug(name) : .id(name)
    }
}
