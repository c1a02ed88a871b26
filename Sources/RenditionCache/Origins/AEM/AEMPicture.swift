public import RenditionModel

/// A picture that content refers to, as AEM describes it (spec AEM §3.3).
public struct AEMPicture: Hashable, Sendable {
    /// Its path in the DAM (`_path`), not encoded; nil where only its identifier is known.
    public internal(set) var path: String?
    /// Path and query of the picture made for the query (`_dynamicUrl`), without an origin.
    ///
    /// Nil on an SDK, on AEM 6.5, and for pictures that Dynamic Media delivers.
    public internal(set) var dynamicURL: String?
    /// Where publish has the original, if the query asks for it.
    public internal(set) var publishURL: String?
    /// Where author has the original, if the query asks for it.
    public internal(set) var authorURL: String?
    /// The delivery host of a remote picture.
    public internal(set) var repository: String?
    /// `urn:aaid:aem:…`, where the identifier is known.
    public internal(set) var urn: String?
    /// The declared media type of the original.
    public internal(set) var mediaType: String?
    /// The size of the original.
    public internal(set) var size: PixelSize?

    /// What an app loads: path and query of the picture made for the query, else the path of the original.
    ///
    /// Relative to the instance, and encoded, except for a remote picture, which has a URL of its own.
    public var url: String {
        if let dynamicURL { return dynamicURL }
        if let path { return AEMAddress.original(path: path).target }
        let remote = identifier.map { AEMAddress.openAPIDefault($0).target } ?? ""
        return (repository.map { "https://\($0)" } ?? "") + remote
    }

    /// The identifier of the asset in the channel: its DAM path without the leading slash, else `urn:aaid:aem:…`.
    public var assetID: String { path.map { String($0.dropFirst()) } ?? urn ?? "" }

    var identifier: AEMIdentifier? { urn.flatMap { AEMIdentifier($0) } }

    /// Longest path or address in bytes; longer ones fit no URL and would swell the index.
    private static let maxBytes = 1024

    private init() {}
}

// MARK: Reading

extension AEMPicture {
    /// The picture that an object describes: an image reference, a remote reference or an image inside a text; nil for
    /// anything else, a reference to a document or a video among them.
    init?(_ object: [String: JSONValue]) {
        if let urn = object["assetId"]?.string, let repository = object["repositoryId"]?.string {
            self.init(remote: urn, at: repository)
        } else if object["nodeType"]?.string == "reference", let data = object["data"] {
            self.init(node: data["path"]?.string, mediaType: data["mimetype"]?.string ?? data["mimeType"]?.string)
        } else {
            self.init(reference: object)
        }
    }

    /// The picture at an address, as markup has it; nil where the address is no picture's.
    ///
    /// - Parameter repository: the host, where it is another than the instance's.
    init?(_ address: AEMAddress, repository: String?) {
        self.init()
        switch address {
        case .original(let path), .storedRendition(let path, _):
            guard repository == nil, path.utf8.count <= Self.maxBytes, Self.isPicture(path, mediaType: nil) else {
                return nil
            }
            self.path = path
        case .delivery(let delivery):
            let url = (repository.map { "https://\($0)" } ?? "") + delivery.target
            guard url.utf8.count <= Self.maxBytes else { return nil }
            (urn, self.repository, dynamicURL) = (delivery.identifier.urn, repository, url)
        case .openAPIDefault, .openAPIOriginal, .openAPIRendition:
            urn = address.identifier?.urn
            self.repository = repository
        case .metadata: return nil
        }
    }

    /// A `RemoteRef`.
    private init?(remote urn: String, at repository: String) {
        let isHost =
            repository.utf8.count <= 255
            && repository.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-.:".contains($0)) }
        guard let identifier = AEMIdentifier(urn), isHost, !repository.isEmpty else { return nil }
        self.init()
        self.urn = identifier.urn
        self.repository = repository.lowercased()
    }

