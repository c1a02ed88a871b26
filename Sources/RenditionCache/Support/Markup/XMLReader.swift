import CXML

/// Reads an XML text piece by piece, from a server that may mean harm; owns what libxml2 needs for it.
///
/// Entities that the text declares are not expanded, nothing is fetched.
struct XMLReader: ~Copyable {
    /// What comes next.
    enum Piece: Equatable {
        /// An element begins: its name without prefix, and its namespace.
        case begin(String, namespace: String)
        /// It ends; right after its beginning where it is empty.
        case end(String, namespace: String)
        /// Text, perhaps a part of one.
        case text(String)
    }

    /// The text is not well-formed, or nested more than 256 deep.
    struct Malformed: Error {}

    private let walk: OpaquePointer
    /// The end of an empty element, which libxml2 does not tell.
    private var pending: Piece?

    /// Begins to read UTF-8; another encoding is malformed.
    ///
    /// - Throws: `libraryMissing`, `tooManyAttributes`, and `notParsed` if memory is short.
    init(_ bytes: [UInt8]) throws(HTMLError) {
        guard !AttributeCount.exceeds(in: bytes) else { throw .tooManyAttributes(limit: AttributeCount.limit) }
        if let reason = cxml_missing() { throw .libraryMissing(String(cString: reason)) }
        let opened = bytes.withUnsafeBytes { buffer in
            cxml_open_xml(buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
        }
        guard let opened else { throw .notParsed }
        walk = opened
    }

    deinit { cxml_close(walk) }

    /// The next piece; nil at the end.
    mutating func next() throws(Malformed) -> Piece? {
        if let piece = pending {
            pending = nil
            return piece
        }
        switch cxml_next(walk) {
        case numericCast(CXML_BROKEN): throw Malformed()
        case numericCast(CXML_TEXT): return .text(String(cString: cxml_text(walk)))
        case numericCast(CXML_ELEMENT): return .begin(name, namespace: namespace)
        case numericCast(CXML_ELEMENT_END): return .end(name, namespace: namespace)
        case numericCast(CXML_EMPTY_ELEMENT):
            pending = .end(name, namespace: namespace)
            return .begin(name, namespace: namespace)
        default: return nil
        }
    }

    private var name: String { String(cString: cxml_name(walk)) }
    private var namespace: String { String(cString: cxml_namespace(walk)) }
}
