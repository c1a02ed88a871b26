import RenditionCache

/// Oracle Content Management's URLs, answered from any channel (spec OCM §14).
struct OCMSurface: Sendable {
    /// Most items of one page (spec OCM §4.1).
    private static let maxPageItems = 500
    private static let defaultPageItems = 100
    /// `cb` opens a window of 15 days (spec OCM §10.3).
    private static let windowSeconds = 1_296_000

    private let service: any RenditionServing

    /// The surface of a service.
    init(_ service: any RenditionServing) { self.service = service }

    /// Reads a target.
    func route(_ target: RequestTarget, base: String, caller: Caller) -> Route {
        let parameters = OCMDialect.parameters(target)
        let operation = OCMDialect.operation(target)
        if operation == .notFound { return .refusal(.notFound, surface: .ocm) }
        let channel: ChannelSettings
        do throws(Refusal) {
            channel = try self.channel(for: caller)
        } catch {
            return .refusal(error, surface: .ocm)
        }
        let catalogue = FolderCatalogue(channel: channel, base: base, target: target, parameters: parameters)
        switch operation {
        case .apiInfo: return .answer(.document(catalogue.apiInfo()))
        case .search: return search(catalogue, parameters)
        case .item(let references): return item(references, catalogue)
        case .native(let references, _):
            return .picture(query(references.map { ($0, .native) }, channel, parameters))
        case .rendition(let references, let names, _): return rendition(references, names, channel, parameters)
        case .languageVariations, .languageVariation, .taxonomies, .taxonomy, .taxonomyCategories, .taxonomyCategory,
            .notFound:
            return .refusal(.notFound, surface: .ocm)
        }
    }

    /// The channel that a token selects: the first that has it, else the first that asks for none.
    func channel(for caller: Caller) throws(Refusal) -> ChannelSettings {
        let channels = service.configuration.channels
        let suitable = channels.filter(caller.hasToken) + channels.filter { !$0.asksForToken }
        if let channel = suitable.first(where: { caller.refusal(from: $0) == nil }) { return channel }
        throw suitable.first.flatMap(caller.refusal) ?? .tokenRefused
    }

    private func rendition(
        _ references: [AssetReference],
        _ names: [String],
        _ channel: ChannelSettings,
        _ parameters: OCMDialect.Parameters
    ) -> Route {
        var format = parameters.format.flatMap { ImageFormat(name: $0) }
        if parameters.format != nil && format?.isOutput != true {
            let asset = references.first?.description ?? ""
            return .refusal(
                .rendition(.renditionNotFound(channel: channel.name, asset: asset, rendition: names[0])),
                surface: .ocm
            )
        }
        // Without a format the first listed one is meant (spec OCM §8.2); of an OCM channel its CMS knows which.
        if format == nil && channel.isFolder { format = .jpeg }
        let wanted = references.flatMap { reference in
            names.map {
                (reference, RenditionRequest.Selection.named($0 == "thumbnail" ? "Thumbnail" : $0, format: format))
            }
        }
        return .picture(query(wanted, channel, parameters))
    }

    private func query(
        _ wanted: [(asset: AssetReference, selection: RenditionRequest.Selection)],
        _ channel: ChannelSettings,
        _ parameters: OCMDialect.Parameters
    ) -> PictureQuery {
        var query = PictureQuery(
            candidates: wanted.map {
                RenditionRequest(channel: channel.name, asset: $0.asset, selection: $0.selection)
            },
            surface: .ocm
        )
        query.disposition = parameters.download.map { $0 ? .attachment : .inline }
        if !channel.isPublic {
            query.caching = .never
        } else if parameters.cacheBuster != nil {
            query.caching = .window(seconds: Self.windowSeconds)
        }
        return query
    }

    private func item(_ references: [AssetReference], _ catalogue: FolderCatalogue) -> Route {
        .document(surface: .ocm) { [service] () async throws(Refusal) in
            var missing: RenditionError?
            for reference in references {
                do throws(RenditionError) {
                    let asset = try await service.asset(reference, in: catalogue.channel.name)
                    return .document(catalogue.item(asset), isPublic: catalogue.channel.isPublic)
                } catch .assetNotFound(let channel, let asset) {
                    missing = missing ?? .assetNotFound(channel: channel, asset: asset)
                } catch {
                    throw .rendition(error)
                }
            }
            throw missing.map { .rendition($0) } ?? .notFound
        }
    }

    private func search(_ catalogue: FolderCatalogue, _ parameters: OCMDialect.Parameters) -> Route {
        let limit = min(parameters.limit ?? Self.defaultPageItems, Self.maxPageItems)
        // Sums with it must not overflow; no channel is that long.
        let offset = min(parameters.offset ?? 0, Int(Int32.max))
        guard parameters.query != nil || parameters.freeText != nil else {
            return .document(surface: .ocm) { [service] () async throws(Refusal) in
                do throws(RenditionError) {
                    // A page of nothing still has to tell how much there is.
                    let page = try await service.assets(
                        in: catalogue.channel.name,
                        at: CatalogueCursor(offset: offset),
                        limit: max(1, limit)
                    )
                    return .document(
                        catalogue.listing(page, offset: offset, limit: limit),
                        isPublic: catalogue.channel.isPublic
                    )
                } catch {
                    throw .rendition(error)
                }
            }
        }
        guard parameters.freeText == nil, let id = parameters.query.flatMap(Self.soleIdentifier) else {
            return .refusal(.queryNotAnswered, surface: .ocm)
        }
        return .document(surface: .ocm) { [service] () async throws(Refusal) in
            do throws(RenditionError) {
                let asset = try await service.asset(.id(id), in: catalogue.channel.name)
                return .document(
                    catalogue.matches([asset], offset: offset, limit: limit),
                    isPublic: catalogue.channel.isPublic
                )
            } catch .assetNotFound {
                return .document(
                    catalogue.matches([], offset: offset, limit: limit),
                    isPublic: catalogue.channel.isPublic
                )
            } catch {
                throw .rendition(error)
            }
        }
    }

    /// The identifier of `id eq "…"`, with or without parentheses around it; nil for any other query.
    static func soleIdentifier(_ query: String) -> String? {
        var rest = query.trimmed
        while rest.hasPrefix("("), rest.hasSuffix(")") { rest = rest.dropFirst().dropLast().trimmed }
        guard rest.hasPrefix("id eq \""), rest.hasSuffix("\""), rest.utf8.count > 8 else { return nil }
        let id = rest.dropFirst(7).dropLast()
        return id.isEmpty || id.contains("\"") ? nil : String(id)
    }
}
