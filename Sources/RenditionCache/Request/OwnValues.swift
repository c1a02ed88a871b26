/// The values of rcache's own parameters, each checked against its range.
struct OwnValues {
    private typealias Parameter = OwnDialect.Parameter
    private let values: [OwnDialect.Parameter: String]
    private let mayListAVIF: Bool

    init(_ values: [OwnDialect.Parameter: String], mayListAVIF: Bool) {
        self.values = values
        self.mayListAVIF = mayListAVIF
    }

    /// What they mean together.
    func transform() throws(RequestError) -> Transform {
        var transform = Transform(resize: try resize(), format: try format(), quality: try quality())
        transform.crop = try crop()
        transform.rotation = try choice(.rotate, Self.rotations) ?? .none
        transform.flip = try choice(.flip, Self.flips) ?? .none
        transform.trim = try trim()
        transform.background = try background()
        transform.effects.blur = try number(.blur, 0.3...100) ?? 0
        transform.effects.sharpen = try number(.sharpen, 0...10) ?? 0
        if try choice(.animated, Self.booleans) == false { transform.frames = .first }
        transform.metadata = try choice(.metadata, ["none": .none, "copyright": .copyright]) ?? .none
        transform.profile = try choice(.profile, ["srgb": .srgb, "keep": .keep]) ?? .srgb
        return transform
    }

    // MARK: - Size

    private func resize() throws(RequestError) -> Transform.Resize {
        let density = try number(.dpr, 0.5...4) ?? 1
        var resize = Transform.Resize(try choice(.fit, Self.fits) ?? .inside)
        resize.width = try side(.width, density)
        resize.height = try side(.height, density)
        // As with AEM, a width or height beside it is ignored.
        if let size = try size() {
            if values[.fit] == nil { resize.mode = .fill }
            (resize.width, resize.height) = (.pixels(size.0), .pixels(size.1))
        }
        resize.enlarge = try choice(.enlarge, Self.booleans) ?? false
        resize.position = try position()
        return resize
    }

    private func side(_ parameter: OwnDialect.Parameter, _ density: Double) throws(RequestError) -> Transform.Length? {
        guard let text = values[parameter] else { return nil }
        if text.hasSuffix("%"), let percent = decimal(text.dropLast()), (1...Self.maxPercent).contains(percent) {
            guard percent * density <= Self.maxPercent else { throw bad(.dpr, "no more than keeps sides within 400%") }
            return .percent(percent * density)
        }
        guard let pixels = wholeNumber(text), (1...OwnDialect.maxSidePixels).contains(pixels) else {
            throw bad(parameter, "1…\(OwnDialect.maxSidePixels) px or 1%…400%")
        }
        let side = max(1, Int((Double(pixels) * density).rounded()))
        guard side <= OwnDialect.maxSidePixels else {
            throw bad(.dpr, "no more than keeps sides within \(OwnDialect.maxSidePixels) px")
        }
        return .pixels(side)
    }

    private func size() throws(RequestError) -> (Int, Int)? {
        guard let text = values[.size] else { return nil }
        let sides = text.split(separator: ",", omittingEmptySubsequences: false).map(wholeNumber)
        guard sides.count == 2, let width = sides[0], let height = sides[1],
            [width, height].allSatisfy((1...OwnDialect.maxSidePixels).contains)
        else { throw bad(.size, "width,height of 1…\(OwnDialect.maxSidePixels) px each") }
        return (width, height)
    }

    private func position() throws(RequestError) -> Transform.Position {
        let gravity = try choice(.gravity, Self.gravities) ?? .centre
        guard let text = values[.focus] else { return gravity }
        let point = text.split(separator: ",", omittingEmptySubsequences: false).map(decimal)
        guard point.count == 2, let x = point[0], let y = point[1], [x, y].allSatisfy((0...1).contains) else {
            throw bad(.focus, "x,y of 0…1 each")
        }
        return values[.fit] == "pad" ? gravity : .focus(x: x, y: y, zoom: 1)
    }

    private func crop() throws(RequestError) -> Transform.Crop? {
        guard let text = values[.crop] else { return nil }
        let lengths = text.split(separator: ",", omittingEmptySubsequences: false).map(length)
        guard lengths.count == 4, let x = lengths[0], let y = lengths[1], let width = lengths[2],
            let height = lengths[3], width.fraction + width.pixels > 0, height.fraction + height.pixels > 0
        else { throw bad(.crop, "x,y,width,height in px or percent, as in 10%,0,80%,100%") }
        return Transform.Crop(x: .at(x), y: .at(y), width: width, height: height)
    }

    /// `12`, `12.5%`, and AEM's `12.5p`.
    private func length(_ text: Substring) -> Transform.Length? {
        guard text.hasSuffix("%") || text.hasSuffix("p") else {
            return decimal(text).flatMap { abs($0) <= 1e6 ? Transform.Length(pixels: $0) : nil }
        }
        return decimal(text.dropLast()).flatMap { abs($0) <= 100 ? .percent($0) : nil }
    }

