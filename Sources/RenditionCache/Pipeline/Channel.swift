/// A channel at work: its settings, its origin, and the keys of what it yields.
struct Channel: Sendable {
    let settings: ChannelSettings
    let origin: any Origin
    /// Tells apart what different credentials or instances yield under one channel name.
    let scope: String

    var name: String { settings.name }
    /// Under which name the asset records of this channel and scope are kept.
    var recordName: String { "\(name)#\(scope)" }
    /// Under which name it is kept which assets its slugs and other names stand for.
    var aliasesName: String { "\(recordName)#aliases" }

    init(settings: ChannelSettings, origin: any Origin) {
        self.settings = settings
        self.origin = origin
        scope = String(Digest(of: Self.scopeText(settings.kind).utf8).description.prefix(16))
    }

    /// Everything that decides what the origin lets us see.
    private static func scopeText(_ kind: ChannelSettings.Kind) -> String {
        guard let origin = kind.origin else {
            if case .folder(let path) = kind { return "folder\u{0}\(path)" }
            return kind.name
        }
        let headers = origin.headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        let parts = [kind.name, origin.url] + origin.secrets + origin.authentication.identity + headers
        return parts.joined(separator: "\u{0}")
    }

    /// The key of one form of one version of one asset (design §5).
    ///
    /// The kind of form is a part of its own: a CMS may call a rendition `native`, `width=640` or `Medium.jpg`.
    func key(asset: String, version: String, _ selection: RenditionRequest.Selection) -> CacheKey {
        CacheKey(
            parts: [name, scope, asset, version, selection.kind, selection.form, String(RenderJob.encoderRevision)]
        )
    }

    /// The versions of an asset of which anything is stored, the last stored first.
    func storedVersions(of asset: String, in store: RenditionStore) -> [String] {
        var versions: [String] = []
        let entries = store.entries(channel: name, asset: asset)
        for entry in entries.sorted(by: { $0.metadata.storedSeconds > $1.metadata.storedSeconds })
        where !versions.contains(entry.metadata.version) {
            versions.append(entry.metadata.version)
        }
        return versions
    }

    /// The key of one form of the version that a record calls current.
    func key(_ record: AssetRecord, _ selection: RenditionRequest.Selection) -> CacheKey {
        key(asset: record.asset.id, version: record.version, selection)
    }

    /// The key of a form, and the one under which a rendition lies whose format nobody named: an app asks for
    /// `Medium?format=jpg`, `warm` for `Medium`, and both mean the same bytes if the origin chose JPEG.
    func keys(of selection: RenditionRequest.Selection, _ record: AssetRecord) -> (own: CacheKey, unnamed: CacheKey?) {
        guard case .named(let name, _?) = selection else { return (key(record, selection), nil) }
        return (key(record, selection), key(record, .named(name, format: nil)))
    }
}

extension OriginAuthentication {
    /// Whose eyes it gives us; parts of a text that is digested and never shown.
    fileprivate var identity: [String] {
        switch self {
        case .none: []
        case .basic(let user, let password): [user, password]
        case .bearer(let token): [token]
        case .oauth(let settings): [settings.tokenURL, settings.clientID, settings.scope ?? ""]
        }
    }
}

extension EntryMetadata {
    /// Whether the origin, left to choose the format, chose the one that is asked for.
    func answers(_ selection: RenditionRequest.Selection) -> Bool {
        if case .named(_, let wanted?) = selection { format == wanted } else { true }
    }
}

extension RenditionRequest.Selection {
    /// Which of the cases it is, and whether a format was named; part of the key.
    fileprivate var kind: String {
        switch self {
        case .native: "native"
        case .named(_, nil): "named"
        case .named: "named with format"
        case .transform: "transform"
        }
    }

    /// The selection as text, equal for selections of equal meaning: part of the key, and what people are shown.
    public var form: String {
        switch self {
        case .native: return "native"
        case .named(let name, nil): return name
        case .named(let name, let format?): return "\(name).\(format.fileExtension)"
        case .transform(let transform):
            let text = transform.canonicalText
            return text.isEmpty ? "image" : text
        }
    }

    /// What the service itself makes of it when the origin has no such rendition; nil if only the origin could.
    var localTransform: Transform? {
        switch self {
        case .native: nil
        case .transform(let transform): transform
        case .named(let name, let format):
            WarmSelection.commonWidth(name).map { width in
                Transform(resize: .automatic(width: width), format: format.map(Transform.Format.fixed) ?? .source)
            }
        }
    }
}
