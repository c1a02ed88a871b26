import Synchronization

/// The pictures that a channel's content refers to, found by walking every content item (spec OCM §4, §6.3).
///
/// A walk costs a request for every 500 assets and every 100 items of a type. Pages after the first keep to what the first
/// one found, so that nothing shifts between them; a walk that has been forgotten is taken again.
final class OCMUsedPictures: Sendable {
    /// An asset that content refers to.
    struct Use: Hashable, Sendable {
        let reference: AssetReference
        /// The asset's type, if the content says it.
        let type: String?
    }

    /// How long later pages keep to a walk, in seconds.
    private static let walkSeconds = 3600.0
    /// More than that are not believed.
    private static let maxUses = 1_000_000, maxTypes = 10_000
    private static let typesPage = 500, itemsPage = 100

    private let walk = Mutex<(uses: [Use], seconds: Double)?>(nil)

    /// Everything that is used, in the order of types and items, each once.
    ///
    /// - Parameters:
    ///   - isFresh: whether content is to be walked anew.
    ///   - list: asks for one page of items.
    func uses(
        isFresh: Bool,
        _ list: (OCMSearch) async throws(OriginError) -> OCMListing
    ) async throws(OriginError) -> [Use] {
        let now = SystemClock.seconds()
        if !isFresh, let last = walk.withLock({ $0 }), (0..<Self.walkSeconds).contains(now - last.seconds) {
            return last.uses
        }
        var uses: [Use] = []
        var seen: Set<AssetReference> = []
        for type in try await types(list) {
            var search = OCMSearch(.equals("type", type))
            (search.fields, search.limit) = (["all"], Self.itemsPage)
            try await pages(of: search, list) { (item) throws(OriginError) in
                let pictures = OCMPictures(in: item.fields ?? [:])
                // HTML that is too odd to be read shows nothing; without its library none could be read.
                if let error = pictures.unread, case .libraryMissing = error { throw Self.unusable("\(error)") }
                for picture in pictures.all where seen.insert(picture.reference).inserted {
                    uses.append(Use(reference: picture.reference, type: picture.item?.type))
                }
                guard uses.count <= Self.maxUses else { throw Self.endless }
            }
        }
        let found = uses
        walk.withLock { $0 = (found, now) }
        return found
    }

    /// The types of content that the channel has, by name; what cannot be quoted cannot be asked for.
    private func types(
        _ list: (OCMSearch) async throws(OriginError) -> OCMListing
    ) async throws(OriginError) -> [String] {
        var types: Set<String> = []
        var search = OCMSearch()
        (search.fields, search.limit) = (["all"], Self.typesPage)
        try await pages(of: search, list) { (item) throws(OriginError) in
            if !item.isDigitalAsset, let type = item.type, !type.contains("\"") { types.insert(type) }
            guard types.count <= Self.maxTypes else { throw Self.endless }
        }
        return types.sorted()
    }

    /// Walks a listing to its end, and no further: one that brings nothing new or too much is left.
    private func pages(
        of search: OCMSearch,
        _ list: (OCMSearch) async throws(OriginError) -> OCMListing,
        _ take: (OCMItem) throws(OriginError) -> Void
    ) async throws(OriginError) {
        var search = search
        var seen: Set<ExactText> = []
        var idlePages = 0
        while true {
            let page = try await list(search)
            let new = page.items.filter { seen.insert(ExactText($0.id)).inserted }
            idlePages = new.isEmpty ? idlePages + 1 : 0
            for item in new { try take(item) }
            guard let next = page.nextOffset else { return }
            guard idlePages <= 3, seen.count <= Self.maxUses else { throw Self.endless }
            search.offset = next
        }
    }

    private static let endless = unusable("more than can be, or a listing that repeats itself")

    private static func unusable(_ detail: String) -> OriginError {
        .unusable(host: "the listing of content", status: 200, detail: detail)
    }
}

extension OCMUsedPictures {
    /// Most assets that one query names; a query stands in a URL.
    private static let queryAssets = 25

    /// The queries that tell all about these assets: those of one type together, because a query over several types gets
    /// no renditions (spec OCM §4.3).
    static func queries(for uses: some Collection<Use>) -> [OCMQuery] {
        let types = Dictionary(grouping: uses, by: \.type)
        return types.keys.sorted { ($0 ?? "") < ($1 ?? "") }.flatMap { type in
            chunks(types[type] ?? []).compactMap { chunk in
                let named = anyOf(chunk.map(\.reference))
                guard let type else { return named }
                return named.map { OCMQuery.equals("type", type).and($0) }
            }
        }
    }

    private static func chunks(_ uses: [Use]) -> [ArraySlice<Use>] {
        stride(from: 0, to: uses.count, by: queryAssets).map { uses[$0...].prefix(queryAssets) }
    }

    private static func anyOf(_ references: [AssetReference]) -> OCMQuery? {
        let conditions = references.map { reference in
            switch reference {
            case .id(let id): OCMQuery.equals("id", id)
            case .slug(let slug): OCMQuery.equals("slug", slug)
            }
        }
        // A name that cannot be quoted cannot be asked for.
        let sendable = conditions.filter { $0.problem == nil }
        guard let first = sendable.first else { return nil }
        guard sendable.count > 1 else { return first }
        return .raw("(\(sendable.map(\.text).joined(separator: " or ")))")
    }
}
