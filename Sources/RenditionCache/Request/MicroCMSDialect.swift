/// microCMS' image grammar (spec microCMS §5–§10): every request has a meaning.
///
/// Unknown parameters and unusable values are as good as absent, numbers are clamped, of equal names the last counts; the one
/// thing refused is a base64 twin that does not decode.
public enum MicroCMSDialect {
    /// What a query asks for.
    package enum Outcome: Equatable, Sendable {
        /// The original's bytes: nothing in the query has an effect.
        case untouched
        case transform(Transform)
        /// A JSON description of the source (`fm=json`).
        case information
        /// A BlurHash of the transformed picture (`fm=blurhash`).
        case blurHash(Transform)
    }

    /// A query, read.
    package struct Request: Equatable, Sendable {
        /// What to answer with.
        package var outcome: Outcome
        /// The name to be saved under (`dl`), empty for the stored one; nil where it is not to be saved.
        package var downloadName: String?
        /// The second since 1970 from which there is no answer (`expires`).
        package var expires: Int?

        /// Whether there is no answer any more at a second since 1970.
        package func isExpired(at second: Int) -> Bool { expires.map { $0 <= second } ?? false }
    }

    /// Whether sources of a format are delivered as they are, whatever is asked (spec microCMS §5).
    package static func isUntouched(_ format: ImageFormat) -> Bool { format == .svg }

    /// Reads a raw query, percent-encoded or plain.
    ///
    /// - Throws: `badValue` for a base64 twin that does not decode.
    package static func request(query: String) throws(RequestError) -> Request {
        try request(RequestTarget.parameters(query[...]))
    }

    /// Reads parameters that are decoded already.
    package static func request(_ parameters: [(name: String, value: String)]) throws(RequestError) -> Request {
        let values = try MicroCMSValues(parameters)
        return Request(
            outcome: outcome(of: values),
            downloadName: values["dl"],
            expires: values["expires"].flatMap(wholeNumber)
        )
    }

    /// What values ask for.
    static func outcome(of values: MicroCMSValues) -> Outcome {
        MicroCMSOutput(values).outcome(of: MicroCMSGeometry(values).applied(to: MicroCMSLooks(values).transform()))
    }
}

/// The values of microCMS' parameters under their short names, aliases and base64 resolved.
struct MicroCMSValues {
    private var values: [String: String] = [:]
    /// The words of every `auto`, in lower case.
    private(set) var auto: Set<String> = []

    init(_ parameters: [(name: String, value: String)]) throws(RequestError) {
        for (written, value) in parameters {
            let name = written.lowercased()
            if name == "auto" {
                auto.formUnion(value.lowercased().split(separator: ",").map(String.init))
            } else if let known = Self.shortName(name) {
                values[known] = value
            } else if name.hasSuffix("64"), let known = Self.shortName(String(name.dropLast(2))), known != "ch" {
                guard let text = base64URLDecoded(value) else {
                    throw .badValue(parameter: name, value: value, expected: "base64url without padding")
                }
                values[known] = text
            }
        }
    }

    /// A parameter's text; nil where it is not given.
    subscript(name: String) -> String? { values[name] }

    /// Takes a parameter for not given.
    mutating func remove(_ name: String) { values[name] = nil }

    /// A keyword's text, in lower case.
    func word(_ name: String) -> String? { values[name]?.lowercased() }

    /// A number, clamped into its range; nil where there is none.
    func number(_ name: String, _ range: ClosedRange<Double>) -> Double? {
        values[name].flatMap(decimal).map { min(max($0, range.lowerBound), range.upperBound) }
    }

    /// Whether it is `true` or `1`.
    func isOn(_ name: String) -> Bool { word(name) == "true" || word(name) == "1" }

    /// A colour, alpha first, or a keyword of CSS.
    func colour(_ name: String) -> Transform.Colour? { values[name].flatMap(Self.colour) }

