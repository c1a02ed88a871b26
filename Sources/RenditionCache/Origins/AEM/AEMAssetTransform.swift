/// The inputs of `_assetTransform`, and what the delivery addresses take besides (spec AEM §5, §6.4).
struct AEMAssetTransform: Hashable, Sendable {
    /// What the path's extension asks for.
    enum Format: String, CaseIterable, Sendable {
        case gif, png, png8, jpg, pjpg, bjpg, webp, webpll, webply

        /// The format of an extension or of an enumeration's word; `jpeg` is `jpg`, case does not matter.
        init?(name: some StringProtocol) {
            let lower = name.lowercased()
            self.init(rawValue: lower == "jpeg" ? "jpg" : lower)
        }
    }

    /// A region of the original.
    struct Crop: Hashable, Sendable {
        var x: Double
        var y: Double
        var width: Double
        var height: Double
        /// Whether the numbers are percent of the original's sides rather than its pixels.
        var isPercent = false
    }

    /// How the picture is turned, clockwise.
    enum Rotation: Int, Sendable {
        case quarter = 90
        case half = 180
        case threeQuarters = 270
    }

    /// How the picture is mirrored.
    enum Flip: String, Sendable {
        case horizontal = "h"
        case vertical = "v"
        case both = "hv"

        /// The flip of a parameter or of an enumeration's word (spec AEM §6.4).
        init?(name: String) {
            switch name {
            case "HORIZONTAL": self = .horizontal
            case "VERTICAL": self = .vertical
            case "HORIZONTAL_AND_VERTICAL": self = .both
            default: self.init(rawValue: name)
            }
        }
    }

    /// A value that makes no sense.
    struct BadValue: Error, Equatable {
        /// The parameter's or the input's name.
        let name: String
    }

    /// The format.
    var format: Format
    /// What stands in the path instead of the asset's name.
    var seoName: String?
    /// The region.
    var crop: Crop?
    /// A region that AEM knows by name; instead of `crop`.
    var smartCrop: String?
    /// Width and height, aspect ratio not kept.
    var size: PixelSize?
    /// The turn.
    var rotation: Rotation?
    /// The mirror.
    var flip: Flip?
    /// 1…100.
    var quality: Int?
    /// Most pixels across; without effect beside `size`.
    var width: Int?
    /// Most pixels down; OpenAPI only.
    var height: Int?
    /// Whether WebP is sent to whoever takes it.
    var preferWebP = false

    /// A transform that only converts.
    init(format: Format) { self.format = format }
}

// MARK: In a query

extension AEMAssetTransform {
    /// Reads the GraphQL input; nulls and what is left out take no effect.
    ///
    /// - Throws: the first input that makes no sense.
    init(input: JSONValue) throws(BadValue) {
        guard let name = input["format"]?.string, let format = Format(name: name) else {
            throw BadValue(name: "format")
        }
        self.init(format: format)
        seoName = input["seoName"]?.string
        crop = try Self.crop(input["crop"])
        size = try Self.size(input["size"])
        if let word = input["rotation"]?.string {
            guard word.hasPrefix("R"), let rotation = Int(word.dropFirst()).flatMap(Rotation.init) else {
                throw BadValue(name: "rotation")
            }
            self.rotation = rotation
        }
        if let word = input["flip"]?.string {
            guard let flip = Flip(name: word) else { throw BadValue(name: "flip") }
            self.flip = flip
        }
        quality = try Self.number(input["quality"], "quality", 1...100)
        width = try Self.number(input["width"], "width")
        preferWebP = input["preferWebp"]?.bool ?? false
    }

    /// Where one side is missing, it takes the other's value (spec AEM §5).
    private static func crop(_ json: JSONValue?) throws(BadValue) -> Crop? {
        guard let json, json != .null else { return nil }
        guard let x = json["xOrigin"]?.int, let y = json["yOrigin"]?.int, let sides = sides(json) else {
            throw BadValue(name: "crop")
        }
        return Crop(x: Double(x), y: Double(y), width: Double(sides.width), height: Double(sides.height))
    }

    private static func size(_ json: JSONValue?) throws(BadValue) -> PixelSize? {
        guard let json, json != .null else { return nil }
        guard let sides = sides(json), sides.width > 0, sides.height > 0 else { throw BadValue(name: "size") }
        return sides
    }

    private static func sides(_ json: JSONValue) -> PixelSize? {
        let (width, height) = (json["width"]?.int, json["height"]?.int)
        guard let either = width ?? height else { return nil }
        return PixelSize(width: width ?? either, height: height ?? either)
    }

