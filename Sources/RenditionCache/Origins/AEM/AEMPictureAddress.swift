/// Which asset of an AEM channel an address means, and in what form.
package struct AEMPictureAddress: Hashable, Sendable {
    /// The asset: by its path in the DAM, or by its identifier as a slug, which leads to the path where that is known.
    package let reference: AssetReference
    /// The form in the words of `--rendition`: `native`, a stored rendition's name, or a delivery address's parameters with
    /// the format of its path.
    package let form: String

    /// What a path with or without a query means, as it stands in a URL; nil where it is no picture's.
    package init?(target: String) {
        guard let address = AEMAddress(target: target) else { return nil }
        self.init(address)
    }

    /// What a word of the command line means: the path of a URL, a path in the DAM as AEM writes it, or an identifier.
    package init?(operand: String) {
        if let identifier = AEMIdentifier(operand) {
            self.init(.openAPIOriginal(identifier, name: ""))
        } else if operand.hasPrefix("/adobe/") || operand.contains("/_jcr_content/") {
            self.init(target: operand)
        } else if let address = AEMAddress.node(operand) {
            self.init(address)
        } else {
            return nil
        }
    }

    private init?(_ address: AEMAddress) {
        switch address {
        case .original(let path), .storedRendition(let path, _): reference = .id(String(path.dropFirst()))
        default:
            guard let identifier = address.identifier else { return nil }
            reference = .slug(identifier.deliveryText)
        }
        switch address {
        case .original, .openAPIOriginal: form = "native"
        case .storedRendition(_, let name), .openAPIRendition(_, let name, _): form = name
        case .delivery(let delivery): form = delivery.request
        // What the OpenAPI delivery sends where nothing is asked for (spec AEM §9).
        case .openAPIDefault: form = "width=1024&quality=65"
        case .metadata: return nil
        }
    }

    /// Where an instance's pictures are: scheme, host and port of the instance and of its OpenAPI delivery.
    package static func roots(of settings: AEMSettings) -> [String] {
        guard let base = WebURL(settings.url) else { return [] }
        let plan = AEMFetchPlan(base: base)
        return [plan.root, plan.deliveryRoot]
    }
}