    /// A reference inside a text.
    private init?(node path: String?, mediaType: String?) {
        guard let node = Self.node(path)?.path, Self.isPicture(node, mediaType: mediaType) else { return nil }
        self.init()
        self.path = node
        self.mediaType = Self.type(mediaType)
    }

    /// An `ImageRef`.
    private init?(reference object: [String: JSONValue]) {
        func text(_ name: String) -> String? { object[name]?.string.flatMap { $0.isEmpty ? nil : $0 } }
        self.init()
        dynamicURL = text("_dynamicUrl").flatMap { $0.utf8.count <= Self.maxBytes ? $0 : nil }
        publishURL = text("_publishUrl")
        authorURL = text("_authorUrl")
        mediaType = Self.type(text("mimeType"))
        urn = dynamicAddress?.identifier?.urn
        path = Self.node(text("_path"))?.path ?? Self.path(of: publishURL ?? authorURL)
        if let width = object["width"]?.looseInt, let height = object["height"]?.looseInt, width > 0, height > 0 {
            size = PixelSize(width: width, height: height)
        }
        let isReference = object["__typename"]?.string == "ImageRef" || object["_dynamicUrl"] != nil
        let isOther = object["__typename"]?.string.map { $0 != "ImageRef" } ?? false
        guard !isOther, path != nil || urn != nil else { return nil }
        guard isReference || Self.isPicture(path ?? "", mediaType: mediaType) else { return nil }
    }

    /// A media type that is short enough to be one.
    private static func type(_ text: String?) -> String? {
        text.flatMap { $0.utf8.count <= 255 ? $0.lowercased() : nil }
    }

    /// The place in the DAM, unless it fits no index.
    private static func node(_ path: String?) -> AEMAddress? {
        path.flatMap { $0.utf8.count <= maxBytes ? AEMAddress.node($0) : nil }
    }

    /// What the delivery address means; some instances write it with their origin in front.
    private var dynamicAddress: AEMAddress? {
        dynamicURL.flatMap { AEMAddress(target: AEMAddress.cut($0)?.target ?? $0[...]) }
    }

    /// The DAM path in an absolute URL of author or publish, whatever its host.
    private static func path(of url: String?) -> String? {
        url.flatMap { AEMAddress.cut($0) }.flatMap { AEMAddress(target: $0.target) }?.path
    }

    /// By its media type, or without one by its extension.
    private static func isPicture(_ path: String, mediaType: String?) -> Bool {
        if let mediaType { return mediaType.lowercased().hasPrefix("image/") }
        guard let point = path.lastIndex(of: ".") else { return false }
        return ImageFormat(name: path[path.index(after: point)...]) != nil
    }
}

// MARK: As an asset

extension AEMPicture {
    /// What the catalogue keeps of it.
    ///
    /// The slug is the identifier as delivery addresses have it (`dm-aid--…`), so that such an address finds the asset.
    var asset: Asset {
        let delivery: AEMDelivery? = if case .delivery(let delivery)? = dynamicAddress { delivery } else { nil }
        return Asset(
            id: assetID,
            slug: identifier?.deliveryText,
            name: name(delivery),
            mediaType: mediaType,
            size: size,
            address: path == nil ? address(delivery) : nil,
            requested: delivery.map { [$0.request] }
        )
    }

    private func name(_ delivery: AEMDelivery?) -> String {
        if let path { return Asset.fileName(path.split(separator: "/").last ?? path[...]) }
        if let delivery { return Asset.fileName("\(delivery.name).\(delivery.fileExtension)") }
        return Asset.fileName(identifier?.uuid ?? assetID)
    }

    /// Where the picture is that has no path: at its own host, or where the delivery address says.
    private func address(_ delivery: AEMDelivery?) -> String? {
        if let repository, let identifier {
            return "https://\(repository)" + AEMAddress.openAPIOriginal(identifier, name: "original").target
        }
        guard var delivery else { return nil }
        delivery.query = nil
        return (dynamicURL.flatMap { AEMAddress.cut($0) }.map { String($0.origin) } ?? "") + delivery.target
    }
}
