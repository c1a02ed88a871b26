/// A picture that a content of microCMS names, and where.
public struct MicroCMSPicture: Hashable, Sendable {
    /// In what way the content names it.
    public enum Kind: String, Hashable, Sendable {
        /// An object with `url`: an image field.
        case object
        /// `<img src>` in a rich editor's HTML.
        case imageSource = "img-src"
        /// A candidate of a `srcset` in HTML.
        case sourceSet = "srcset"
        /// A text that is its URL and nothing else.
        case string
    }

    /// Whose host it is on.
    public enum Host: String, Hashable, Sendable {
        /// One of the channel's image hosts: the image API is there.
        case cms
        /// Any other.
        case external
    }

    /// Where it is, without query and fragment.
    public var url: String
    /// Where in the document it is named (RFC 6901).
    public var pointer: String
    /// In what way it is named.
    public var kind: Kind
    /// Whose host it is on.
    public var host: Host
    /// The width that stands with it: of an image field the picture's own, in HTML what is asked for; in pixels.
    public var width: Int?
    /// The height that stands with it, likewise.
    public var height: Int?
    /// The text in its place; empty for a picture that says nothing.
    public var alt: String?
    /// The form that the author asked for, as the query of the URL.
    public var query: String?

    /// A picture.
    public init(
        url: String,
        pointer: String,
        kind: Kind,
        host: Host,
        width: Int? = nil,
        height: Int? = nil,
        alt: String? = nil,
        query: String? = nil
    ) {
        self.url = url
        self.pointer = pointer
        self.kind = kind
        self.host = host
        self.width = width
        self.height = height
        self.alt = alt
        self.query = query
    }
}
