import RenditionCache

extension Command {
    /// A channel's catalogue.
    static let list = Command(
        name: "list",
        operands: "[channel]",
        operandCount: 0...1,
        purpose: "a channel's catalogue, and what of it is in the cache",
        details: "The channel may be left out if there is only one.",
        options: [
            Option(name: "limit", value: "N", help: "at most that many (default all)"),
            Option(name: "used", help: "only what the channel's content refers to"),
        ],
        examples: [
            Example(
                line: "rcache list blog",
                purpose: "id, name, type, size, renditions of the CMS, and what is cached"
            ),
            Example(
                line: "rcache list --folder photos --json",
                purpose: "the same of a folder, one JSON object a line"
            ),
        ],
        run: { (invocation) throws(Failure) in try await ListCommand(invocation: invocation).run() }
    )
}

/// `rcache list`.
struct ListCommand {
    let invocation: Invocation

    /// Assets asked for at a time.
    private static let pageSize = 100
    /// How many of those left out for one reason are named.
    static let namedSkips = 20

    func run() async throws(Failure) -> ExitCode {
        let configuration = try invocation.configuration()
        let channel = try invocation.channel(named: invocation.arguments.operands.first, of: configuration).name
        let limit = try invocation.arguments.number("limit", in: 1...1_000_000_000) ?? .max
        return try await invocation.withService(configuration) { (service) throws(Failure) in
            try await list(channel, limit: limit, service)
            return .done
        }
    }

    private func list(_ channel: String, limit: Int, _ service: RenditionService) async throws(Failure) {
        var walk = CatalogueWalk(channel: channel)
        var listed = 0
        var skipped: [String: [String]] = [:]
        var rows = [["ID", "NAME", "TYPE", "SIZE", "PIXELS", "RENDITIONS", "CACHED"]]
        while let cursor = walk.cursor, listed < limit {
            let page = try await page(channel, at: cursor, limit: min(Self.pageSize, limit - listed), service)
            for file in page.skipped { skipped[file.reason, default: []].append(file.name) }
            let assets: [Asset]
            do throws(RenditionError) { assets = Array(try walk.take(page).prefix(limit - listed)) } catch {
                throw Failure(error)
            }
            for asset in assets {
                let cached = service.cachedForms(of: asset, in: channel)
                if invocation.isJSON {
                    try invocation.console.write(Self.json(asset, cached))
                } else {
                    rows.append(Self.row(asset, cached))
                }
            }
            listed += assets.count
            invocation.console.show(status: "list \(channel)  \(listed)\(page.total.map { " of \($0)" } ?? "")")
        }
        invocation.console.endStatus()
        if !invocation.isJSON, listed > 0 { try invocation.console.write(Table(rows: rows, numeric: [3]).text) }
        if listed == 0 { invocation.console.say("channel \(channel) has no pictures") }
        for (reason, names) in skipped.sorted(by: { $0.key < $1.key }) {
            invocation.console.say(Self.leftOut(names, reason))
        }
    }

    /// What is left out for one reason, each by its name up to a limit.
    static func leftOut(_ names: [String], _ reason: String) -> String {
        var lines = ["\(names.count == 1 ? "1 is" : "\(names.count) are") left out: \(reason)"]
        lines += names.prefix(namedSkips).map { "  \($0)" }
        if names.count > namedSkips { lines.append("  and \(names.count - namedSkips) more") }
        return lines.joined(separator: "\n")
    }

    private func page(
        _ channel: String,
        at cursor: CatalogueCursor,
        limit: Int,
        _ service: RenditionService
    ) async throws(Failure) -> AssetPage {
        if Interruption.hasCome { throw .interrupted }
        do throws(RenditionError) {
            return try await service.assets(
                in: channel,
                of: invocation.arguments.has("used") ? .used : .all,
                at: cursor,
                limit: limit
            )
        } catch {
            throw Failure(error)
        }
    }

    private static func row(_ asset: Asset, _ cached: (native: Bool, renditions: Int)) -> [String] {
        let type = asset.mediaType ?? asset.fileGroup ?? (asset.isDigitalAsset ? "-" : "content item")
        let offered = asset.renditions.map { $0.isEmpty ? "none" : $0.map(\.name).joined(separator: ",") }
        let kept = [cached.native ? "native" : nil, cached.renditions > 0 ? "\(cached.renditions) renditions" : nil]
        return [
            asset.id, asset.name, type, asset.byteCount.map(Quantity.text(bytes:)) ?? "-",
            asset.size?.description ?? "-",
            offered ?? "-", kept.allSatisfy { $0 == nil } ? "no" : kept.compactMap { $0 }.joined(separator: ", "),
        ]
    }

    private static func json(_ asset: Asset, _ cached: (native: Bool, renditions: Int)) -> JSONText {
        let offered = asset.renditions.map { renditions in
            JSONText.array(
                renditions.map {
                    .object([("name", .string($0.name)), ("formats", .array($0.formats.map(JSONText.string)))])
                }
            )
        }
        return .object([
            ("id", .string(asset.id)), ("slug", JSONText(asset.slug)), ("name", .string(asset.name)),
            ("isDigitalAsset", .bool(asset.isDigitalAsset)), ("mediaType", JSONText(asset.mediaType)),
            ("bytes", JSONText(asset.byteCount)), ("width", JSONText(asset.size?.width)),
            ("height", JSONText(asset.size?.height)), ("version", JSONText(asset.version)),
            ("updated", JSONText(asset.updatedSeconds.map(DateText.rfc3339))), ("renditions", offered ?? .null),
            ("cachedNative", .bool(cached.native)), ("cachedRenditions", .integer(cached.renditions)),
        ])
    }
}
