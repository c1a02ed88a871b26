/// How a channel's catalogue differs from what its last warm found.
public struct CatalogueDiff: Sendable {
    /// When that warm began, in seconds since 1970; nil if there was none.
    public var warmSeconds: Double?
    /// Whether that warm came to its end.
    public var isFinished = false
    /// Pictures that were not in the catalogue then.
    public var added: [Asset] = []
    /// Pictures of which the catalogue names another version now.
    public var changed: [Asset] = []
    /// The ids of pictures that are not in the catalogue any more.
    public var removed: [String] = []
    /// Pictures that no warm has ever made, with the reason where one failed.
    public var neverWarmed: [(asset: Asset, reason: String)] = []
    /// Pictures that are as they were.
    public var unchangedCount = 0
    /// Pictures whose catalogue names no version: whether they changed only a warm finds out.
    public var unversionedCount = 0

    /// No difference.
    public init() {}
}
