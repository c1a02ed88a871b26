/// An AEM instance, author or publish, read by its persisted queries (spec AEM).
struct AEMOrigin: Origin {
    private let client: OriginClient
    private let queries: [PersistedQuery]
    private let plan: AEMFetchPlan
    private let known = AEMKnownAssets()
    private let log: Log

    /// Speaks for `channel`; throws if its URL is not http or https, or one of its queries is none.
    init(
        channel: String,
        settings: AEMSettings,
        allow: [String],
        fetcher: Fetcher,
        log: Log
    ) throws(OriginError) {
        client = try OriginClient(
            channel: channel,
            settings: settings,
            allow: allow,
            fetcher: fetcher,
            log: log,
            failure: AEMError.error
        )
        plan = AEMFetchPlan(base: client.base)
        self.log = log
        var queries: [PersistedQuery] = []
        for text in settings.queries {
            do throws(PersistedQuery.Refusal) {
                queries.append(try PersistedQuery(text))
            } catch {
                throw .notFound("persisted query \(quoted(text)): it \(error)")
            }
        }
        self.queries = queries
    }

    // MARK: Queries

    /// Runs a persisted query.
    ///
    /// Errors beside usable data are kept in the document; without data they are thrown as `unusable`.
    func run(_ query: PersistedQuery, priority: Urgency = .live) async throws(OriginError) -> AEMDocument {
        let url = try url(client.base.root + query.target)
        let json = try await client.json(
            url,
            what: "persisted query \(query.path)",
            FetchOptions(priority: priority)
        )
        do throws(AEMDocument.Refusal) {
            let document = try AEMDocument(json, root: client.base.root)
            note(document, of: query)
            return document
        } catch {
            throw client.unusable(error.description)
        }
    }

    private func note(_ document: AEMDocument, of query: PersistedQuery) {
        func warn(_ message: String, _ count: Int, _ first: String) {
            let fields: KeyValuePairs<String, any CustomStringConvertible> = [
                "channel": client.channel, "query": query.path, "count": count, "first": client.line(first),
            ]
            log(.warning, message, fields)
        }
        if let first = document.errors.first {
            warn("a query brought errors beside its data", document.errors.count, first)
        }
        if let first = document.unread.first {
            warn("the pictures of some texts are not known", document.unread.count, first)
        }
    }

    /// The persisted queries of a configuration; an instance need not tell, and most of publish do not.
    func persistedQueries(of configuration: String) async throws(OriginError) -> [AEMQueryDescription] {
        let url = try url("\(client.base.root)/graphql/list.json/\(PercentEncoding.segment(configuration))")
        let json = try await client.json(url, what: "list of the queries of \(configuration)")
        guard let list = AEMQueryDescription.list(json) else { throw client.unusable("JSON without a list of queries") }
        return list
    }

    // MARK: Catalogue

    /// The pictures of one page of one query; a part of the catalogue is a query of the configuration.
    func page(at cursor: CatalogueCursor, limit: Int) async throws(OriginError) -> AssetPage {
        guard !queries.isEmpty else {
            throw .notEnumerable(
                "add queries: [\"…\"] to the channel \(client.channel), the persisted queries whose pictures it has"
            )
        }
        guard queries.indices.contains(cursor.part) else { return AssetPage(assets: []) }
        let paging = AEMPaging(query: queries[cursor.part])
        let document = try await run(try request(paging, at: cursor))
        let assets = document.assets
        known.learn(assets)
        let following = cursor.part + 1 < queries.count ? CatalogueCursor(part: cursor.part + 1) : nil
        do throws(AEMPaging.Standstill) {
            return AssetPage(assets: assets, next: try paging.next(after: document, at: cursor) ?? following)
        } catch {
            throw client.unusable("the same page of \(paging.query.path) again; does the query declare $after?")
        }
    }

    private func request(_ paging: AEMPaging, at cursor: CatalogueCursor) throws(OriginError) -> PersistedQuery {
        do throws(PersistedQuery.Refusal) {
            return try paging.request(at: cursor)
        } catch {
            throw client.unusable("a cursor that cannot be sent back")
        }
    }

    /// What a path in the DAM, an identifier or any address of a picture names, completed by what the catalogue has said.
    ///
    /// Asks nobody: whether the picture is there shows when it is fetched.
    func asset(_ reference: AssetReference, priority: Urgency) async throws(OriginError) -> Asset {
        let text = reference.description
        if let identifier = AEMIdentifier(text) { return asset(identifier) }
        if let path = AEMAddress.node(text)?.path { return asset(path) }
        let address = AEMAddress(target: text.hasPrefix("/") ? text : "/\(text)")
        guard let identifier = address?.identifier else { throw .notFound("asset \(text)") }
        return asset(identifier)
    }

    private func asset(_ path: String) -> Asset {
        let id = String(path.dropFirst())
        return known.asset(id) ?? Asset(id: id, name: id.split(separator: "/").last.map(String.init) ?? id)
    }

    private func asset(_ identifier: AEMIdentifier) -> Asset {
        known.asset(identifier.urn)
            ?? Asset(id: identifier.urn, slug: identifier.deliveryText, name: identifier.uuid)
    }

    // MARK: Pictures

    /// The original, or what stands in for one that is not there or may not be had (spec AEM §14.6).
    func fetchNative(
        _ asset: Asset,
        into sink: any ByteSink,
        options: FetchOptions
    ) async throws(OriginError) -> FetchedBody {
        var refusal: OriginError?
        for step in plan.natives(of: asset) {
            do throws(OriginError) {
                return try await client.body(
                    try url(step.url),
                    what: "asset \(asset.id)",
                    expecting: step.isOriginal ? (asset.isPicture ? .noText : .anything) : .picture,
                    into: sink,
                    options
                )
            } catch {
                guard error.leavesHope else { throw error }
                refusal = refusal ?? error
            }
        }
        throw refusal ?? .notFound("asset \(asset.id)")
    }

    /// A rendition that AEM keeps; the names that every channel has are made here.
    func fetchRendition(
        _ name: String,
        format: ImageFormat?,
        of asset: Asset,
        into sink: any ByteSink,
        options: FetchOptions
    ) async throws(OriginError) -> FetchedBody? {
        guard !Self.isMadeHere(name) else { return nil }
        for text in plan.rendition(name, format: format, of: asset) {
            do throws(OriginError) {
                let what = "rendition \(name) of \(asset.id)"
                return try await client.body(try url(text), what: what, expecting: .picture, into: sink, options)
            } catch .notFound {
                continue
            }
        }
        return nil
    }

    /// `Thumbnail`, `Small`, `Medium` and `Large` are no names of AEM's.
    private static func isMadeHere(_ name: String) -> Bool {
        ["thumbnail", "small", "medium", "large"].contains(name.lowercased())
    }

    private func url(_ text: String) throws(OriginError) -> WebURL {
        guard let url = WebURL(text) else { throw .unreachable(.badURL(String(text.prefix { $0 != "?" }))) }
        return url
    }
}

extension OriginError {
    /// Whether the same picture may still be had at another address: not there, or not for us.
    fileprivate var leavesHope: Bool {
        switch self {
        case .notFound, .forbidden(_, 403, _): true
        default: false
        }
    }
}
