/// Turns the pictures that a document names into assets; pure.
struct MicroCMSCatalogue {
    /// Longest file name in bytes: it goes into a header field whole.
    private static let maxNameBytes = 255
    /// Most forms of one picture that are remembered; an author asks for a handful.
    private static let maxRequested = 64

    /// The assets in the order of their first mention.
    private(set) var assets: [Asset] = []
    /// Pictures elsewhere, and texts that could not be read.
    private(set) var skipped: [SkippedFile] = []
    private let naming: MicroCMSNaming
    private var places: [ExactText: Int] = [:]
    private var passedOver: Set<String> = []

    /// No pictures at all.
    init(naming: MicroCMSNaming) { self.naming = naming }

    init(_ walk: MicroCMSPictureWalk, naming: MicroCMSNaming) {
        self.naming = naming
        for picture in walk.pictures { take(picture) }
        skipped += walk.unread.map { SkippedFile(name: $0.pointer, reason: $0.reason.description) }
    }

    private mutating func take(_ picture: MicroCMSPicture) {
        guard let address = SplitURL(picture.url) else { return }
        switch naming.place(of: address) {
        case .image(let named), .allowed(let named): add(named, picture)
        case .foreign, .file:
            guard passedOver.insert(picture.url).inserted else { return }
            let reason = "on \(address.url.host), which is neither in \"imageHosts\" nor in \"allow\""
            skipped.append(SkippedFile(name: picture.url, reason: reason))
        }
    }

    private mutating func add(_ named: MicroCMSNaming.Picture, _ picture: MicroCMSPicture) {
        let place = places[ExactText(named.id)] ?? assets.count
        if place == assets.count {
            places[ExactText(named.id)] = place
            assets.append(Self.asset(named))
        }
        // In HTML the size is what is asked for, not what there is.
        if picture.kind == .object, let width = picture.width, let height = picture.height, assets[place].size == nil {
            assets[place].size = PixelSize(width: width, height: height)
        }
        guard picture.host == .cms, let query = picture.query else { return }
        let requested = assets[place].requested ?? []
        if requested.count < Self.maxRequested, !requested.contains(query) {
            assets[place].requested = requested + [query]
        }
    }

    /// What the name of a picture says of it.
    ///
    /// There is no version: an upload in its place keeps the URL (spec microCMS §1).
    static func asset(_ picture: MicroCMSNaming.Picture) -> Asset {
        var name = picture.name
        while name.utf8.count > maxNameBytes { name.removeFirst() }
        return Asset(id: picture.id, name: name, address: picture.address)
    }
}
