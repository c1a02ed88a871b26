/// What a client's `Accept` header says about picture formats (RFC 9110 §12.5.1).
package struct AcceptedTypes: Equatable, Sendable {
    /// The weight of each media range, 0…1, names in lower case; of two equal ranges the last counts.
    private var weights: [String: Double] = [:]

    /// Reads a header's value; nil is a request without one.
    ///
    /// An element that cannot be read is passed over.
    package init(_ header: String?) {
        for element in (header ?? "").split(separator: ",") {
            let pieces = element.split(separator: ";").map(Self.trimmed)
            guard let range = pieces.first, range.contains("/") else { continue }
            var weight: Double? = 1
            for piece in pieces.dropFirst() where piece.lowercased().hasPrefix("q=") {
                weight = decimal(piece.dropFirst(2)).flatMap { (0...1).contains($0) ? $0 : nil }
            }
            if let weight { weights[range.lowercased()] = weight }
        }
    }

    /// Whether the format is listed by its name and not with weight 0.
    ///
    /// Wildcards say nothing about what a client can show: every client sends them, also one that shows no WebP (spec AEM §8).
    package func names(_ format: ImageFormat) -> Bool { weight(of: format) > 0 }

    /// The weight of the format's own name; 0 where it is not listed.
    package func weight(of format: ImageFormat) -> Double { weights[format.mediaType] ?? 0 }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0 == " " || $0 == "\t" }
        return start[
            ..<(start.lastIndex { $0 != " " && $0 != "\t" }.map { start.index(after: $0) } ?? start.startIndex)
        ]
    }
}
