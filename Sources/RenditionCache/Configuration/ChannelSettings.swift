/// One channel.
public struct ChannelSettings: Equatable, Sendable {
    /// What the channel is.
    public enum Kind: Equatable, Sendable {
        /// A folder of pictures; the path is absolute.
        case folder(path: String)
        /// Oracle Content Management.
        case ocm(OCMSettings)
        /// Adobe Experience Manager, headless.
        case aem(AEMSettings)
        /// microCMS.
        case microcms(MicroCMSSettings)
        /// Any HTTP origin with pictures below one URL.
        case http(HTTPSettings)
    }

    /// A CMS's URL space, in which a folder can be published.
    public enum Surface: String, CaseIterable, Equatable, Sendable {
        /// Oracle Content Management's.
        case ocm
    }

    /// Who may have what the channel's credentials open.
    public enum Access: String, CaseIterable, Equatable, Sendable {
        /// Whoever presents the same credentials, as the CMS would ask for them.
        case same
        /// Everybody.
        case open
    }

    /// Its name in the configuration.
    public var name: String
    /// What it is.
    public var kind: Kind
    /// What `warm` produces, unless told otherwise: rendition names, presets, transforms (with a `=`) in the channel's
    /// dialect, or `requested` for what content asks for.
    ///
    /// Default `Thumbnail`, `Medium` and `native`; for AEM and microCMS `requested`.
    public var warm: [String]
    /// The surfaces that a folder is published through; default OCM's.
    ///
    /// An OCM channel has its own surface and needs none.
    public var publish: [Surface] = [.ocm]
    /// Who may have what the channel's credentials open; a channel without credentials is open anyhow.
    ///
    /// Default `same`.
    public var access = Access.same
    /// Extra origin hosts that content may lead to, and private addresses it may use.
    public var allow: [String] = []
    /// How long an asset's version is taken for granted without asking again; default 15 min, a folder 1 s.
    public var maxAge: Duration
    /// How long after that an old rendition is still answered at once while it is checked; default 1 day, a folder 0.
    public var staleWhileRevalidate: Duration
    /// How long after `maxAge` an old rendition is answered while the origin is down; default 7 days.
    public var staleIfError: Duration = .seconds(7 * 86_400)

    /// A channel with the defaults of its kind.
    public init(name: String, kind: Kind) {
        self.name = name
        self.kind = kind
        warm = ["Thumbnail", "Medium", "native"]
        switch kind {
        case .aem, .microcms: warm = [WarmSelection.requested]
        case .folder, .ocm, .http: break
        }
        switch kind {
        case .folder:
            maxAge = .seconds(1)
            staleWhileRevalidate = .zero
        case .ocm, .aem, .microcms, .http:
            maxAge = .seconds(900)
            staleWhileRevalidate = .seconds(86_400)
        }
    }
}
