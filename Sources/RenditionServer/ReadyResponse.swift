import RenditionCache

/// A picture with its header fields written out, true for one second.
final class ReadyResponse: Sendable {
    /// What it was made of.
    let picture: Picture
    /// The second since 1970 that its `Age` is right in.
    let second: Int
    /// The body.
    let content: Content
    /// The header fields.
    let fields: [HeaderField]
    /// The answer with the whole body.
    let whole: PreparedResponse

    /// Whether it still answers at that time, in seconds since 1970.
    func isTrue(at now: Double) -> Bool {
        let rendition = picture.rendition
        return Int(now) == second && now < rendition.validatedSeconds + rendition.lifetimeSeconds
    }

    /// What one takes beside its body, about: header fields, here and once more in the library.
    static let headBytes = 2048

    /// Writes the header out; nil when memory or descriptors run out, or the body cannot be read.
    ///
    /// - Parameters:
    ///   - earlier: an older one; its body is shared if the bytes are the same.
    ///   - isClosing: whether the connection ends after it.
    init?(_ picture: Picture, second: Int, earlier: ReadyResponse? = nil, isClosing: Bool = false) {
        var picture = picture
        self.second = second
        if let earlier, earlier.picture.rendition.digest == picture.rendition.digest {
            content = earlier.content
        } else {
            // A body that has become unreadable is answered like any other failure of the disk, by the caller.
            guard let read = try? Content(picture.rendition.body) else { return nil }
            content = read
        }
        // What has been read into memory needs its file no more.
        if case .bytes(let owner) = content { picture.rendition.body = .memory(owner.bytes) }
        self.picture = picture
        fields =
            ResponseHead.fields(picture, now: Double(second)) + (isClosing ? [HeaderField("Connection", "close")] : [])
        guard let whole = PreparedResponse(fields, content) else { return nil }
        self.whole = whole
    }
}
