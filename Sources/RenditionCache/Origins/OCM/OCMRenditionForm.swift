/// What of an asset's renditions is to be asked for; pure (spec OCM §7.5, §8.2, §8.3).
struct OCMRenditionForm: Equatable {
    /// The name in the path; case matters.
    var name: String
    /// The format, as the CMS spells it; nil where the CMS is left to choose.
    var format: String?
    /// The type, if it is known.
    var type: String?
    /// Whether the CMS may have nothing to send yet.
    var isPending = false

    /// What shows any format, best first, where nobody has named one.
    private static let preferred = ["jpg", "jpeg", "png", "webp"]

    /// The rendition of that name; nil if the catalogue says that there is none, which would be a request for a 404.
    ///
    /// The name `thumbnail`, in lower case, is the picture that depends on the file group, and so is `Thumbnail` of what is
    /// no picture and offers none of that name: a video's poster.
    init?(_ name: String, format: ImageFormat?, of asset: Asset) {
        let offer = asset.renditions?.first { $0.name == name }
        if name == "thumbnail" || (name == "Thumbnail" && !asset.isPicture && offer == nil) {
            guard let form = Self.thumbnail(of: asset, format: format) else { return nil }
            self = form
            return
        }
        if asset.renditions != nil && offer == nil { return nil }
        guard let offer else {
            self.init(name: name, format: format?.fileExtension)
            return
        }
        if let format {
            // The CMS's own word for it: `jpeg` where that is what it offers.
            guard let word = offer.formats.first(where: { ImageFormat(name: $0) == format }) else { return nil }
            self.init(name: name, format: word, type: offer.type)
        } else {
            self.init(name: name, format: Self.format(of: offer, native: asset.mediaType), type: offer.type)
        }
        isPending = self.format.map { offer.pending?.contains($0) ?? false } ?? false
    }

    private init(name: String, format: String? = nil, type: String? = nil) {
        (self.name, self.format, self.type) = (name, format, type)
    }

    /// What a server sends of several formats when none is named is not documented: the native's, else one that any client
    /// shows.
    private static func format(of offer: Asset.OfferedRendition, native: String?) -> String? {
        guard offer.formats.count > 1 else { return offer.formats.first }
        let own = native.flatMap { type in
            offer.formats.first { ImageFormat(name: $0)?.mediaType == type }
        }
        return own ?? preferred.first(where: offer.formats.contains) ?? offer.formats.first
    }

    /// What a video service makes counts for the file group `Videos` alone.
    private static func thumbnail(of asset: Asset, format: ImageFormat?) -> OCMRenditionForm? {
        guard asset.fileGroup == "Videos", asset.hasAdvancedVideo else {
            return OCMRenditionForm(name: "thumbnail", format: format?.fileExtension, type: "uithumbnail")
        }
        guard format == nil || format == .jpeg else { return nil }
        return OCMRenditionForm(name: "Thumbnail", format: "jpg", type: "advancedvideo")
    }
}
