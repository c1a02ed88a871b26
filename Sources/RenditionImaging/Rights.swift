import CVips
import RenditionModel

/// Who owns a picture, as its metadata says it; the only part of them that may go into a rendition.
struct Rights: Equatable {
    /// The copyright notice.
    var notice: String?
    /// Whoever made it.
    var creator: String?

    /// Nothing.
    init() {}

    /// From EXIF, else from XMP, else from IPTC.
    init(of picture: borrowing Raster) {
        let xmp = String(decoding: picture.blob("xmp-data"), as: UTF8.self)
        let iptc = picture.blob("iptc-data")
        notice = Self.exif(picture, "Copyright") ?? Self.xmp(xmp, "dc:rights") ?? Self.iptc(iptc, 116)
        creator = Self.exif(picture, "Artist") ?? Self.xmp(xmp, "dc:creator") ?? Self.iptc(iptc, 80)
    }

    /// As an XMP packet, for PNG, into which libvips writes no EXIF (XMP part 1 §7.9, part 2 §1.1).
    var packet: String {
        let rights = notice.map {
            "<dc:rights><rdf:Alt><rdf:li xml:lang=\"x-default\">\(Self.escaped($0))</rdf:li></rdf:Alt></dc:rights>"
        }
        let creators = creator.map {
            "<dc:creator><rdf:Seq><rdf:li>\(Self.escaped($0))</rdf:li></rdf:Seq></dc:creator>"
        }
        return #"<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">"#
            + #"<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">"#
            + (rights ?? "") + (creators ?? "") + "</rdf:Description></rdf:RDF></x:xmpmeta>"
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.append(character)
            }
        }
    }

    /// The EXIF fields and their values.
    var fields: [(name: String, value: String)] {
        [("exif-ifd0-Copyright", notice), ("exif-ifd0-Artist", creator)].compactMap { name, value in
            value.map { (name, $0) }
        }
    }

    /// libvips gives a tag as its value, then in brackets the value as it is to be read, its type and length.
    private static func exif(_ picture: borrowing Raster, _ tag: String) -> String? {
        guard let text = picture.text("exif-ifd0-\(tag)").map({ Array($0.utf8) }) else { return nil }
        // Brackets may be part of the value: it ends where it begins again. A copyright goes on with who is who.
        let length = (1..<max(2, text.count / 2)).first { length in
            text[length...].starts(with: " (".utf8) && text[(length + 2)...].starts(with: text[..<length])
        }
        return length.flatMap { cleaned(String(decoding: text[..<$0], as: UTF8.self)) }
    }

    /// The text of the first element of that name, inside whatever list elements it has (XMP part 1, §7.5).
    private static func xmp(_ packet: String, _ element: String) -> String? {
        guard let start = packet.firstRange(of: "<\(element)"), let end = packet.firstRange(of: "</\(element)>"),
            start.upperBound < end.lowerBound
        else { return nil }
        var text = ""
        var isTag = true
        for character in packet[start.upperBound..<end.lowerBound] {
            if character == ">" {
                isTag = false
            } else if character == "<" {
                isTag = true
            } else if !isTag {
                text.append(character)
            }
        }
        return cleaned(text)
    }

    /// The first data set of application record 2 with that number (IIM 4.2 §1.5).
    private static func iptc(_ block: [UInt8], _ number: UInt8) -> String? {
        for index in block.indices where index + 5 <= block.count {
            guard block[index] == 0x1C, block[index + 1] == 2, block[index + 2] == number else { continue }
            let length = Int(block[index + 3]) << 8 | Int(block[index + 4])
            guard length <= block.count - index - 5 else { continue }
            return cleaned(String(decoding: block[(index + 5)..<(index + 5 + length)], as: UTF8.self))
        }
        return nil
    }

    /// Without white space around it, one line, at most 500 characters; nil if nothing is left.
    private static func cleaned(_ text: String) -> String? {
        let words = text.split { $0.isWhitespace || $0.isNewline || $0 == "\0" }
        let line = words.joined(separator: " ").prefix(500)
        return line.isEmpty ? nil : String(line)
    }
}

extension Raster {
    /// A text of the metadata, as libvips prints it.
    func text(_ name: String) -> String? {
        guard let text = borrowing({ cvips_text($0, name) }) else { return nil }
        defer { cvips_free(text) }
        return String(cString: text)
    }

    /// A block of the metadata; empty if there is none.
    func blob(_ name: String) -> [UInt8] {
        var count = 0
        guard let start = borrowing({ cvips_blob($0, name, &count) }) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// The picture with rights in its metadata.
    consuming func carrying(_ rights: Rights) throws(StepFailure) -> Raster {
        guard !rights.fields.isEmpty else { return self }
        let marked = try applying("rights", cvips_copy)
        for (name, value) in rights.fields { marked.borrowing { cvips_set_text($0, name, value) } }
        let packet = Array(rights.packet.utf8)
        marked.borrowing { cvips_set_blob($0, "xmp-data", packet, packet.count) }
        return marked
    }
}
