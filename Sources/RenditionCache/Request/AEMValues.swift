/// The values of AEM's delivery parameters (spec AEM §6.4).
struct AEMValues {
    /// Every parameter that has an effect, and `format` for a path's extension.
    static let names = [
        "width", "height", "size", "sz", "crop", "c", "rotate", "r", "flip", "quality", "max-quality", "preferwebp",
        "auto-format", "smartcrop", "format",
    ]

    private var values: [String: String] = [:]

    init(_ parameters: [(name: String, value: String)]) {
        for (name, value) in parameters { values[name] = value }
    }

    /// A parameter's value; nil where it is not given.
    subscript(name: String) -> String? { values[name] }

    /// `size` beats the others; without any, the frame's own size, never enlarged (spec AEM §6.6).
    func resize() throws(RequestError) -> Transform.Resize {
        let width = try side("width")
        let height = try side("height")
        guard let size = try size() else { return Transform.Resize(.inside, width: width, height: height) }
        return Transform.Resize(.fill, width: size.0, height: size.1)
    }

    func rotation() throws(RequestError) -> Transform.QuarterTurn {
        guard let (name, text) = first("rotate", "r") else { return .none }
        switch text {
        case "0": return .none
        case "90": return .right
        case "180": return .half
        case "270": return .left
        default: throw .badValue(parameter: name, value: text, expected: "90, 180 or 270")
        }
    }

    func flip() throws(RequestError) -> Transform.Flip {
        guard let text = values["flip"] else { return .none }
        switch text {
        case "h", "HORIZONTAL": return Transform.Flip(horizontal: true)
        case "v", "VERTICAL": return Transform.Flip(vertical: true)
        case "hv", "HORIZONTAL_AND_VERTICAL": return Transform.Flip(horizontal: true, vertical: true)
        default: throw .badValue(parameter: "flip", value: text, expected: "h, v or hv")
        }
    }

    /// All in pixels of the original or all in percent; what does not lie within is ignored later (spec AEM §6.5).
    func crop() throws(RequestError) -> Transform.Crop? {
        guard let (name, text) = first("crop", "c") else { return nil }
        let pieces = text.split(separator: ",", omittingEmptySubsequences: false)
        let isPercent = pieces.allSatisfy { $0.hasSuffix("p") }
        let numbers = pieces.compactMap { decimal(isPercent ? $0.dropLast() : $0) }
        guard pieces.count == 4, numbers.count == 4 else {
            throw .badValue(parameter: name, value: text, expected: "x,y,w,h in pixels, or xp,yp,wp,hp in percent")
        }
        let lengths = numbers.map { isPercent ? Transform.Length.percent($0) : Transform.Length(pixels: $0) }
        let (x, y, width, height) = (lengths[0], lengths[1], lengths[2], lengths[3])
        return Transform.Crop(x: .at(x), y: .at(y), width: width, height: height, outside: .ignored)
    }

    /// Default 85; `max-quality` bounds it from above (spec AEM §6.7, §9).
    func quality() throws(RequestError) -> Int {
        let quality = try percentage("quality") ?? 85
        return min(quality, try percentage("max-quality") ?? 100)
    }

    private func percentage(_ name: String) throws(RequestError) -> Int? {
        guard let text = values[name] else { return nil }
        guard !text.isEmpty, let number = wholeNumber(text), (1...100).contains(number) else {
            throw .badValue(parameter: name, value: text, expected: "1…100")
        }
        return number
    }

    private func size() throws(RequestError) -> (Transform.Length, Transform.Length)? {
        guard let (name, text) = first("size", "sz") else { return nil }
        let sides = text.split(separator: ",", omittingEmptySubsequences: false).compactMap(Self.positive)
        guard sides.count == 2, text.utf8.count(where: { $0 == UInt8(ascii: ",") }) == 1 else {
            throw .badValue(parameter: name, value: text, expected: "w,h, two positive whole numbers")
        }
        return (Transform.Length(pixels: sides[0]), Transform.Length(pixels: sides[1]))
    }

    private func side(_ name: String) throws(RequestError) -> Transform.Length? {
        guard let text = values[name] else { return nil }
        guard let pixels = Self.positive(text) else {
            throw .badValue(parameter: name, value: text, expected: "a positive whole number")
        }
        return Transform.Length(pixels: pixels)
    }

    /// A positive whole number, however large.
    private static func positive(_ text: some StringProtocol) -> Double? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = decimal(text), number > 0 else {
            return nil
        }
        return number
    }

    private func first(_ long: String, _ short: String) -> (name: String, value: String)? {
        values[long].map { (long, $0) } ?? values[short].map { (short, $0) }
    }
}
