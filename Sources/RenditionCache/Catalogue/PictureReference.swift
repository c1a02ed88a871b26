/// A picture that content shows.
public struct PictureReference: Hashable, Sendable {
    /// The channel's name in the configuration.
    public var channel: String
    /// Which asset of the channel.
    public var reference: AssetReference
    /// What the content says of it; nil where it only names it.
    public var asset: Asset?

    /// A picture of a channel.
    public init(channel: String, reference: AssetReference, asset: Asset? = nil) {
        self.channel = channel
        self.reference = reference
        self.asset = asset
    }

    /// The request for one form of it; without a selection for the untouched upload.
    public func request(_ selection: RenditionRequest.Selection = .native) -> RenditionRequest {
        RenditionRequest(channel: channel, asset: reference, selection: selection)
    }
}
