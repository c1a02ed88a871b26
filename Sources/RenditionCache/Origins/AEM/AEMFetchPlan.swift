/// Where an asset's native and its stored renditions are, in the order in which they are tried (spec AEM §14.6); pure.
struct AEMFetchPlan {
    /// One address and what may come from it.
    struct Step: Equatable {
        /// The URL.
        var url: String
        /// Whether it is the original; anything else has to be a picture.
        var isOriginal: Bool
    }

    /// Scheme, host and port of the instance.
    let root: String
    /// The same of the host that the OpenAPI addresses are at.
    let deliveryRoot: String

    /// The largest stored renditions, which stand in for an original that may not be had.
    private static let largest = ["cq5dam.zoom.2048.2048.jpeg", "cq5dam.web.1280.1280.jpeg"]

    /// The addresses of an instance; in Adobe's cloud the OpenAPI host is another of the same environment (spec AEM §1).
    init(base: WebURL) {
        root = base.root
        let isCloud = base.host.hasSuffix(".adobeaemcloud.com")
        let prefix = ["publish-", "author-"].first { isCloud && base.host.hasPrefix($0) }
        deliveryRoot = prefix.map { "\(base.scheme)://delivery-\(base.host.dropFirst($0.count))" } ?? base.root
    }

    /// Where the native may be.
    func natives(of asset: Asset) -> [Step] {
        var steps: [Step] = []
        let identifier = Self.identifier(of: asset)
        if let path = Self.path(of: asset) {
            steps.append(Step(url: root + AEMAddress.original(path: path).target, isOriginal: true))
        }
        if let identifier { steps += deliveries(of: identifier, asset) }
        if let path = Self.path(of: asset) {
            steps += Self.largest.map { name in
                Step(url: root + AEMAddress.storedRendition(path: path, name: name).target, isOriginal: false)
            }
        }
        return steps
    }

    private func deliveries(of identifier: AEMIdentifier, _ asset: Asset) -> [Step] {
        let format = asset.mediaType.flatMap { ImageFormat(name: $0.dropFirst("image/".count)) }
        let suffix = asset.name.lastIndex(of: ".").map { asset.name[asset.name.index(after: $0)...] } ?? ""
        let named = format?.fileExtension ?? suffix.lowercased()
        let transform = AEMAssetTransform(format: AEMAssetTransform.Format(name: named) ?? .jpg)
        var delivery = AEMDelivery(identifier, assetName: asset.name, transform: transform)
        if let cut = asset.address.flatMap({ AEMAddress.cut($0) }),
            case .openAPIOriginal? = AEMAddress(target: cut.target)
        {
            // A remote picture: everything is at its own host.
            delivery.form = .openAPI
            return [
                Step(url: "\(cut.origin)\(cut.target)", isOriginal: true),
                Step(url: cut.origin + delivery.target, isOriginal: false),
            ]
        }
        let original = AEMAddress.openAPIOriginal(identifier, name: asset.name)
        let address = asset.address ?? delivery.target
        return [
            Step(url: deliveryRoot + original.target, isOriginal: true),
            Step(url: address.hasPrefix("/") ? root + address : address, isOriginal: false),
        ]
    }

    /// Where a stored rendition may be: its name is tried in each spelling that a format has.
    func rendition(_ name: String, format: ImageFormat?, of asset: Asset) -> [String] {
        guard !name.isEmpty, name != ".", name != "..", !name.contains("/") else { return [] }
        return Self.spellings(name, format).compactMap { name in
            if let path = Self.path(of: asset) {
                return root + AEMAddress.storedRendition(path: path, name: name).target
            }
            return Self.identifier(of: asset).map { identifier in
                deliveryRoot + AEMAddress.openAPIRendition(identifier, rendition: name, name: name).target
            }
        }
    }

    private static func spellings(_ name: String, _ format: ImageFormat?) -> [String] {
        switch format {
        case nil: [name]
        // AEM's own spell it `jpeg`, those of processing profiles mostly `jpg`.
        case .jpeg: (name.hasPrefix("cq5dam.") ? ["jpeg", "jpg"] : ["jpg", "jpeg"]).map { "\(name).\($0)" }
        case .some(let format): ["\(name).\(format.fileExtension)"]
        }
    }

    private static func path(of asset: Asset) -> String? { AEMAddress.node(asset.id)?.path }

    private static func identifier(of asset: Asset) -> AEMIdentifier? {
        AEMIdentifier(asset.id) ?? asset.slug.flatMap { AEMIdentifier($0) }
    }
}
