/// What a list says there is: one URL or path a line, or a sitemap; pure.
enum HTTPList: Equatable, Sendable {
    /// What a list names.
    struct Line: Equatable, Sendable {
        /// The URL or path as it is written.
        var text: String
        /// The line it stands on, from 1; nil in a sitemap.
        var number: Int?
    }

    /// Why a text is no list.
    enum Refusal: Error, Equatable {
        /// It is compressed and does not say so in its header.
        case compressed
        /// More than `limit` entries.
        case tooLong(limit: Int)
        /// It looks like a sitemap and is none.
        case sitemap(Sitemap.Refusal)
    }

    case entries([Line])
    /// Pictures, and further sitemaps.
    case sitemap(Sitemap)

    /// Reads a list: XML is a sitemap, anything else lines.
    ///
    /// Empty lines are passed over, and so is what follows a `#` at the beginning or behind a blank: elsewhere it belongs to
    /// the URL. A byte order mark and any kind of line end are fine.
    init(_ bytes: [UInt8], limit: Int) throws(Refusal) {
        guard !bytes.starts(with: [0x1F, 0x8B]) else { throw .compressed }
        let isMarked = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        let start = bytes.dropFirst(isMarked ? 3 : 0).first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if start == UInt8(ascii: "<") {
            do throws(Sitemap.Refusal) {
                self = .sitemap(try Sitemap(bytes, limit: limit))
            } catch {
                throw .sitemap(error)
            }
            return
        }
        var entries: [Line] = []
        var number = 1
        var rest = bytes[(isMarked ? 3 : 0)...]
        while !rest.isEmpty {
            let end = rest.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? rest.endIndex
            let text = String(decoding: Self.uncommented(rest[..<end]), as: UTF8.self).trimmed
            if !text.isEmpty { entries.append(Line(text: text, number: number)) }
            guard entries.count <= limit else { throw .tooLong(limit: limit) }
            rest = rest[end...].dropFirst(rest[end...].starts(with: [0x0D, 0x0A]) ? 2 : 1)
            number += 1
        }
        self = .entries(entries)
    }

    /// A line up to its comment.
    private static func uncommented(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let start = line.indices.first { index in
            line[index] == UInt8(ascii: "#")
                && (index == line.startIndex || line[index - 1] == 0x20 || line[index - 1] == 0x09)
        }
        return line[..<(start ?? line.endIndex)]
    }
}

extension HTTPList.Refusal: CustomStringConvertible {
    /// One clause.
    var description: String {
        switch self {
        case .compressed: "it is compressed by gzip; it can be read as it is, or with Content-Encoding: gzip"
        case .tooLong(let limit): "it has more than \(limit) entries"
        case .sitemap(let refusal): refusal.description
        }
    }
}
