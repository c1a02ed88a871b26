extension Catalogue {
    /// A page of a list API of microCMS, with its pictures (spec microCMS §2).
    ///
    /// - Throws: `request` for a query that cannot be asked and for a channel of another kind.
    public func list(
        _ endpoint: String,
        _ query: MicroCMSQuery = MicroCMSQuery()
    ) async throws(RenditionError) -> MicroCMSDocument {
        try await microCMS().list(endpoint, query)
    }

    /// One content of a list API; without an identifier that of an object API.
    public func get(
        _ endpoint: String,
        id: String? = nil,
        _ query: MicroCMSQuery = MicroCMSQuery()
    ) async throws(RenditionError) -> MicroCMSDocument {
        try await microCMS().get(endpoint, id: id, query)
    }

    /// A picture of a document, for asking for it.
    public func reference(to picture: MicroCMSPicture) -> PictureReference {
        PictureReference(channel: name, reference: .id(picture.url))
    }

    private func microCMS() throws(RenditionError) -> MicroCMSOrigin {
        guard let origin = channel.origin as? MicroCMSOrigin else {
            throw .request(.notOffered(what: "APIs of contents", kind: channel.settings.kind.name))
        }
        return origin
    }
}