    private static func number(
        _ json: JSONValue?,
        _ name: String,
        _ range: ClosedRange<Int> = 1...AEMAssetTransform.maxNumber
    ) throws(BadValue) -> Int? {
        guard let json, json != .null else { return nil }
        guard let number = json.int, range.contains(number) else { throw BadValue(name: name) }
        return number
    }
}

// MARK: In an address

extension AEMAssetTransform {
    /// Greatest number of an address (spec AEM §14.8: seven digits).
    static let maxNumber = 9_999_999

    /// Reads an address; the last of a repeated parameter counts, a long name before its alias, unknown ones not at all.
    ///
    /// - Throws: the first parameter that makes no sense.
    init(_ delivery: AEMDelivery) throws(BadValue) {
        guard let format = Format(name: delivery.fileExtension) else { throw BadValue(name: "format") }
        self.init(format: format)
        seoName = delivery.name
        var values: [String: String] = [:]
        for pair in (delivery.query ?? "").split(separator: "&") {
            let end = pair.firstIndex(of: "=") ?? pair.endIndex
            guard let value = percentDecoded(pair[end...].dropFirst().utf8) else {
                throw BadValue(name: String(pair[..<end]))
            }
            values[String(pair[..<end])] = value
        }
        for (name, alias) in [("rotate", "r"), ("crop", "c"), ("size", "sz")] where values[name] == nil {
            values[name] = values[alias]
        }
        try read(values)
    }

    private mutating func read(_ values: [String: String]) throws(BadValue) {
        func number(_ name: String, _ range: ClosedRange<Int> = 1...Self.maxNumber) throws(BadValue) -> Int? {
            guard let text = values[name] else { return nil }
            guard let number = Int(text), range.contains(number) else { throw BadValue(name: name) }
            return number
        }
        if let degrees = try number("rotate", 0...270), degrees != 0 {
            guard let rotation = Rotation(rawValue: degrees) else { throw BadValue(name: "rotate") }
            self.rotation = rotation
        }
        if let text = values["crop"] {
            guard let crop = Crop(text) else { throw BadValue(name: "crop") }
            self.crop = crop
        }
        if let text = values["flip"] {
            guard let flip = Flip(name: text) else { throw BadValue(name: "flip") }
            self.flip = flip
        }
        if let text = values["size"] {
            let sides = text.split(separator: ",", omittingEmptySubsequences: false).compactMap { Int($0) }
            guard sides.count == 2, sides.allSatisfy((1...Self.maxNumber).contains) else {
                throw BadValue(name: "size")
            }
            size = PixelSize(width: sides[0], height: sides[1])
        }
        quality = try number("quality", 1...100)
        width = try number("width")
        height = try number("height")
        smartCrop = values["smartcrop"].flatMap { $0.isEmpty ? nil : $0 }
        preferWebP = values["preferwebp"] == "true"
    }

    /// The parameters in the order in which AEM writes them, without defaults; empty if there is none (spec AEM §5).
    var query: String {
        var pairs: [(String, String)] = []
        if preferWebP { pairs.append(("preferwebp", "true")) }
        if let crop { pairs.append(("crop", crop.text)) }
        if let smartCrop { pairs.append(("smartcrop", PercentEncoding.value(smartCrop))) }
        if let size { pairs.append(("size", "\(size.width),\(size.height)")) }
        if let rotation { pairs.append(("rotate", "\(rotation.rawValue)")) }
        if let flip { pairs.append(("flip", flip.rawValue)) }
        if let height { pairs.append(("height", "\(height)")) }
        if let width { pairs.append(("width", "\(width)")) }
        if let quality { pairs.append(("quality", "\(quality)")) }
        return pairs.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }
}

extension AEMAssetTransform.Crop {
    /// Reads `x,y,w,h`, all in pixels or all in percent with a `p` behind each; nil for anything else (spec AEM §6.5).
    init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let isPercent = parts.first?.hasSuffix("p") ?? false
        let numbers = parts.compactMap { part -> Double? in
            guard part.hasSuffix("p") == isPercent else { return nil }
            let digits = isPercent ? part.dropLast() : part
            // `Double` would also read exponents and hexadecimal digits.
            return digits.allSatisfy("-.0123456789".contains) ? Double(digits) : nil
        }
        guard parts.count == 4, numbers.count == 4 else { return nil }
        self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3], isPercent: isPercent)
    }

    /// As it stands in an address.
    var text: String {
        [x, y, width, height].map { number in
            (Int(exactly: number).map { "\($0)" } ?? "\(number)") + (isPercent ? "p" : "")
        }.joined(separator: ",")
    }
}
