import CVips
import RenditionModel

/// A line of text as SVG, which a renderer draws with the fonts of the system.
struct TextDrawing {
    private var text: Transform.Text
    private let room: PixelRect

    init(_ text: Transform.Text, in room: PixelRect) {
        self.text = text
        self.room = room
    }

    /// The line as it fits its room, on a transparent canvas.
    mutating func svg(_ canvas: PixelSize, width: (String) throws(StepFailure) -> Double) throws(StepFailure) -> String
    {
        try fit(width)
        let (x, anchor) = place
        let letters = #"x="\#(x)" y="\#(baseline)" text-anchor="\#(anchor)" \#(font(text.size))"#
        let line = Self.escaped(text.content)
        var content = ""
        if text.shadow > 0 {
            let offset = text.shadow / 2
            content += #"<filter id="f"><feGaussianBlur stdDeviation="\#(offset)"/></filter><g filter="url(#f)">"#
            content +=
                #"<text \#(letters) transform="translate(\#(offset) \#(offset))" fill-opacity="0.6">\#(line)</text></g>"#
        }
        content += "<text \(letters) \(Self.paint("fill", text.colour))>\(line)</text>"
        if text.outline > 0 {
            // Twice the width, of which the outer half is cut off.
            content += #"<clipPath id="c"><text \#(letters)>\#(line)</text></clipPath>"#
            content += #"<text \#(letters) fill="none" \#(Self.paint("stroke", text.outlineColour)) "#
            content += #"stroke-width="\#(text.outline * 2)" clip-path="url(#c)">\#(line)</text>"#
        }
        return Self.svg(canvas, content)
    }

    /// A drawing of some letters at the size at which lines are measured.
    func measurable(_ letters: String) -> String {
        let size = PixelSize(width: min(32_000, 64 + letters.count * 64), height: 96)
        return Self.svg(size, #"<text x="16" y="64" \#(font(Self.measuredSize))>\#(Self.escaped(letters))</text>"#)
    }

    /// Pixels that letters of a measured drawing take at the line's own size.
    func pixels(_ measured: Int) -> Double { Double(measured) * text.size / Self.measuredSize }

    /// Letters grow or go until the line fits.
    private mutating func fit(_ width: (String) throws(StepFailure) -> Double) throws(StepFailure) {
        let available = Double(room.size.width)
        let wanted = try width(text.content)
        if text.fillsWidth {
            text.size = min(text.size * available / max(1, wanted), Double(room.size.height) / 1.2, 8192)
            return
        }
        guard wanted > available else { return }
        let all = Array(text.content)
        var (least, most) = (0, all.count - 1)
        while least < most {
            let middle = (least + most + 1) / 2
            if try width(clipped(all, to: middle)) <= available { least = middle } else { most = middle - 1 }
        }
        text.content = clipped(all, to: least)
    }

    /// So many characters of the line, with the sign for those that are gone.
    private func clipped(_ all: [Character], to count: Int) -> String {
        let sign = text.hasEllipsis ? "…" : ""
        switch text.clip {
        case .end: return String(all.prefix(count)) + sign
        case .start: return sign + String(all.suffix(count))
        case .middle: return String(all.prefix((count + 1) / 2)) + sign + String(all.suffix(count / 2))
        }
    }

    private var place: (x: Int, anchor: String) {
        if text.x != nil || text.horizontal < 0 { return (room.x, "start") }
        if text.horizontal > 0 { return (room.x + room.size.width, "end") }
        return (room.x + room.size.width / 2, "middle")
    }

    /// Usual fonts reach 0.93 of their size above the line and 0.24 below it.
    private var baseline: Double {
        let (top, height) = (Double(room.y), Double(room.size.height))
        if text.y != nil || text.vertical < 0 { return top + 0.93 * text.size }
        return text.vertical > 0 ? top + height - 0.24 * text.size : top + height / 2 + 0.345 * text.size
    }

    private func font(_ size: Double) -> String {
        #"font-family="\#(Self.escaped(text.family))" font-size="\#(size)" xml:space="preserve""#
            + (text.isBold ? #" font-weight="bold""# : "") + (text.isItalic ? #" font-style="italic""# : "")
    }

    private static let measuredSize = 48.0

    private static func paint(_ property: String, _ colour: Transform.Colour) -> String {
        #"\#(property)="rgb(\#(colour.red),\#(colour.green),\#(colour.blue))" "#
            + #"\#(property)-opacity="\#(Double(colour.alpha) / 255)""#
    }

    private static func svg(_ size: PixelSize, _ content: String) -> String {
        #"<svg xmlns="http://www.w3.org/2000/svg" width="\#(size.width)" height="\#(size.height)">\#(content)</svg>"#
    }

    /// What XML would read as its own.
    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}

extension Raster {
    /// Writes a line of text over the picture.
    consuming func written(_ text: Transform.Text, in room: PixelRect) throws(StepFailure) -> Raster {
        var drawing = TextDrawing(text, in: room)
        let measure = drawing
        let svg = try drawing.svg(size) { letters throws(StepFailure) in
            measure.pixels(try Self.inkWidth(measure.measurable(letters)))
        }
        return try with(svg, "text") { cvips_place($0, $1, 0, 0, $2) }
    }

    /// How many columns a drawing's ink takes.
    private static func inkWidth(_ drawing: String) throws(StepFailure) -> Int {
        try Array(drawing.utf8).lending { bytes throws(StepFailure) in
            let picture = try Raster(loading: bytes, loader: ImageFormat.svg.loader).materialised()
            var (left, top, width, height): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
            let code = picture.borrowing { cvips_find_trim($0, 1, &left, &top, &width, &height) }
            guard code == 0 else { throw StepFailure("text") }
            return Int(width)
        }
    }
}
