/// An address of AEM's picture delivery, as it stands: which asset, under which name, as which format, how (spec AEM §6.1).
struct AEMDelivery: Hashable, Sendable {
    /// The spellings of one asset's address.
    enum Form: Hashable, Sendable {
        /// `/adobe/dynamicmedia/deliver/dm-aid--…/name.ext`, which `_dynamicUrl` points to.
        case delivery
        /// `/adobe/dynamicmedia/deliver/urn:aaid:aem:…/name.ext`.
        case deliveryByURN
        /// `/adobe/assets/urn:aaid:aem:…/as/name.ext`.
        case openAPI
    }

    /// Which asset.
    var identifier: AEMIdentifier
    /// How the address is spelt.
    var form = Form.delivery
    /// What stands before the extension; has no effect on the picture, may hold points.
    var name: String
    /// What stands behind the last point: the format, in lower case unless a client wrote it otherwise.
    var fileExtension: String
    /// The parameters as they stand, still encoded; nil without a `?`.
    var query: String?

    /// The path and the query.
    var target: String {
        let file = PercentEncoding.encode(name + "." + fileExtension, keeping: "")
        let path =
            switch form {
            case .delivery: "/adobe/dynamicmedia/deliver/\(identifier.deliveryText)/\(file)"
            case .deliveryByURN: "/adobe/dynamicmedia/deliver/\(identifier.urn)/\(file)"
            case .openAPI: "/adobe/assets/\(identifier.urn)/as/\(file)"
            }
        return path + (query.map { "?\($0)" } ?? "")
    }

    /// The parameters and, because the path carries it, the format: what the address asks for, as one query.
    var request: String {
        let parameters = (query ?? "").split(separator: "&").filter { $0.prefix { $0 != "=" } != "format" }
        return (parameters.map(String.init) + ["format=\(fileExtension.lowercased())"]).joined(separator: "&")
    }
}

extension AEMDelivery {
    /// The address of an asset for a transform; without a name of the transform's own, the asset's file name without its
    /// extension (spec AEM §5).
    init(_ identifier: AEMIdentifier, assetName: String, transform: AEMAssetTransform) {
        let query = transform.query
        self.init(
            identifier: identifier,
            name: transform.seoName.flatMap { $0.isEmpty ? nil : $0 } ?? Self.stem(assetName),
            fileExtension: transform.format.rawValue,
            query: query.isEmpty ? nil : query
        )
    }

    /// A file's name without its last extension.
    static func stem(_ name: String) -> String {
        guard let point = name.lastIndex(of: "."), point != name.startIndex else { return name }
        return String(name[..<point])
    }

    /// The file name of the last segment; nil without an extension.
    init?(_ identifier: AEMIdentifier, form: Form, file: Substring, query: Substring?) {
        guard let file = percentDecoded(file.utf8), let point = file.lastIndex(of: "."), point != file.startIndex,
            file.index(after: point) != file.endIndex
        else { return nil }
        self.init(
            identifier: identifier,
            form: form,
            name: String(file[..<point]),
            fileExtension: String(file[file.index(after: point)...]),
            query: query.map(String.init)
        )
    }
}
