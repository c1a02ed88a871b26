/// Finds every picture that a content names (spec microCMS §3, rules 1 to 4); pure.
struct MicroCMSPictureWalk {
    /// A text whose HTML cannot be read, and why.
    struct Unread: Equatable, Sendable {
        var pointer: String
        var reason: HTMLError
    }

    /// The pictures in order, members of an object by name.
    private(set) var pictures: [MicroCMSPicture] = []
    /// Texts in which there may be more.
    private(set) var unread: [Unread] = []
    private let naming: MicroCMSNaming

    /// Walks a document.
    ///
    /// - Throws: `libraryMissing`, without which no text can be read.
    init(_ document: JSONValue, naming: MicroCMSNaming) throws(HTMLError) {
        self.naming = naming
        try walk(document, at: "", hints: nil)
    }

    /// - Parameter hints: the `attributes` beside a text, which describe the picture that it names.
    private mutating func walk(_ value: JSONValue, at pointer: String, hints: JSONValue?) throws(HTMLError) {
        switch value {
        case .null, .bool, .int, .double: break
        case .string(let text): try take(text, at: pointer, hints: hints)
        case .array(let elements):
            for (index, element) in elements.enumerated() { try walk(element, at: "\(pointer)/\(index)", hints: nil) }
        case .object(let members):
            let isTaken = takeObject(value, at: pointer)
            for (name, member) in members.sorted(by: { $0.key < $1.key }) where !(isTaken && name == "url") {
                let place = "\(pointer)/\(name.replacing("~", with: "~0").replacing("/", with: "~1"))"
                try walk(member, at: place, hints: name == "value" ? members["attributes"] : nil)
            }
        }
    }

    // MARK: - Objects

    /// Judges an object with a URL; whether that URL needs no further look.
    private mutating func takeObject(_ object: JSONValue, at pointer: String) -> Bool {
        guard let text = object["url"]?.string, let address = SplitURL(text.trimmed) else { return false }
        switch naming.place(of: address) {
        case .image(let picture): add(picture.address, address, at: pointer, .object, .cms, hints: object)
        case .allowed, .foreign:
            // Otherwise it may be a link to anything.
            guard object["width"]?.double != nil else { break }
            add(address.url.text, address, at: pointer, .object, .external, hints: object)
        case .file: break
        }
        return true
    }

    // MARK: - Texts

    private mutating func take(_ text: String, at pointer: String, hints: JSONValue?) throws(HTMLError) {
        if HTMLPictures.mayHavePictures(text) { return try takeHTML(text, at: pointer) }
        guard text.utf8.contains(UInt8(ascii: ":")), let address = Self.wholeURL(text),
            case .image(let picture) = naming.place(of: address)
        else { return }
        add(picture.address, address, at: pointer, .string, .cms, hints: hints)
    }

    private mutating func takeHTML(_ html: String, at pointer: String) throws(HTMLError) {
        let sources: [HTMLPictures.Source]
        do throws(HTMLError) {
            sources = try HTMLPictures.sources(in: html)
        } catch {
            if case .libraryMissing = error { throw error }
            return unread.append(Unread(pointer: pointer, reason: error))
        }
        for source in sources {
            guard let address = SplitURL(source.url.hasPrefix("//") ? "https:\(source.url)" : source.url) else {
                continue
            }
            let place = naming.place(of: address)
            var picture = MicroCMSPicture(
                url: address.url.text,
                pointer: pointer,
                kind: source.kind == .source ? .imageSource : .sourceSet,
                host: .external,
                width: source.width,
                height: source.height,
                alt: source.alt,
                query: address.query
            )
            if case .image(let named) = place { (picture.url, picture.host) = (named.address, .cms) }
            pictures.append(picture)
        }
    }

    /// A text that is one URL and nothing else; long ones are no URLs, and are not looked at.
    private static func wholeURL(_ text: String) -> SplitURL? {
        guard text.utf8.count <= MicroCMSRequests.maxURLBytes else { return nil }
        let text = text.trimmed
        guard text.prefix(8).lowercased().hasPrefix("http"), !text.contains(where: \.isNewline) else { return nil }
        return SplitURL(text)
    }

    private mutating func add(
        _ url: String,
        _ address: SplitURL,
        at pointer: String,
        _ kind: MicroCMSPicture.Kind,
        _ host: MicroCMSPicture.Host,
        hints: JSONValue?
    ) {
        pictures.append(
            MicroCMSPicture(
                url: url,
                pointer: pointer,
                kind: kind,
                host: host,
                width: Self.pixels(hints?["width"]),
                height: Self.pixels(hints?["height"]),
                alt: hints?["alt"]?.string,
                query: address.query
            )
        )
    }

    private static func pixels(_ value: JSONValue?) -> Int? { value?.int.flatMap { $0 > 0 ? $0 : nil } }
}
