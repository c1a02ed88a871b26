/// How long a response says it stays fresh in a shared cache (RFC 9111 §4.2.1); pure.
struct CacheDirectives: Equatable, Sendable {
    /// Seconds from its arrival; nil if the response does not say, 0 if it must not be used unasked.
    var lifetimeSeconds: Double?

    /// Reads the fields of a response.
    ///
    /// `no-store` and `no-cache` before `s-maxage` before `max-age` before `Expires`; `Age` is taken off. What
    /// cannot be read counts as stale (RFC 9111 §4.2.1, §5.3).
    ///
    /// - Parameter now: when it arrived, in seconds since 1970; stands in for a missing `Date`.
    init(cacheControl: String?, expires: String? = nil, date: String? = nil, age: String? = nil, now: Double) {
        let directives = Self.parse(cacheControl ?? "")
        let total: Double?
        if directives.keys.contains(where: { ["no-store", "no-cache"].contains($0) }) {
            total = 0
        } else if let text = directives["s-maxage"] ?? directives["max-age"] {
            total = Self.seconds(text) ?? 0
        } else if let expires {
            let sent = date.flatMap { HTTPDate.parse($0, now: now) } ?? now
            total = HTTPDate.parse(expires, now: now).map { max($0 - sent, 0) } ?? 0
        } else {
            total = nil
        }
        lifetimeSeconds = total.map { max($0 - (age.flatMap(Self.seconds) ?? 0), 0) }
    }

    /// Names in lower case and their values without quotes; the first of a name counts.
    private static func parse(_ text: String) -> [String: String] {
        var directives: [String: String] = [:]
        for part in split(text) {
            let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmed }
            guard let name = pair.first?.lowercased(), !name.isEmpty, directives[name] == nil else { continue }
            directives[name] = pair.count == 2 ? pair[1].filter { $0 != "\"" } : ""
        }
        return directives
    }

    /// Splits at commas outside quotes.
    private static func split(_ text: String) -> [Substring] {
        var isQuoted = false
        return text.split { character in
            if character == "\"" { isQuoted.toggle() }
            return character == "," && !isQuoted
        }
    }

    /// Whole seconds; more than a few centuries count as 2³¹ (RFC 9111 §1.2.2).
    private static func seconds(_ text: String) -> Double? {
        let digits = text.trimmed
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Double(Int(digits).map { min($0, 2_147_483_648) } ?? 2_147_483_648)
    }
}

extension StringProtocol {
    /// Without white space at either end.
    var trimmed: String {
        let rest = drop { $0.isWhitespace }
        return rest.lastIndex { !$0.isWhitespace }.map { String(rest[...$0]) } ?? ""
    }
}
