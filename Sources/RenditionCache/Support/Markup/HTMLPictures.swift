/// Finds the pictures of an HTML text (HTML §4.8): `img[src]`, `img[srcset]` and `source[srcset]`.
enum HTMLPictures {
    /// A picture as the text names it.
    struct Source: Hashable, Sendable {
        /// Which attribute names it.
        enum Kind: Hashable, Sendable {
            /// `src`.
            case source
            /// A candidate of `srcset`.
            case sourceSet
        }

        /// The URL as it is written, entities decoded, not resolved; never empty, never `data:`.
        var url: String
        /// Where it stands.
        var kind: Kind
        /// The text in its place; with `src` only.
        var alt: String?
        /// The width in pixels that it is given; with `src` only.
        var width: Int?
        /// The height in pixels that it is given; with `src` only.
        var height: Int?
    }

    /// The pictures in document order, as often as they occur; comments and escaped markup hold none.
    ///
    /// A text without a picture's tag is not parsed. Blocks for a few milliseconds with a long one.
    static func sources(in html: String) throws(HTMLError) -> [Source] {
        guard mayHavePictures(html) else { return [] }
        let reader = try HTMLReader(html)
        var sources: [Source] = []
        while let element = reader.nextElement() {
            guard element == "img" || element == "source" else { continue }
            if element == "img", let url = reader["src"].flatMap(usable) {
                sources.append(
                    Source(
                        url: url,
                        kind: .source,
                        alt: reader["alt"],
                        width: pixels(reader["width"]),
                        height: pixels(reader["height"])
                    )
                )
            }
            let candidates = reader["srcset"].map(SourceSet.urls) ?? []
            sources += candidates.compactMap(usable).map { Source(url: $0, kind: .sourceSet) }
        }
        return sources
    }

    /// Whether `<img` or `<source` occurs, in any case.
    static func mayHavePictures(_ text: String) -> Bool {
        var previous: UInt8 = 0
        var tags = text.utf8.makeIterator()
        while let byte = tags.next() {
            if previous == UInt8(ascii: "<") {
                var rest = tags
                if byte | 0x20 == UInt8(ascii: "i"), follows("mg", &rest) { return true }
                if byte | 0x20 == UInt8(ascii: "s"), follows("ource", &rest) { return true }
            }
            previous = byte
        }
        return false
    }

    private static func follows(_ word: StaticString, _ rest: inout String.UTF8View.Iterator) -> Bool {
        UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount).allSatisfy { letter in
            rest.next().map { $0 | 0x20 == letter } ?? false
        }
    }

    private static func usable(_ url: String) -> String? {
        let url = url.trimmed
        return url.isEmpty || url.prefix(5).lowercased() == "data:" ? nil : url
    }

    /// A number of pixels, with `px` behind it or without; a percentage is none.
    private static func pixels(_ text: String?) -> Int? {
        guard let text = text?.trimmed.lowercased() else { return nil }
        return Int(text.hasSuffix("px") ? String(text.dropLast(2)).trimmed : text).flatMap { $0 > 0 ? $0 : nil }
    }
}

/// Splits a `srcset` attribute (HTML §4.8.4.2.3): its URLs may contain commas.
enum SourceSet {
    /// The URLs of the candidates, in order.
    static func urls(_ text: String) -> [String] {
        var urls: [String] = []
        var rest = Array(text.utf8)[...]
        while true {
            rest = rest.drop { isSpace($0) || $0 == UInt8(ascii: ",") }
            guard !rest.isEmpty else { return urls }
            var url = rest.prefix { !isSpace($0) }
            rest = rest[url.endIndex...]
            if url.last == UInt8(ascii: ",") {
                // That comma ends the candidate, which has no descriptor.
                while url.last == UInt8(ascii: ",") { url.removeLast() }
            } else {
                skipDescriptor(&rest)
            }
            urls.append(String(decoding: url, as: UTF8.self))
        }
    }

    /// Passes everything up to a comma that stands outside of parentheses.
    private static func skipDescriptor(_ rest: inout ArraySlice<UInt8>) {
        var isNested = false
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "("): isNested = true
            case UInt8(ascii: ")"): isNested = false
            case UInt8(ascii: ","): if !isNested { return }
            default: break
            }
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0C || byte == 0x0D
    }
}