    // MARK: - Looks

    private func trim() throws(RequestError) -> Int? {
        switch values[.trim] {
        case nil, "false"?: return nil
        case "true"?: return Self.defaultTolerance
        case let text?:
            guard let tolerance = wholeNumber(text), (1...255).contains(tolerance) else {
                throw bad(.trim, "true, or a tolerance of 1…255")
            }
            return tolerance
        }
    }

    private func background() throws(RequestError) -> Transform.Background? {
        switch values[.background] {
        case nil: return nil
        case "auto"?: return .average
        case "transparent"?: return .colour(.transparent)
        case let text?:
            guard let digits = hexadecimalDigits(text), digits.count == 6 || digits.count == 8 else {
                throw bad(.background, "rrggbb, rrggbbaa, transparent or auto")
            }
            let bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
            let alpha = bytes.count == 4 ? bytes[3] : 255
            return .colour(Transform.Colour(red: bytes[0], green: bytes[1], blue: bytes[2], alpha: alpha))
        }
    }

    // MARK: - Output

    private func format() throws(RequestError) -> Transform.Format {
        let format = try namedFormat()
        guard try choice(.preferwebp, Self.booleans) == true else { return format }
        switch format {
        case .source: return .preferWebP(else: nil)
        case .fixed(let format): return format == .webp ? .fixed(.webp) : .preferWebP(else: format)
        default: return format
        }
    }

    private func namedFormat() throws(RequestError) -> Transform.Format {
        switch values[.format] {
        case nil, "source"?: return .source
        case "auto"?: return .auto(avif: false)
        case "smallest"?: return .smallest(avif: false)
        case "avif,auto"? where mayListAVIF: return .auto(avif: true)
        case "avif,smallest"? where mayListAVIF: return .smallest(avif: true)
        case let name?:
            guard let format = ImageFormat(name: name), format.isOutput else {
                let known = ImageFormat.outputs.map(\.rawValue) + ["source", "auto", "smallest"]
                throw bad(.format, "one of \(known.joined(separator: ", "))")
            }
            return .fixed(format)
        }
    }

    private func quality() throws(RequestError) -> Transform.Quality? {
        switch values[.quality] {
        case nil: return nil
        case "auto"?: return .auto
        case "lossless"?: return .lossless
        case let text?:
            guard let number = wholeNumber(text), (1...100).contains(number) else {
                throw bad(.quality, "1…100, auto or lossless")
            }
            return .fixed(number)
        }
    }

    // MARK: - Kinds of values

    private func number(
        _ parameter: OwnDialect.Parameter,
        _ range: ClosedRange<Double>
    ) throws(RequestError) -> Double? {
        guard let text = values[parameter] else { return nil }
        guard let number = decimal(text), range.contains(number) else {
            throw bad(parameter, "\(Self.shown(range.lowerBound))…\(Self.shown(range.upperBound))")
        }
        return number
    }

    private func choice<Value>(
        _ parameter: OwnDialect.Parameter,
        _ choices: KeyValuePairs<String, Value>
    ) throws(RequestError) -> Value? {
        guard let text = values[parameter] else { return nil }
        if let found = choices.first(where: { $0.key == text }) { return found.value }
        throw bad(parameter, "one of \(choices.map(\.key).joined(separator: ", "))")
    }

    private func bad(_ parameter: OwnDialect.Parameter, _ expected: String) -> RequestError {
        .badValue(parameter: parameter.rawValue, value: values[parameter] ?? "", expected: expected)
    }

    private static func shown(_ number: Double) -> String {
        number == number.rounded() ? "\(Int(number))" : "\(number)"
    }

    // MARK: - Words

    /// What `trim=true` means: a little more than JPEG's noise on a plain border.
    private static let defaultTolerance = 10

    /// The whole of a source at the highest density.
    private static let maxPercent = 400.0

    private static let booleans: KeyValuePairs = ["true": true, "false": false]

    private static let fits: KeyValuePairs<String, Transform.Resize.Mode> = [
        "inside": .inside, "cover": .cover, "fill": .fill, "pad": .pad,
    ]

    private static let rotations: KeyValuePairs<String, Transform.QuarterTurn> = [
        "0": .none, "90": .right, "180": .half, "270": .left,
    ]

    private static let flips: KeyValuePairs<String, Transform.Flip> = [
        "h": Transform.Flip(horizontal: true), "v": Transform.Flip(vertical: true),
        "hv": Transform.Flip(horizontal: true, vertical: true),
    ]

    private static let gravities: KeyValuePairs<String, Transform.Position> = [
        "center": .centre, "north": .side(x: 0, y: -1), "northeast": .side(x: 1, y: -1), "east": .side(x: 1, y: 0),
        "southeast": .side(x: 1, y: 1), "south": .side(x: 0, y: 1), "southwest": .side(x: -1, y: 1),
        "west": .side(x: -1, y: 0), "northwest": .side(x: -1, y: -1), "entropy": .entropy, "attention": .attention,
    ]
}
