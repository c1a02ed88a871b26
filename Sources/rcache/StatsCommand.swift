import RenditionCache

extension Command {
    /// What is in the cache.
    static let stats = Command(
        name: "stats",
        purpose: "entries and bytes in the cache, by channel, rendition and format",
        examples: [
            Example(line: "rcache stats", purpose: "a table, and how full the cache is"),
            Example(line: "rcache stats --folder photos --json", purpose: "the same of a folder's cache, as JSON"),
        ],
        run: { (invocation) throws(Failure) in
            let configuration = try invocation.configuration()
            return try await invocation.withService(configuration) { (service) throws(Failure) in
                let statistics = service.statistics()
                if invocation.isJSON {
                    try invocation.console.write(StatisticsText.json(statistics, configuration.cache.directory))
                } else {
                    try invocation.console.write(StatisticsText.table(statistics, configuration.cache.directory))
                }
                return .done
            }
        }
    )
}

/// What `stats` prints.
enum StatisticsText {
    static func table(_ statistics: CacheStatistics, _ directory: String) -> String {
        var rows = [["CHANNEL", "RENDITION", "TYPE", "ENTRIES", "BYTES"]]
        for row in statistics.rows {
            rows.append([row.channel, row.form, row.mediaType, "\(row.entries)", Quantity.text(bytes: row.bytes)])
        }
        let share = statistics.maxBytes > 0 ? Double(statistics.allocatedBytes) / Double(statistics.maxBytes) * 100 : 0
        let percent = (share * 10).rounded() / 10
        let table = statistics.rows.isEmpty ? "" : Table(rows: rows, numeric: [3, 4]).text + "\n"
        return table + """
            \(statistics.entries) entries in \(directory)
            \(Quantity.text(bytes: statistics.allocatedBytes)) on disk of \(Quantity.text(bytes: statistics.maxBytes)) (\(percent) %)

            """
    }

    static func json(_ statistics: CacheStatistics, _ directory: String) -> JSONText {
        let rows = statistics.rows.map { row in
            JSONText.object([
                ("channel", .string(row.channel)), ("rendition", .string(row.form)),
                ("mediaType", .string(row.mediaType)),
                ("entries", .integer(row.entries)), ("bytes", .integer(row.bytes)),
            ])
        }
        return .object([
            ("directory", .string(directory)), ("entries", .integer(statistics.entries)),
            ("allocatedBytes", .integer(statistics.allocatedBytes)), ("maxBytes", .integer(statistics.maxBytes)),
            ("rows", .array(rows)),
        ])
    }
}
