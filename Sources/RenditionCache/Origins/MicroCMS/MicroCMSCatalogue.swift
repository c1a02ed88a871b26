/// Turns the pictures that a document names into assets; pure.
struct MicroCMSCatalogue {
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
        var asset = Self.asset(named)
        // In HTML the size is what is asked for, not what there is.
        if picture.kind == .object, let width = picture.width, let height = picture.height {
            asset.size = PixelSize(width: width, height: height)
        }
        if picture.host == .cms, let query = picture.query { asset.requested = [query] }
        if let place = places[ExactText(asset.id)] {
            assets[place] = assets[place].joined(with: asset)
        } else {
            places[ExactText(asset.id)] = assets.count
            assets.append(asset)
        }
    }

    /// What the name of a picture says of it.
    ///
    /// There is no version: an upload in its place keeps the URL (spec microCMS §1).
    static func asset(_ picture: MicroCMSNaming.Picture) -> Asset {
        Asset(id: picture.id, name: Asset.fileName(picture.name), address: picture.address)
    }
}
