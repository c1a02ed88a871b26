import RenditionCache

/// A finished answer that is no picture: a document, an error.
struct Answer: Sendable {
    /// The status code.
    var status: Int
    /// The header fields but Content-Length and Date.
    var fields: [HeaderField]
    /// The body.
    var body: [UInt8]
    /// Whether the connection ends after it.
    var closesConnection = false

    /// An answer.
    init(status: Int, fields: [HeaderField], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// A JSON document; its entity tag comes from its bytes.
    ///
    /// - Parameter isPublic: whether others than the client may keep it.
    static func document(_ json: JSON, isPublic: Bool = true) -> Answer {
        let body = Array(json.text.utf8)
        return Answer(
            status: 200,
            fields: [
                HeaderField("Content-Type", "application/json"),
                HeaderField("X-Content-Type-Options", "nosniff"),
                // Links in it depend on the Host that was asked, and the catalogue may change at any time.
                HeaderField("Cache-Control", isPublic ? "no-cache" : "private, no-store"),
                HeaderField("ETag", "\"\(Digest(of: body).description.prefix(32))\""),
            ],
            body: body
        )
    }

    /// A plain text.
    static func text(_ text: String, mediaType: String = "text/plain; charset=utf-8") -> Answer {
        Answer(
            status: 200,
            fields: [HeaderField("Content-Type", mediaType), HeaderField("Cache-Control", "no-store")],
            body: Array(text.utf8)
        )
    }

    /// The entity tag, if it has one.
    var entityTag: String? { fields.first { $0.name == "ETag" }?.value }
}
