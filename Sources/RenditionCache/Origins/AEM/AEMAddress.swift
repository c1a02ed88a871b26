/// An address of a picture on an AEM instance or its delivery host, of every kind there is (spec AEM §1); pure.
enum AEMAddress: Hashable, Sendable {
    /// The original at its place in the DAM; the path as AEM writes it, from the leading `/content/dam/`, not encoded.
    case original(path: String)
    /// A rendition that AEM keeps of it.
    case storedRendition(path: String, name: String)
    /// A picture made for the address.
    case delivery(AEMDelivery)
    /// The picture of the OpenAPI delivery without a name, 1024 pixels wide.
    case openAPIDefault(AEMIdentifier)
    /// The original by the OpenAPI delivery.
    case openAPIOriginal(AEMIdentifier, name: String)
    /// A stored rendition by the OpenAPI delivery.
    case openAPIRendition(AEMIdentifier, rendition: String, name: String)
    /// What the OpenAPI delivery knows of an asset, as JSON.
    case metadata(AEMIdentifier)

    /// The first segments of a path in the DAM.
    static let damPrefix = "/content/dam/"
    /// The spellings of the node that has the renditions; the first is used.
    private static let contentNodes = ["_jcr_content", "jcr:content"]

    /// The address in a path with or without a query, encoded; nil for anything else.
    init?(target: some StringProtocol) {
        let mark = target.firstIndex(of: "?") ?? target.endIndex
        let query = mark == target.endIndex ? nil : Substring(target[target.index(after: mark)...])
        let segments = target[..<mark].split(separator: "/", omittingEmptySubsequences: false).map { Substring($0) }
        guard segments.first == "" else { return nil }
        let rest = segments.dropFirst(3)
        switch (segments.dropFirst().first, segments.dropFirst(2).first) {
        case ("content", "dam"): self.init(dam: segments.dropFirst())
        case ("adobe", "dynamicmedia"): self.init(delivery: rest, query: query)
        case ("adobe", "assets"): self.init(openAPI: rest, query: query)
        default: return nil
        }
    }

    private init?(dam segments: ArraySlice<Substring>) {
        var names: [String] = []
        for segment in segments {
            guard let name = percentDecoded(segment.utf8), Self.isName(name) else { return nil }
            names.append(name)
        }
        guard names.count > 2 else { return nil }
        let tail = names.suffix(3)
        guard names.count > 5, let node = tail.first, Self.contentNodes.contains(node),
            tail.dropFirst().first == "renditions", let name = tail.last
        else {
            self = .original(path: "/" + names.joined(separator: "/"))
            return
        }
        let path = "/" + names.dropLast(3).joined(separator: "/")
        self = name == "original" ? .original(path: path) : .storedRendition(path: path, name: name)
    }

    private init?(delivery segments: ArraySlice<Substring>, query: Substring?) {
        let parts = Array(segments)
        guard parts.count == 3, parts[0] == "deliver", let identifier = AEMIdentifier(segment: parts[1]) else {
            return nil
        }
        let isURN = !parts[1].lowercased().hasPrefix(AEMIdentifier.deliveryPrefix)
        let form: AEMDelivery.Form = isURN ? .deliveryByURN : .delivery
        guard let delivery = AEMDelivery(identifier, form: form, file: parts[2], query: query) else { return nil }
        self = .delivery(delivery)
    }

    private init?(openAPI segments: ArraySlice<Substring>, query: Substring?) {
        let parts = Array(segments)
        guard let first = parts.first, let identifier = AEMIdentifier(segment: first) else { return nil }
        let names = parts.map { percentDecoded($0.utf8) ?? "" }
        guard names.allSatisfy(Self.isName) else { return nil }
        switch parts.count {
        case 1: self = .openAPIDefault(identifier)
        case 2 where parts[1] == "metadata": self = .metadata(identifier)
        case 3 where parts[1] == "as":
            let delivery = AEMDelivery(identifier, form: .openAPI, file: parts[2], query: query)
            guard let delivery else { return nil }
            self = .delivery(delivery)
        case 4 where parts[1] == "original" && parts[2] == "as":
            self = .openAPIOriginal(identifier, name: names[3])
        case 5 where parts[1] == "renditions" && parts[3] == "as":
            self = .openAPIRendition(identifier, rendition: names[2], name: names[4])
        default: return nil
        }
    }

    /// Scheme and authority of an absolute URL, and what follows them; nil for anything else.
    static func cut(_ url: some StringProtocol) -> (origin: Substring, target: Substring)? {
        let url = Substring(url)
        guard url.hasPrefix("https://") || url.hasPrefix("http://"), let start = url.firstRange(of: "://") else {
            return nil
        }
        let authority = url[start.upperBound...].prefix { !"/?#".contains($0) }
        return (url[..<authority.endIndex], url[authority.endIndex...].prefix { $0 != "#" })
    }

    /// The path and the query, every segment encoded once.
    var target: String {
        switch self {
        case .original(let path): Self.encoded(path)
        case .storedRendition(let path, let name):
            "\(Self.encoded(path))/\(Self.contentNodes[0])/renditions/\(PercentEncoding.segment(name))"
        case .delivery(let delivery): delivery.target
        case .openAPIDefault(let identifier): "/adobe/assets/\(identifier.urn)"
        case .openAPIOriginal(let identifier, let name):
            "/adobe/assets/\(identifier.urn)/original/as/\(PercentEncoding.segment(name))"
        case .openAPIRendition(let identifier, let rendition, let name):
            "/adobe/assets/\(identifier.urn)/renditions/\(PercentEncoding.segment(rendition))/as/"
                + PercentEncoding.segment(name)
        case .metadata(let identifier): "/adobe/assets/\(identifier.urn)/metadata"
        }
    }

    /// The asset's path in the DAM, where the address tells it.
    var path: String? {
        switch self {
        case .original(let path), .storedRendition(let path, _): path
        default: nil
        }
    }

    /// The asset's identifier, where the address tells it.
    var identifier: AEMIdentifier? {
        switch self {
        case .original, .storedRendition: nil
        case .delivery(let delivery): delivery.identifier
        case .openAPIDefault(let identifier), .openAPIOriginal(let identifier, _),
            .openAPIRendition(let identifier, _, _), .metadata(let identifier):
            identifier
        }
    }

    /// The address of a node in the DAM by its path, as AEM writes it in JSON: not encoded; nil for what lies outside.
    static func node(_ path: some StringProtocol) -> AEMAddress? {
        let whole = path.hasPrefix("/") ? String(path) : "/" + path
        let names = whole.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard whole.hasPrefix(damPrefix), names.allSatisfy({ isName(String($0)) }) else { return nil }
        return .original(path: whole)
    }

    /// Whether a segment names something: not empty, no dots alone, no slash and no control character in it.
    private static func isName(_ name: String) -> Bool {
        !["", ".", ".."].contains(name) && name.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "/") && $0 != 0x7F }
    }

    private static func encoded(_ path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).map { PercentEncoding.segment(String($0)) }
            .joined(separator: "/")
    }
}
