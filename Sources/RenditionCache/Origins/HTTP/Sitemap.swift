/// A sitemap (sitemaps.org protocol 0.9, and its extension for images); pure.
struct Sitemap: Equatable, Sendable {
    /// Why a text is no sitemap.
    enum Refusal: Error, Equatable {
        /// Not well-formed XML.
        case malformed
        /// Another document: the name of its outermost element.
        case otherDocument(String)
        /// More than `limit` URLs.
        case tooLong(limit: Int)
        /// libxml2 cannot be used.
        case unreadable(HTMLError)
    }

    /// The URLs of pictures: of each page its images, or the page itself where it names none.
    private(set) var pictures: [String] = []
    /// Further sitemaps.
    private(set) var children: [String] = []

    /// Reads a sitemap or an index of such.
    ///
    /// - Parameter limit: most URLs that are taken.
    init(_ bytes: [UInt8], limit: Int) throws(Refusal) {
        // Pages are rarely well-formed; this says better what is wrong.
        let start = String(decoding: bytes.prefix(256), as: UTF8.self).trimmed.lowercased()
        if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") { throw .otherDocument("html") }
        var builder = Builder()
        do throws(HTMLError) {
            var reader = try XMLReader(bytes)
            try Self.read(&reader, into: &builder, limit: limit)
        } catch {
            throw .unreadable(error)
        }
        if let refusal = builder.refusal { throw refusal }
        (pictures, children) = (builder.pictures, builder.children)
    }

    private static func read(_ reader: inout XMLReader, into builder: inout Builder, limit: Int) throws(HTMLError) {
        do throws(XMLReader.Malformed) {
            while builder.refusal == nil, let piece = try reader.next() {
                builder.take(piece)
                if builder.count > limit { builder.refusal = .tooLong(limit: limit) }
            }
        } catch {
            builder.refusal = .malformed
        }
        if builder.root == nil, builder.refusal == nil { builder.refusal = .malformed }
    }
}

extension Sitemap.Refusal: CustomStringConvertible {
    /// One clause.
    var description: String {
        switch self {
        case .malformed: "it is no well-formed XML"
        case .otherDocument(let name): "it is XML of another kind, <\(name.prefix(40))>"
        case .tooLong(let limit): "it has more than \(limit) URLs"
        case .unreadable(let error): error.description
        }
    }
}

/// Puts a sitemap together from the pieces of its text.
private struct Builder {
    var pictures: [String] = []
    var children: [String] = []
    var refusal: Sitemap.Refusal?
    private(set) var root: String?
    private var page: String?
    private var images: [String] = []
    private var location: String?

    var count: Int { pictures.count + children.count + images.count }

    mutating func take(_ piece: XMLReader.Piece) {
        switch piece {
        case .begin(let name, _) where root == nil:
            root = name
            if name != "urlset", name != "sitemapindex" { refusal = .otherDocument(name) }
        case .begin("url", _), .begin("sitemap", _): (page, images) = (nil, [])
        case .begin("loc", _), .begin("image:loc", _): location = ""
        case .text(let text): location? += text
        case .end("image:loc", _): end(isImage: true)
        case .end("loc", let namespace): end(isImage: namespace.contains("sitemap-image"))
        case .end("url", _): pictures += images.isEmpty ? [page].compactMap(\.self) : images
        case .end("sitemap", _): children += [page].compactMap(\.self)
        case .begin, .end: break
        }
    }

    private mutating func end(isImage: Bool) {
        let text = location?.trimmed ?? ""
        location = nil
        guard !text.isEmpty else { return }
        if isImage { images.append(text) } else { page = text }
    }
}
