/// A channel at work: its settings, its origin, and the keys of what it yields.
struct Channel: Sendable {
    let settings: ChannelSettings
    let origin: any Origin
    /// Tells apart what different credentials or instances yield under one channel name.
    let scope: String

    var name: String { settings.name }
    /// Under which name the asset records of this channel and scope are kept.
    var recordName: String { "\(name)#\(scope)" }
    /// Under which name it is kept what its slugs stand for.
    var slugsName: String { "\(recordName)#slugs" }

    init(settings: ChannelSettings, origin: any Origin) {
        self.settings = settings
        self.origin = origin
        scope = String(Digest(of: Self.scopeText(settings.kind).utf8).description.prefix(16))
    }

    private static func scopeText(_ kind: ChannelSettings.Kind) -> String {
        switch kind {
        case .folder(let path): "folder\u{0}\(path)"
        case .ocm(let ocm):
            "ocm\u{0}\(ocm.url)\u{0}\(ocm.channelToken ?? "")\u{0}\(ocm.authentication)\u{0}\(ocm.headers.sorted { $0.key < $1.key })"
        }
    }

    /// The key of one form of one version of one asset (design: channel, scope, asset, version, form, encoder revision).
    func key(asset: String, version: String, form: String) -> CacheKey {
        CacheKey(parts: [name, scope, asset, version, form, String(RenderJob.encoderRevision)])
    }

    /// The key of a form, and the one under which a rendition lies whose format nobody named: an app asks for
    /// `Medium?format=jpg`, `warm` for `Medium`, and both mean the same bytes if the origin chose JPEG.
    func keys(of selection: RenditionRequest.Selection, _ record: AssetRecord) -> (own: CacheKey, unnamed: CacheKey?) {
        func key(_ form: String) -> CacheKey { self.key(asset: record.asset.id, version: record.version, form: form) }
        if case .named(let name, _?) = selection { return (key(selection.form), key(name)) }
        return (key(selection.form), nil)
    }
}

extension EntryMetadata {
    /// Whether the origin, left to choose the format, chose the one that is asked for.
    func answers(_ selection: RenditionRequest.Selection) -> Bool {
        if case .named(_, let wanted?) = selection { format == wanted } else { true }
    }
}

extension RenditionRequest.Selection {
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
            Self.automaticWidth(name).map { width in
                Transform(resize: .automatic(width: width), format: format.map(Transform.Format.fixed) ?? .source)
            }
        }
    }

    /// Widths of the renditions that exist on every kind of channel, in pixels (spec OCM §10.5).
    static func automaticWidth(_ name: String) -> Int? {
        switch name {
        case "Thumbnail", "thumbnail": 150
        case "Small": 300
        case "Medium": 1024
        case "Large": 2048
        default: nil
        }
    }
}
