/// A text that equals another only if it has the same bytes.
///
/// Two Swift strings are equal if they look the same: `é` in one scalar or in two. To an origin, a file system and the index
/// these are two names, so whatever is looked up by a name has this for its key.
struct ExactText: Hashable, Sendable {
    /// The text itself.
    let text: String

    /// The text as it is spelt.
    init(_ text: String) { self.text = text }

    static func == (left: ExactText, right: ExactText) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }
}
