/// What would happen to a request now, and why; finding out changes nothing and asks nobody.
public struct Explanation: Codable, Equatable, Sendable {
    /// What the cache would do.
    public enum Verdict: String, Codable, Sendable {
        /// Answered from the cache at once.
        case hit
        /// Answered from the cache at once, and the origin asked behind the answer.
        case staleHit = "stale hit"
        /// The version is known, the form has to be made.
        case miss
        /// The origin is asked for the asset's version first; what is stored is the fallback.
        case revalidation
        /// Nothing is known of the asset; the origin is asked.
        case unknownAsset = "unknown asset"
    }

    /// The channel.
    public var channel: String
    /// The asset's id, as far as it is known.
    public var asset: String
    /// The form, as it stands in the key.
    public var form: String
    /// What the cache would do.
    public var verdict: Verdict
    /// Why, in one clause.
    public var reason: String
    /// The version of the asset that the key names.
    public var version: String?
    /// The key, in hexadecimal digits.
    public var key: String?
    /// How long ago the version was last checked, in seconds.
    public var checkedSecondsAgo: Double?
    /// How long a check is good for, in seconds.
    public var lifetimeSeconds: Double?
    /// What is stored under the key.
    public var stored: Stored?
    /// Where the bytes would come from on a miss: `in place`, `origin`, `origin, else rendered here`, `rendered here`.
    public var source: String

    /// A stored form.
    public struct Stored: Codable, Equatable, Sendable {
        /// Digest of the bytes, in hexadecimal digits.
        public var digest: String
        /// Bytes.
        public var byteCount: Int
        /// Media type, by content.
        public var mediaType: String
        /// Who made it: `origin` or `local`.
        public var maker: String
        /// When it was stored, in seconds since 1970.
        public var storedSeconds: Double
    }
}

extension RenditionService {
    /// Says what would happen to a request, without doing any of it.
    ///
    /// Throws `unknownChannel`. May open one file, where natives are read in place.
    public func explain(_ request: RenditionRequest) throws(RenditionError) -> Explanation {
        let channel = try channel(request.channel)
        var request = request
        request.selection = production.marks.remembered(request.selection, in: channel)
        var explanation = Explanation(
            channel: channel.name,
            asset: request.asset.description,
            form: request.selection.form,
            verdict: .unknownAsset,
            reason: "nothing is known of this asset",
            source: Self.source(request.selection, nil)
        )
        guard let known = records.known(request.asset, in: channel) else { return explanation }
        let record = known.record
        let keys = channel.keys(of: request.selection, record)
        let entries = store.entries(channel: channel.name, asset: record.asset.id)
        let entry =
            entries.first { $0.key == keys.own }
            ?? entries.first { $0.key == keys.unnamed }
            .flatMap { $0.metadata.answers(request.selection) ? $0 : nil }
        explanation.asset = record.asset.id
        explanation.version = record.version
        explanation.key = (entry?.key ?? keys.own).digest.description
        explanation.checkedSecondsAgo = known.native == nil ? now() - record.checkedSeconds : 0
        explanation.lifetimeSeconds = record.lifetimeSeconds
        explanation.stored = entry.map(Self.stored)
        explanation.source = Self.source(request.selection, known)
        let isThere = explanation.stored != nil || (known.native != nil && request.selection == .native)
        (explanation.verdict, explanation.reason) = Self.verdict(
            records.verdict(known, in: channel),
            isThere: isThere,
            isInPlace: known.native != nil
        )
        return explanation
    }

    private static func verdict(
        _ freshness: Freshness,
        isThere: Bool,
        isInPlace: Bool
    ) -> (Explanation.Verdict, String) {
        switch (freshness, isThere) {
        case (.fresh, true):
            (
                .hit,
                isInPlace ? "the file is unchanged and this form of it is stored" : "the version is fresh and stored"
            )
        case (.fresh, false): (.miss, "the version is known, this form of it is not stored")
        case (.staleUsable, true): (.staleHit, "the version is due for a check, and may be used meanwhile")
        case (.staleUsable, false): (.revalidation, "the version is due for a check, and this form of it is not stored")
        case (.staleOnError, _): (.revalidation, "the version is old; what is stored is used only if the origin fails")
        case (.expired, _): (.revalidation, "the version is too old to be used")
        }
    }

    private static func source(_ selection: RenditionRequest.Selection, _ known: KnownAsset?) -> String {
        switch selection {
        case .native: known?.native == nil ? "origin" : "in place"
        case .transform: "rendered here"
        case .named where known?.native != nil: "rendered here"
        case .named: selection.localTransform == nil ? "origin" : "origin, else rendered here"
        }
    }

    private static func stored(_ entry: Entry) -> Explanation.Stored {
        Explanation.Stored(
            digest: entry.digest.description,
            byteCount: entry.byteCount,
            mediaType: entry.metadata.mediaType,
            maker: entry.metadata.maker.rawValue,
            storedSeconds: entry.metadata.storedSeconds
        )
    }
}
