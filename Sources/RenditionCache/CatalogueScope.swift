/// Which assets of a channel are meant.
public enum CatalogueScope: String, Hashable, Codable, Sendable {
    /// Everything that is published.
    case all
    /// What the channel's content refers to.
    ///
    /// The same as `all` where that is how the channel's pictures are found anyway, and in a folder, which has no content.
    case used
}
