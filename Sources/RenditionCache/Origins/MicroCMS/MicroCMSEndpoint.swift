/// An API of the channel as the configuration names it: `trends`, `trends/news-01`, with parameters as in `trends?depth=2`.
struct MicroCMSEndpoint: Hashable, Sendable {
    /// The API's name, with the content's behind a slash where it is one alone.
    let path: String
    /// What is asked of it; `limit` and `offset` bound what of it belongs to the channel.
    let query: MicroCMSQuery

    /// Reads the text of a configuration.
    init(_ text: String) throws(RequestError) {
        let path = text.prefix { $0 != "?" }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy(Self.isName) else {
            throw .malformed("\(quoted(String(path))) is no API of microCMS; write its name alone, as in \"news\"")
        }
        self.path = String(path)
        query = try MicroCMSQuery(parsing: text.dropFirst(path.count + 1))
    }

    /// Whether it is one content, or an object by its name, and has nothing to page through.
    var isContent: Bool { path.contains("/") }

    /// Letters, digits, `-` and `_`, as in APIs and in identifiers (spec microCMS §2.3).
    static func isName(_ text: some StringProtocol) -> Bool {
        (1...256).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
                default: false
                }
            }
    }
}
