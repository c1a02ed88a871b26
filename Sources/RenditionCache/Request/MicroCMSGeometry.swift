/// The parameters of size and place (spec microCMS §6, §7).
struct MicroCMSGeometry {
    private let values: MicroCMSValues
    /// Multiplies sizes; without a width or height it has no effect.
    private let density: Double

    init(_ values: MicroCMSValues) {
        self.values = values
        let hasSize = Self.isSize(values["w"]) || Self.isSize(values["h"])
        let asked = values["dpr"].flatMap(decimal) ?? 1
        density = hasSize && asked > 0 ? min(asked, 8) : 1
    }

    /// The transform with place and size in it.
    func applied(to looks: Transform) -> Transform {
        var transform = looks
        transform.padding = padding
        transform.resize = resize
        transform.crop = rect
        transform.orientation = orientation
        transform.tilt = values.number("rot", 0...359) ?? 0
        transform.flip = flip
        transform.mask = mask
        transform.text = MicroCMSText(values, density: density).text
        transform.mark = MicroCMSMark(values, density: density).mark
        transform.border = border
        if let frame = values["frame"].flatMap(wholeNumber), frame > 0 { transform.frames = .only(frame) }
        transform.oversize = .reduced
        return transform
    }

    // MARK: - Size

    private var resize: Transform.Resize {
        let words = values.word("fit")?.split(separator: ",").map(String.init) ?? []
        // Without a detector a face area is its fallback.
        let fit = words.first == "facearea" ? (words.count > 1 ? words[1] : "crop") : words.first
        var resize = Transform.Resize(.inside, width: width, height: height)
        resize.enlarge = true
        resize.measure = .crop
        switch fit {
        case "max": resize.enlarge = false
        case "crop":
            resize.mode = .cover
            resize.position = position
            resize.bounds = bounds
            resize.ratio = ratio
        case "min":
            resize.mode = .cover
            resize.enlarge = false
            resize.position = position
        case "scale": resize.mode = .fill
        case "fill", "fillmax", "clamp": pad(&resize, fit)
        default: break
        }
        return resize
    }

    private func pad(_ resize: inout Transform.Resize, _ fit: String?) {
        resize.mode = .pad
        resize.enlarge = fit != "fillmax"
        if fit == "fill" { resize.ratio = ratio }
        if fit == "fillmax" { resize.holdsBoxWithinSource = values.word("fill-max") == "source" }
        if fit == "clamp" {
            resize.bars = .edges
        } else if values.word("fill") == "blur" {
            resize.bars = .blur
        } else if let colour = values.colour("fill-color") {
            resize.bars = .colour(colour)
        }
    }

    private var width: Transform.Length? { length("w", less: padding.left + padding.right) }

    private var height: Transform.Length? { length("h", less: padding.top + padding.bottom) }

    /// Up to 1 a part of the side, beyond it pixels; the size that is asked for includes the padding.
    private func length(_ name: String, less padding: Double) -> Transform.Length? {
        guard let value = values[name].flatMap(decimal), value > 0 else { return nil }
        guard value > 1 else { return Transform.Length(fraction: value * density, pixels: -padding) }
        return Transform.Length(pixels: max(1, min(value, 1e6) * density - padding))
    }

    private static func isSize(_ text: String?) -> Bool { text.flatMap(decimal).map { $0 > 0 } ?? false }

    private var bounds: Transform.Bounds {
        func bound(_ name: String) -> Double? {
            values[name].flatMap(decimal).flatMap { $0 >= 1 ? min($0, 1e6) * density : nil }
        }
        var bounds = Transform.Bounds()
        (bounds.minWidth, bounds.maxWidth) = (bound("min-w"), bound("max-w"))
        (bounds.minHeight, bounds.maxHeight) = (bound("min-h"), bound("max-h"))
        return bounds
    }

    private var ratio: Double? {
        let sides = values["ar"]?.split(separator: ":", omittingEmptySubsequences: false).map(decimal) ?? []
        guard sides.count == 2, let width = sides[0], let height = sides[1], width > 0, height > 0 else { return nil }
        let ratio = width / height
        return (1e-4...1e4).contains(ratio) ? ratio : nil
    }

