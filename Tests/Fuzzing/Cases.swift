import FoundationEssentials

/// The recorded requests of a CMS's fixtures.
struct Cases: Decodable {
    struct Case: Decodable {
        var params: String?
        var accept: String?
    }

    var cases: [Case]

    /// Reads them from a file that is the list, or has it as `cases`.
    static func seeds(_ path: String) throws -> [[UInt8]] {
        let data = try Data(contentsOf: URL(filePath: path))
        let list =
            try (try? JSONDecoder().decode(Cases.self, from: data).cases)
            ?? JSONDecoder().decode([Case].self, from: data)
        return list.map { Words.seed($0.params ?? "", accept: $0.accept) }
    }
}
