/// The parameters of a line of text over the picture (spec microCMS §8).
struct MicroCMSText {
    private let values: MicroCMSValues
    private let density: Double

    /// - Parameter density: the factor of `dpr`, which text sizes and distances share.
    init(_ values: MicroCMSValues, density: Double) {
        self.values = values
        self.density = density
    }

    /// The line; nil without one, whatever else is said about text.
    var text: Transform.Text? {
        guard var text = values["txt"].flatMap({ Transform.Text($0) }) else { return nil }
        setFont(&text)
        setPlace(&text)
        text.colour = values.colour("txt-color") ?? text.colour
        text.outline = (values.number("txt-line", 0...512) ?? 0) * density
        if let colour = values.colour("txt-line-color"), text.outline > 0 { text.outlineColour = colour }
        text.shadow = values.number("txt-shad", 0...10) ?? 0
        return text
    }

    private func setFont(_ text: inout Transform.Text) {
        for part in values.word("txt-font")?.split(separator: ",") ?? [] {
            switch part {
            case "bold": text.isBold = true
            case "italic": text.isItalic = true
            default:
                let name = part.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == " " || $0 == "-") }
                if !name.isEmpty, part.utf8.count <= 64 { text.family = name }
            }
        }
        text.size =
            (values["txt-size"].flatMap(decimal).flatMap { $0 > 0 ? min(max(1, $0), 1024) : nil } ?? 12) * density
    }

    private func setPlace(_ text: inout Transform.Text) {
        for word in values.word("txt-align")?.split(separator: ",") ?? [] {
            switch word {
            case "left": text.horizontal = -1
            case "center": text.horizontal = 0
            case "right": text.horizontal = 1
            case "top": text.vertical = -1
            case "middle": text.vertical = 0
            case "bottom": text.vertical = 1
            default: break
            }
        }
        for word in values.word("txt-clip")?.split(separator: ",") ?? [] {
            if let clip = Transform.Text.Clip(rawValue: String(word)) { text.clip = clip }
            if word == "ellipsis" { text.hasEllipsis = true }
        }
        text.fillsWidth = values.word("txt-fit") == "max"
        text.padding = (values.number("txt-pad", 0...8192) ?? 10) * density
        text.width = values["txt-width"].flatMap(decimal).flatMap { $0 >= 1 ? min($0, 8192) * density : nil }
        text.x = values.number("txt-x", 0...8192).map { $0 * density }
        text.y = values.number("txt-y", 0...8192).map { $0 * density }
    }
}
