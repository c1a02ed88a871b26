@_exported public import RenditionModel

/// One picture that somebody wants: whose, which, and in what form.
public struct RenditionRequest: Hashable, Sendable {
    /// The form that is asked for.
    public enum Selection: Hashable, Sendable {
        /// The CMS's untouched upload.
        case native
        /// A rendition by name: `Thumbnail` 150, `Small` 300, `Medium` 1024, `Large` 2048 pixels wide on every channel,
        /// and whatever else the CMS has.
        ///
        /// Without a format, the source's if a browser can show it.
        case named(String, format: ImageFormat?)
        /// A transform of the native, made here.
        case transform(Transform)
    }

    /// The channel's name in the configuration.
    public var channel: String
    /// Which asset of the channel.
    public var asset: AssetReference
    /// In what form.
    public var selection: Selection

    /// A request.
    public init(channel: String, asset: AssetReference, selection: Selection = .native) {
        self.channel = channel
        self.asset = asset
        self.selection = selection
    }
}

/// How an asset is pointed at.
public enum AssetReference: Hashable, Sendable, CustomStringConvertible {
    /// The CMS's identifier; a folder takes its relative path with or without extension, or the published `CONT…` id.
    case id(String)
    /// The CMS's slug.
    case slug(String)

    /// The text inside.
    public var description: String {
        switch self {
        case .id(let text), .slug(let text): text
        }
    }

    /// Whether both have the same text, byte for byte: `é` in one scalar and in two are different names.
    public static func == (left: AssetReference, right: AssetReference) -> Bool {
        left.isSlug == right.isSlug && ExactText(left.description) == ExactText(right.description)
    }

    /// Feeds the text's bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(isSlug)
        hasher.combine(ExactText(description))
    }

    private var isSlug: Bool { if case .slug = self { true } else { false } }
}

/// Who waits for the work: what is more urgent runs first.
public enum WorkPriority: Int, Comparable, Sendable {
    case warm, revalidation, live

    /// Orders by urgency.
    public static func < (left: WorkPriority, right: WorkPriority) -> Bool { left.rawValue < right.rawValue }
}