    private var padding: Transform.Padding {
        let all = values.number("pad", 0...8192)
        func side(_ name: String) -> Double { (values.number("pad-\(name)", 0...8192) ?? all ?? 0) * density }
        return Transform.Padding(top: side("top"), right: side("right"), bottom: side("bottom"), left: side("left"))
    }

    // MARK: - Place

    /// The first entry that succeeds; words for edges combine.
    private var position: Transform.Position {
        var side: (x: Int, y: Int)?
        for word in values.word("crop")?.split(separator: ",") ?? [] {
            switch word {
            case "left": side = (-1, side?.y ?? 0)
            case "right": side = (1, side?.y ?? 0)
            case "top": side = (side?.x ?? 0, -1)
            case "bottom": side = (side?.x ?? 0, 1)
            case "center" where side == nil: return .centre
            case "focalpoint" where side == nil: return focus
            case "entropy" where side == nil: return .entropy
            case "edges" where side == nil, "auto" where side == nil: return .attention
            default: break
            }
        }
        return side.map { .side(x: $0.x, y: $0.y) } ?? .centre
    }

    private var focus: Transform.Position {
        .focus(
            x: values.number("fp-x", 0...1) ?? 0.5,
            y: values.number("fp-y", 0...1) ?? 0.5,
            zoom: values.number("fp-z", 1...100) ?? 1
        )
    }

    private var rect: Transform.Crop? {
        let words = values.word("rect")?.split(separator: ",", omittingEmptySubsequences: false) ?? []
        guard words.count == 4, let x = Self.start(words[0], "left", "center", "right"),
            let y = Self.start(words[1], "top", "middle", "bottom"), let width = Self.extent(words[2]),
            let height = Self.extent(words[3])
        else { return nil }
        return Transform.Crop(x: x, y: y, width: width, height: height, outside: .clipped)
    }

    private static func start(
        _ word: Substring,
        _ first: String,
        _ middle: String,
        _ last: String
    ) -> Transform.Crop.Start? {
        switch String(word) {
        case first: .at(Transform.Length())
        case middle: .middle
        case last: .end
        default: part(word).map { .at($0) }
        }
    }

    private static func extent(_ word: Substring) -> Transform.Length? {
        word == "full" ? Transform.Length(fraction: 1) : part(word)
    }

    /// With a decimal point a part of the side, else pixels.
    private static func part(_ word: Substring) -> Transform.Length? {
        guard let number = decimal(word), abs(number) <= 1e6 else { return nil }
        return word.contains(".") ? Transform.Length(fraction: number) : Transform.Length(pixels: number)
    }

    private var orientation: Int? {
        switch values["orient"] {
        case "0"?, "1"?: 1
        case "90"?: 6
        case "180"?: 3
        case "270"?: 8
        case let text?: wholeNumber(text).flatMap { (2...8).contains($0) ? $0 : nil }
        case nil: nil
        }
    }

    private var flip: Transform.Flip {
        switch values.word("flip") {
        case "h"?: Transform.Flip(horizontal: true)
        case "v"?: Transform.Flip(vertical: true)
        case "hv"?: Transform.Flip(horizontal: true, vertical: true)
        default: .none
        }
    }

    // MARK: - Frames and shapes

    private var mask: Transform.Mask? {
        switch values.word("mask") {
        case "ellipse"?: Transform.Mask(.ellipse, background: values.colour("mask-bg"))
        case "corners"?: Transform.Mask(.corners(radii), background: values.colour("mask-bg"))
        default: nil
        }
    }

    private var radii: [Double]? {
        let radii = values["corner-radius"]?.split(separator: ",", omittingEmptySubsequences: false).map(decimal) ?? []
        let usable = radii.compactMap { $0 }.filter { $0 >= 0 }.map { min($0, 1e6) * density }
        guard usable.count == radii.count else { return nil }
        switch usable.count {
        case 1: return Array(repeating: usable[0], count: 4)
        case 4: return usable
        default: return nil
        }
    }

    private var border: Transform.Border? {
        let parts = values["border"]?.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false) ?? []
        guard parts.count == 2, let width = decimal(parts[0]), width > 0, let colour = MicroCMSValues.colour(parts[1])
        else { return nil }
        return Transform.Border(width: min(width, 8192) * density, colour: colour)
    }
}
