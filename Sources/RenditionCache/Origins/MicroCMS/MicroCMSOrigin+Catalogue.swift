extension MicroCMSOrigin {
    /// The pictures of one answer of one endpoint: all of an object, up to 100 contents of a list.
    ///
    /// The cursor's part is the endpoint, its offset counts contents.
    func page(at cursor: CatalogueCursor, limit: Int) async throws(OriginError) -> AssetPage {
        guard !endpoints.isEmpty else {
            throw .notEnumerable(
                "add endpoints: [\"…\"] to the channel \(client.channel), the APIs whose pictures it has"
            )
        }
        guard endpoints.indices.contains(cursor.part) else { return AssetPage(assets: []) }
        let endpoint = endpoints[cursor.part]
        var paging = MicroCMSPaging(at: cursor, wanted: limit, query: endpoint.query)
        guard !paging.isAtEnd else { return page(MicroCMSCatalogue(naming: naming), next: following(cursor)) }
        let json = endpoint.isContent ? try await content(endpoint) : try await contents(endpoint, &paging)
        let next = MicroCMSList(json).flatMap { paging.next(after: $0) }
        return page(try catalogue(json), next: next ?? following(cursor))
    }

    /// Asks for fewer contents as long as the answer would be too long.
    private func contents(
        _ endpoint: MicroCMSEndpoint,
        _ paging: inout MicroCMSPaging
    ) async throws(OriginError) -> JSONValue {
        while true {
            do throws(OriginError) {
                return try await list(endpoint, paging.query(endpoint.query))
            } catch .tooLarge(let limit) {
                guard paging.shorten() else { throw .tooLarge(limit: limit) }
            } catch .unusable(let host, 400, let detail) where paging.isAtStart {
                // An object has neither limit nor order, and may refuse to be asked for them. Where that was not the
                // matter, what the server said first helps more than why this failed too.
                guard let json = try? await content(endpoint), MicroCMSList(json) == nil else {
                    throw .unusable(host: host, status: 400, detail: detail)
                }
                return json
            }
        }
    }

    private func list(_ endpoint: MicroCMSEndpoint, _ query: MicroCMSQuery) async throws(OriginError) -> JSONValue {
        let url: WebURL
        do throws(RequestError) { url = try requests.list(endpoint.path, query) } catch {
            throw refusal(error, endpoint)
        }
        return try await json(url, what: "API \(endpoint.path)", hiding: query.draftKey)
    }

    private func content(_ endpoint: MicroCMSEndpoint) async throws(OriginError) -> JSONValue {
        let parts = endpoint.path.split(separator: "/").map(String.init)
        let url: WebURL
        do throws(RequestError) {
            url = try requests.content(parts[0], id: parts.dropFirst().first, endpoint.query)
        } catch {
            throw refusal(error, endpoint)
        }
        return try await json(url, what: "content \(endpoint.path)", hiding: endpoint.query.draftKey)
    }

    private func refusal(_ error: RequestError, _ endpoint: MicroCMSEndpoint) -> OriginError {
        .notEnumerable("\(quoted(endpoint.path)) in \"endpoints\" of the channel \(client.channel): \(error)")
    }

    private func catalogue(_ json: JSONValue) throws(OriginError) -> MicroCMSCatalogue {
        do throws(HTMLError) {
            return MicroCMSCatalogue(try MicroCMSPictureWalk(json, naming: naming), naming: naming)
        } catch {
            throw .notEnumerable(error.description)
        }
    }

    /// Where the next endpoint begins.
    private func following(_ cursor: CatalogueCursor) -> CatalogueCursor? {
        cursor.part + 1 < endpoints.count ? CatalogueCursor(part: cursor.part + 1) : nil
    }

    private func page(_ catalogue: MicroCMSCatalogue, next: CatalogueCursor?) -> AssetPage {
        AssetPage(assets: catalogue.assets, next: next, skipped: catalogue.skipped, endsByItself: true)
    }
}

// MARK: - Documents

extension MicroCMSOrigin {
    /// A page of a list API, or the one content of an object API.
    ///
    /// - Throws: `request` for a query that cannot be asked, `origin` for everything else.
    func list(_ endpoint: String, _ query: MicroCMSQuery) async throws(RenditionError) -> MicroCMSDocument {
        let url: WebURL
        do throws(RequestError) { url = try requests.list(endpoint, query) } catch { throw .request(error) }
        return try await document(url, what: "API \(endpoint)", query)
    }

    /// One content of a list API; without an identifier the one of an object API.
    func get(_ endpoint: String, id: String?, _ query: MicroCMSQuery) async throws(RenditionError) -> MicroCMSDocument {
        let url: WebURL
        do throws(RequestError) { url = try requests.content(endpoint, id: id, query) } catch { throw .request(error) }
        return try await document(
            url,
            what: "content \(([endpoint] + [id].compactMap(\.self)).joined(separator: "/"))",
            query
        )
    }

    private func document(_ url: WebURL, what: String, _ query: MicroCMSQuery) async throws(RenditionError)
        -> MicroCMSDocument
    {
        do throws(OriginError) {
            let json = try await json(url, what: what, hiding: query.draftKey)
            do throws(HTMLError) {
                return MicroCMSDocument(json: json, pictures: try MicroCMSPictureWalk(json, naming: naming).pictures)
            } catch {
                throw .notEnumerable(error.description)
            }
        } catch {
            throw RenditionError(error)
        }
    }

    /// Fetches an object; anything else is no answer of microCMS.
    ///
    /// - Parameter secret: what a server's text must not repeat.
    private func json(_ url: WebURL, what: String, hiding secret: String?) async throws(OriginError) -> JSONValue {
        do throws(OriginError) {
            let json = try await client.json(url, what: what)
            guard json.object != nil else {
                throw .unusable(host: client.host, status: 200, detail: "JSON that is no object")
            }
            return json
        } catch {
            throw secret.map(error.hiding) ?? error
        }
    }
}

extension OriginError {
    /// The same without a secret that the server may have repeated.
    fileprivate func hiding(_ secret: String) -> OriginError {
        func cut(_ text: String?) -> String? { secret.isEmpty ? text : text?.replacing(secret, with: "…") }
        return switch self {
        case .forbidden(let host, let status, let detail): .forbidden(host: host, status: status, detail: cut(detail))
        case .unusable(let host, let status, let detail): .unusable(host: host, status: status, detail: cut(detail))
        default: self
        }
    }
}
