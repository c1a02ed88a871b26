/// The parameters of a watermark (spec microCMS §8).
struct MicroCMSMark {
    private let values: MicroCMSValues
    private let density: Double

    /// - Parameter density: the factor of `dpr`, which sizes and distances in pixels share; a mark's own size has no part in it.
    init(_ values: MicroCMSValues, density: Double) {
        self.values = values
        self.density = density
    }

    /// The mark; nil without one that could be had, whatever else is said about marks.
    var mark: Transform.Mark? {
        guard var mark = values["mark"].flatMap(Self.picture) else { return nil }
        mark.opacity = (values.number("mark-alpha", 0...100) ?? 100) / 100
        mark.resize = resize
        for word in values.word("mark-align")?.split(separator: ",") ?? [] {
            switch word {
            case "left": mark.horizontal = -1
            case "center": mark.horizontal = 0
            case "right": mark.horizontal = 1
            case "top": mark.vertical = -1
            case "middle": mark.vertical = 0
            case "bottom": mark.vertical = 1
            default: break
            }
        }
        mark.padding = (values.number("mark-pad", 0...8192) ?? 5) * density
        mark.x = values.number("mark-x", 0...8192).map { $0 * density }
        mark.y = values.number("mark-y", 0...8192).map { $0 * density }
        return mark.opacity > 0 ? mark : nil
    }

    /// The picture and the form of it that an absolute http or https URL names; nil for any other text, for a URL with a user,
    /// and for one that asks for no picture.
    private static func picture(_ text: String) -> Transform.Mark? {
        let whole = text.prefix { $0 != "#" }
        let bare = whole.prefix { $0 != "?" }
        guard let colon = bare.firstRange(of: "://") else { return nil }
        let authority = bare[colon.upperBound...].prefix { $0 != "/" }
        guard ["http", "https"].contains(bare[..<colon.lowerBound].lowercased()), !authority.isEmpty,
            !authority.contains("@"), !bare.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F })
        else { return nil }
        let address = bare[..<authority.endIndex].lowercased() + bare[authority.endIndex...]
        guard let form = form(query: whole.dropFirst(bare.count + 1)) else { return nil }
        return Transform.Mark(address, form: form)
    }

    /// What a mark's own parameters ask for; one level only: a mark's mark does not exist.
    private static func form(query: Substring) -> Transform.Mark.Form? {
        // A bad base64 twin is refused where it is asked for; here it is a mark that cannot be had.
        guard var values = try? MicroCMSValues(RequestTarget.parameters(query)) else { return nil }
        values.remove("mark")
        switch MicroCMSDialect.outcome(of: values) {
        case .untouched: return .native
        case .transform(let transform): return .rendition(transform)
        case .information, .blurHash: return nil
        }
    }

    /// A width or height; else `mark-scale`, hundredths of the picture's width.
    private var resize: Transform.Resize {
        var resize = Transform.Resize(.inside, width: length("mark-w"), height: length("mark-h"))
        if resize == .none {
            let scale = values.number("mark-scale", 0...100) ?? 0
            guard scale > 0 else { return .none }
            resize.width = .percent(scale)
        }
        resize.enlarge = true
        switch values.word("mark-fit") {
        case "max": resize.enlarge = false
        case "crop": resize.mode = .cover
        case "fill": resize.mode = .pad
        case "scale": resize.mode = .fill
        default: break
        }
        return resize
    }

    /// Up to 1 a part of the picture's side, beyond it pixels.
    private func length(_ name: String) -> Transform.Length? {
        guard let value = values[name].flatMap(decimal), value > 0 else { return nil }
        return value > 1 ? Transform.Length(pixels: min(value, 8192) * density) : Transform.Length(fraction: value)
    }
}
