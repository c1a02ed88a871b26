extension Asset {
    /// Longest file name in bytes: it goes into a header field whole.
    private static let maxNameBytes = 255
    /// Longest extension in bytes that a cut name keeps, its point included.
    private static let maxEndingBytes = 16
    /// Most forms of one asset that are remembered; a site asks for a handful.
    private static let maxRequests = 64

    /// A name as long as a file's may be, its extension kept.
    static func fileName(_ name: some StringProtocol) -> String {
        guard name.utf8.count > maxNameBytes else { return String(name) }
        let ending =
            name.lastIndex(of: ".").map { name[$0...] }.flatMap { $0.utf8.count <= maxEndingBytes ? String($0) : nil }
            ?? ""
        var stem = name.dropLast(ending.count).prefix(maxNameBytes)
        while stem.utf8.count + ending.utf8.count > maxNameBytes { stem.removeLast() }
        return String(stem) + ending
    }

    /// What two places of one catalogue say of an asset, put together; the first counts where they differ.
    func joined(with other: Asset) -> Asset {
        var asset = self
        asset.slug = slug ?? other.slug
        asset.mediaType = mediaType ?? other.mediaType
        asset.size = size ?? other.size
        asset.address = address ?? other.address
        let requests = (requested ?? []) + (other.requested ?? []).filter { !(requested ?? []).contains($0) }
        asset.requested = requests.isEmpty ? nil : Array(requests.prefix(Self.maxRequests))
        return asset
    }
}