    /// `RGB`, `ARGB`, `RRGGBB`, `AARRGGBB`, with or without `#`, or a keyword of CSS.
    static func colour(_ text: some StringProtocol) -> Transform.Colour? {
        let word = text.lowercased()
        if let value = CSSColours.values[word] {
            let bytes = [16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
            return Transform.Colour(red: bytes[0], green: bytes[1], blue: bytes[2])
        }
        guard let digits = hexadecimalDigits(word.hasPrefix("#") ? word.dropFirst() : word[...]) else { return nil }
        var bytes: [UInt8]
        switch digits.count {
        case 3, 4: bytes = digits.map { $0 << 4 | $0 }
        case 6, 8: bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        default: return nil
        }
        if bytes.count == 3 { bytes.insert(255, at: 0) }
        return Transform.Colour(red: bytes[1], green: bytes[2], blue: bytes[3], alpha: bytes[0])
    }

    /// The name that values are kept under; nil for a name that means nothing here.
    private static func shortName(_ name: String) -> String? { names.contains(name) ? name : aliases[name] }

    /// Whether a name is one of microCMS' own, whether or not it has an effect here.
    static func isKnown(_ written: String) -> Bool {
        let name = written.lowercased()
        let plain = name.hasSuffix("64") ? String(name.dropLast(2)) : name
        return name == "auto" || name.hasPrefix("mark") || shortName(name) != nil || shortName(plain) != nil
    }

    /// Every name there is, to find the one that was meant.
    static var knownNames: [String] { names.sorted() + aliases.keys.sorted() + ["auto"] }

    private static let names: Set<String> = [
        "w", "h", "fit", "crop", "max-w", "max-h", "min-w", "min-h", "ar", "rect", "orient", "rot", "flip", "dpr",
        "fp-x", "fp-y", "fp-z", "fill", "fill-color", "fill-max", "pad", "pad-top", "pad-right", "pad-bottom",
        "pad-left", "bg", "border", "mask", "mask-bg", "corner-radius", "bri", "con", "exp", "gam", "high", "shad",
        "sat", "vib", "hue", "invert", "sharp", "usm", "usmrad", "blur", "px", "sepia", "monochrome", "fm", "q",
        "lossless", "frame", "dl", "expires", "txt", "txt-align", "txt-clip", "txt-color", "txt-fit", "txt-font",
        "txt-size", "txt-line", "txt-line-color", "txt-pad", "txt-shad", "txt-width", "txt-x", "txt-y", "ch",
        "mark", "mark-alpha", "mark-align", "mark-w", "mark-h", "mark-scale", "mark-pad", "mark-x", "mark-y",
        "mark-fit",
    ]

    private static let aliases = [
        "width": "w", "height": "h", "f": "fit", "max-width": "max-w", "max-height": "max-h", "min-width": "min-w",
        "min-height": "min-h", "or": "orient", "inv": "invert", "mono": "monochrome", "fillcolor": "fill-color",
        "maskbg": "mask-bg", "t": "txt", "txtalign": "txt-align", "txtclip": "txt-clip", "txtclr": "txt-color",
        "txtcolor": "txt-color", "txtfit": "txt-fit", "txtfont": "txt-font", "txtsize": "txt-size",
        "txtline": "txt-line",
        "txtlineclr": "txt-line-color", "txtlinecolor": "txt-line-color", "txtpad": "txt-pad", "txtshad": "txt-shad",
        "txtwidth": "txt-width", "txtx": "txt-x", "txty": "txt-y", "m": "mark", "markalpha": "mark-alpha",
        "markalign": "mark-align", "markw": "mark-w", "markh": "mark-h", "markscale": "mark-scale",
        "markpad": "mark-pad", "markx": "mark-x", "marky": "mark-y", "markfit": "mark-fit",
    ]
}

/// What base64url without padding stands for (RFC 4648 §5), as text; nil where it is not that, or not UTF-8.
private func base64URLDecoded(_ text: String) -> String? {
    var bytes: [UInt8] = []
    var (bits, count) = (0, 0)
    for byte in text.utf8 {
        guard let value = base64URLValue(byte) else { return nil }
        (bits, count) = (bits << 6 | value, count + 6)
        guard count >= 8 else { continue }
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
        bits &= 1 << count - 1
    }
    // A whole character too much, or bits that belong to no byte.
    return count < 6 && bits == 0 ? String(validating: bytes, as: UTF8.self) : nil
}

private func base64URLValue(_ byte: UInt8) -> Int? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte) - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte) - 71
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte) + 4
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
}
