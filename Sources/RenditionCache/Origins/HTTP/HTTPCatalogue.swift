/// The pictures that lists name, each once and in their order; pure.
struct HTTPCatalogue: Sendable {
    private(set) var assets: [Asset] = []
    /// Entries that are no pictures of the channel.
    private(set) var skipped: [SkippedFile] = []
    private let naming: HTTPNaming
    private var seen: Set<ExactText> = []

    init(naming: HTTPNaming) { self.naming = naming }

    /// Takes an entry.
    ///
    /// - Parameter list: what the list is called, for messages.
    mutating func take(_ entry: HTTPList.Line, of list: String) {
        do throws(HTTPNaming.Refusal) {
            let picture = try naming.picture(listed: entry.text)
            if seen.insert(ExactText(picture.id)).inserted { assets.append(Self.asset(picture)) }
        } catch {
            let place = entry.number.map { "\(list), line \($0)" } ?? list
            // A query may be a signature.
            skip("\(place): \(entry.text.prefix { $0 != "?" }.prefix(200))", because: error.description)
        }
    }

    /// Notes what could not be taken.
    mutating func skip(_ name: String, because reason: String) {
        skipped.append(SkippedFile(name: name, reason: reason))
    }

    /// What the name of a picture says of it.
    static func asset(_ picture: HTTPNaming.Picture) -> Asset {
        Asset(id: picture.id, name: Asset.fileName(picture.name), address: picture.address)
    }
}
