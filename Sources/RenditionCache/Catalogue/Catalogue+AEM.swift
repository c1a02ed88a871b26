extension Catalogue {
    /// Runs a persisted query (spec AEM §2).
    ///
    /// - Throws: `notOffered` for a channel of another kind, `OriginError.notFound` for a query that is not there.
    public func run(_ query: PersistedQuery) async throws(RenditionError) -> AEMDocument {
        try await asking(AEMOrigin.self, for: "persisted queries") { (origin) async throws(OriginError) in
            try await origin.run(query)
        }
    }

    /// The persisted queries that are stored under a configuration, as in `wknd-shared` (spec AEM §2.4).
    public func persistedQueries(of configuration: String) async throws(RenditionError) -> [AEMQueryDescription] {
        try await asking(AEMOrigin.self, for: "persisted queries") { (origin) async throws(OriginError) in
            try await origin.persistedQueries(of: configuration)
        }
    }

    /// The picture of an answer, for asking for it.
    public func reference(to picture: AEMPicture) -> PictureReference {
        PictureReference(channel: name, reference: .id(picture.assetID), asset: picture.asset)
    }
}
