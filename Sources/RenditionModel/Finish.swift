/// The steps after the picture is upright and scaled, and what they make of its transparency.
struct Finish {
    private let transform: Transform
    private let layout: Layout
    private let canHaveAlpha: Bool
    private var made: [RenderStep] = []
    /// Whether there is an alpha channel after the steps so far.
    private(set) var hasAlpha: Bool
    private var current: PixelSize

    init(_ transform: Transform, layout: Layout, hasAlpha: Bool, formats: [ImageFormat]) {
        self.transform = transform
        self.layout = layout
        self.hasAlpha = hasAlpha
        canHaveAlpha = formats.allSatisfy(\.canHaveAlpha)
        current = layout.picture
    }

    /// All of them, in order.
    mutating func steps() -> [RenderStep] {
        cut()
        if transform.tilt != 0 {
            bars()
            tilt()
        }
        if transform.flip != .none { made.append(.flip(transform.flip)) }
        if transform.tilt == 0 { bars() }
        if !transform.adjustments.isEmpty { made.append(.adjust(transform.adjustments)) }
        if transform.effects.order == .beforePadding { effects() }
        pad()
        maskAndPaint()
        if transform.effects.order == .afterPadding { effects() }
        if let text = transform.text { made.append(.write(text, in: text.room(on: current))) }
        if let mark = transform.mark { made.append(.stamp(mark, on: current)) }
        border()
        if transform.variant == .rgba, canHaveAlpha, !hasAlpha {
            made.append(.addAlpha)
            hasAlpha = true
        }
        return made
    }

    private mutating func cut() {
        switch layout.window {
        case .at(let rect): made.append(.crop(rect))
        case .ofInterest(let size, let interest): made.append(.cropToInterest(size, interest))
        case nil: return
        }
        current = layout.canvas == nil ? layout.inner : current
    }

    /// The enlargement keeps the turned frame covered: a rectangle turned by an angle needs both of its sides' shadows.
    private mutating func tilt() {
        let (cosine, sine) = cosineAndSine(degrees: transform.tilt)
        let (width, height) = (Double(current.width), Double(current.height))
        let factor = max(abs(cosine) + abs(sine) * height / width, abs(cosine) + abs(sine) * width / height)
        made.append(.tilt(degrees: transform.tilt, enlarged: Size(current).times(factor).rounded))
    }

    private mutating func bars() {
        guard let canvas = layout.canvas else { return }
        let surround: RenderStep.Surround =
            switch transform.resize.bars {
            case .background: behind
            case .colour(let colour): .colour(colour)
            case .blur: .blur
            case .edges: .edges
            }
        embed(canvas.size, x: canvas.x, y: canvas.y, surround)
    }

    private mutating func pad() {
        let padding = layout.padding
        guard layout.size != layout.inner else { return }
        embed(layout.size, x: padding.left, y: padding.top, behind)
    }

    private mutating func embed(_ size: PixelSize, x: Int, y: Int, _ surround: RenderStep.Surround) {
        made.append(.embed(size, x: x, y: y, surround))
        if case .colour(let colour) = surround, colour.alpha < 255 { hasAlpha = true }
        current = size
    }

    /// What stands around the picture: the background, else nothing where alpha can stay, else white.
    private var behind: RenderStep.Surround {
        switch transform.background {
        case .colour(let colour): .colour(colour)
        case .average: .average
        case nil: .colour(canHaveAlpha ? .transparent : .white)
        }
    }

    private mutating func maskAndPaint() {
        if let mask = transform.mask {
            // What was transparent before gets the background, what the mask takes away gets the mask's own.
            if mask.background != nil, !canHaveAlpha { paint(transform.background ?? .colour(.white)) }
            made.append(.mask(shape(mask.shape)))
            hasAlpha = true
            if let colour = mask.background, !canHaveAlpha { paint(.colour(colour)) }
        }
        if let background = transform.background { paint(background) }
        if !canHaveAlpha { paint(.colour(.white)) }
    }

    private mutating func paint(_ background: Transform.Background) {
        guard hasAlpha else { return }
        if case .colour(let colour) = background, colour.alpha == 0 { return }
        made.append(.paintBehind(background))
        if case .colour(let colour) = background { hasAlpha = colour.alpha < 255 } else { hasAlpha = false }
    }

    private func shape(_ shape: Transform.Mask.Shape) -> RenderStep.MaskShape {
        switch shape {
        case .ellipse: .ellipse
        case .corners(let radii?): .corners(radii)
        case .corners(nil): .corners(Array(repeating: Double(min(current.width, current.height)) / 10, count: 4))
        }
    }

    private mutating func effects() {
        let effects = transform.effects
        let blur: [RenderStep] = effects.blur > 0 ? [.blur(min(effects.blur, longestSide))] : []
        var sharpening: [RenderStep] = effects.sharpen > 0 ? [.sharpen(effects.sharpen)] : []
        if effects.unsharp != 0 { sharpening.append(.unsharp(amount: effects.unsharp, radius: effects.unsharpRadius)) }
        made += effects.order == .beforePadding ? sharpening + blur : blur + sharpening
        if effects.pixelate >= 2 { made.append(.pixelate(Int(min(effects.pixelate, longestSide)))) }
        if effects.sepia > 0 { made.append(.sepia(effects.sepia)) }
        if let colour = effects.monochrome { made.append(.monochrome(colour)) }
    }

    private var longestSide: Double { Double(max(current.width, current.height)) }

    private mutating func border() {
        guard let border = transform.border else { return }
        let width = Int(max(0, min(border.width, longestSide)).rounded())
        if width > 0 { made.append(.border(width, border.colour)) }
    }
}
