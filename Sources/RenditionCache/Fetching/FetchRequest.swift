/// One thing to fetch, and what may be told to whom on the way.
struct FetchRequest: Sendable {
    /// Where it is; may hold a secret in its query.
    var url: WebURL
    /// Credentials and custom header fields: only for hops that the policy calls the channel's own.
    var ownHeaders: [HeaderField] = []
    /// Header fields that anybody may see.
    var headers: [HeaderField] = []
    /// Who gets `ownHeaders`, and which addresses may be connected to.
    var policy: any HopPolicy
    /// What is already there, if anything; then the answer may be 304.
    var validators = Validators()
    /// Who waits.
    var priority = Urgency.live
    /// Most bytes of the decoded body; nil for the setting.
    var maxBytes: Int?
    /// How often requests of its group may go out; nil for as often as the host takes them.
    var rate: FetchRate?
    /// What is posted; nil (the default) for a GET.
    ///
    /// A POST is sent at most once: again only if it cannot have been taken. Its redirects are answers.
    var form: Form?

    /// What a conditional request compares (RFC 9110 §13.1).
    struct Validators: Equatable, Sendable {
        /// The entity tag with its quotes, for `If-None-Match`.
        var entityTag: String?
        /// Seconds since 1970, for `If-Modified-Since`.
        var modifiedSeconds: Double?
    }
}

extension FetchRequest {
    /// A small body of `application/x-www-form-urlencoded`, as token requests have it (RFC 6749 §4.4.2); may hold secrets.
    struct Form: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
        /// Names and values, encoded.
        let text: String

        /// Most bytes of a body.
        static let maxBytes = 65_536

        /// Encodes names and values by WHATWG URL §5.2; nil if the body passes 64 KB.
        init?(_ fields: [(name: String, value: String)]) {
            text = fields.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }.joined(separator: "&")
            guard text.utf8.count <= Self.maxBytes else { return nil }
        }

        /// How long it is, and nothing else, so that no secret is printed by accident.
        var description: String { "a form of \(text.utf8.count) bytes" }

        /// The same.
        var debugDescription: String { description }

        private static func encoded(_ text: String) -> String {
            var bytes: [UInt8] = []
            for byte in text.utf8 {
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "."),
                    UInt8(ascii: "_"):
                    bytes.append(byte)
                case UInt8(ascii: " "): bytes.append(UInt8(ascii: "+"))
                default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
                }
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        private static let digits = Array("0123456789ABCDEF".utf8)
    }
}

/// A name and a value.
struct HeaderField: Equatable, Sendable {
    var name: String
    var value: String

    init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// Judges the hops of one transfer; pure.
protocol HopPolicy: Sendable {
    /// Whether credentials and custom header fields may go to this scheme, host and port.
    func isOwn(_ url: WebURL) -> Bool

    /// Whether a connection to that address may be made for that URL.
    func permits(_ address: IPAddress, for url: WebURL) -> Bool
}
