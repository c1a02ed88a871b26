import RenditionCache

/// The `links` arrays of one answer: absolute, with the request's channel token, and only the relations asked for.
struct OCMLinks: Sendable {
    /// A relation, the path below `CT`, and the parameters in front of the token.
    typealias Link = (relation: String, path: String, parameters: [(name: String, value: String)])

    private let base: String
    private let token: String?
    private let relations: [String]?
    private let request: [(name: String, value: String)]

    /// The links of an answer to that request.
    init(base: String, target: RequestTarget, parameters: OCMDialect.Parameters) {
        self.base = base + "/" + OCMDialect.prefix.joined(separator: "/")
        token = parameters.channelToken
        relations = parameters.links
        request = target.parameters
    }

    /// The array; empty for `links=none`.
    func array(_ links: [Link], mediaType: String = "application/json") -> JSON {
        .array(
            links.filter { link in relations?.contains(link.relation) ?? true }.map { link in
                .object([
                    ("href", .string(href(link.path, link.parameters))),
                    ("rel", .string(link.relation)),
                    ("method", "GET"),
                    ("mediaType", .string(mediaType)),
                ])
            }
        )
    }

    /// Those of the request's parameters, as links to the same thing repeat them.
    func repeated(_ names: [String]) -> [(name: String, value: String)] {
        request.filter { names.contains($0.name) }
    }

    /// The links of a listing, in the order of spec OCM §4.2.
    func paging(offset: Int, count: Int, limit: Int, total: Int) -> JSON {
        let same = request.filter { $0.name != "offset" }
        func page(_ relation: String, _ offset: Int) -> Link {
            (relation, "items", same + [("offset", String(offset))])
        }
        var links = [page("self", offset), page("canonical", offset), ("describedby", "metadata-catalog/items", [])]
        if offset > 0 { links.append(page("prev", max(0, offset - max(1, limit)))) }
        if offset + count < total { links.append(page("next", offset + count)) }
        links.append(page("first", 0))
        links.append(page("last", max(0, total - 1) / max(1, limit) * max(1, limit)))
        return array(links)
    }

    /// A file name as OCM writes it into a path: form-encoded, a space as `+` (spec OCM §7.5).
    static func fileName(_ name: String) -> String {
        name.split(separator: " ", omittingEmptySubsequences: false)
            .map { String($0).percentEncoded(keeping: "-._*") }.joined(separator: "+")
    }

    private func href(_ path: String, _ parameters: [(name: String, value: String)]) -> String {
        let isMissing = token != nil && !parameters.contains { $0.name == "channelToken" }
        let all = parameters + (isMissing ? [("channelToken", token ?? "")] : [])
        let query = all.map {
            "\($0.name.percentEncoded(keeping: "-._~"))=\($0.value.percentEncoded(keeping: "-._~,:;"))"
        }
        return base + (path.isEmpty ? "" : "/\(path)") + (query.isEmpty ? "" : "?\(query.joined(separator: "&"))")
    }
}
