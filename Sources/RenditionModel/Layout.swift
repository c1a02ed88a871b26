/// Where everything lies between the cut and the finished size, in whole pixels (spec own, AEM §6.6, microCMS §6).
struct Layout {
    /// The part of the turned picture that is scaled.
    var region: PixelRect
    /// The size that it is scaled to.
    var picture: PixelSize
    /// The part of the scaled picture that is kept: where it is known, or its size where the pixels decide.
    var window: Window?
    /// The size with bars, and where the picture lies in it; nil without bars.
    var canvas: (size: PixelSize, x: Int, y: Int)?
    /// Pixels on top, right, bottom and left.
    var padding = (top: 0, right: 0, bottom: 0, left: 0)

    enum Window {
        case at(PixelRect)
        case ofInterest(PixelSize, RenderStep.Interest)
    }

    /// The size without padding.
    var inner: PixelSize {
        if let canvas { return canvas.size }
        switch window {
        case .at(let rect): return rect.size
        case .ofInterest(let size, _): return size
        case nil: return picture
        }
    }

    /// The finished size.
    var size: PixelSize {
        PixelSize(
            width: inner.width + padding.left + padding.right,
            height: inner.height + padding.top + padding.bottom
        )
    }

    private let transform: Transform
    private let cut: Cut

    /// The layout of what is cut from an upright, turned picture.
    init(_ transform: Transform, cut: Cut) {
        self.transform = transform
        self.cut = cut
        region = cut.rect
        picture = cut.rect.size
        scale(by: 1)
    }

    /// Works everything out anew, with the finished size multiplied by `factor`.
    mutating func scale(by factor: Double) {
        region = cut.rect
        window = nil
        canvas = nil
        let sides = cut.measured
        let source = transform.resize.measure == .crop ? sides : cut.whole
        let box = transform.resize.box(of: sides, source: source)
        switch transform.resize.mode {
        case .inside: picture = sides.times(transform.resize.factor(of: sides, source: source) * factor).rounded
        case .automatic: picture = automatic(box, sides).times(factor).rounded
        case .fill: picture = box.held(within: sides, unless: enlarges).times(factor).rounded
        case .cover: cover(box.held(within: sides, unless: enlarges).times(factor))
        case .pad: pad(box, sides, factor)
        }
        let padding = transform.padding
        func whole(_ side: Double) -> Int { side > 0 ? Int(min((side * factor).rounded(), 1e9)) : 0 }
        self.padding = (whole(padding.top), whole(padding.right), whole(padding.bottom), whole(padding.left))
    }

    private var enlarges: Bool { transform.resize.enlarge }

    /// At most as wide as the box; the height rounds down (spec OCM §10.5).
    private func automatic(_ box: Size, _ sides: Size) -> Size {
        guard box.width < sides.width else { return sides }
        return Size(width: box.width, height: max(1, (sides.height * box.width / sides.width).rounded(.down)))
    }

    /// Scales to cover the box, never by rounding less, and keeps a window of its size.
    private mutating func cover(_ box: Size) {
        let target = box.rounded
        let sides = cut.measured
        let scale = max(box.width / sides.width, box.height / sides.height)
        let covering = sides.times(scale).rounded
        let size = PixelSize(width: max(covering.width, target.width), height: max(covering.height, target.height))
        picture = size
        let excess = PixelSize(width: size.width - target.width, height: size.height - target.height)
        if case .focus(let x, let y, let zoom) = transform.resize.position, zoom > 1 {
            return magnify(x: x, y: y, zoom: zoom, window: target, of: size)
        }
        guard excess.width > 0 || excess.height > 0 else { return }
        let start: (x: Int, y: Int)
        switch transform.resize.position {
        case .entropy: return window = .ofInterest(target, .entropy)
        case .attention: return window = .ofInterest(target, .attention)
        case .side(let x, let y): start = (Self.start(x, excess.width), Self.start(y, excess.height))
        case .focus(let x, let y, _):
            start = (
                Self.start(around: x, size.width, target.width), Self.start(around: y, size.height, target.height)
            )
        }
        window = .at(PixelRect(x: start.x, y: start.y, size: target))
    }

    /// Cuts the window's magnified part out before the scaling, which then makes it the window's size.
    private mutating func magnify(x: Double, y: Double, zoom: Double, window: PixelSize, of covering: PixelSize) {
        func part(_ point: Double, _ side: Int, _ window: Int, _ covering: Int) -> (start: Int, length: Int) {
            let exact = Double(side) * Double(window) / Double(covering) / zoom
            let length = min(side, max(1, Int(exact.rounded())))
            return (Self.start(around: point, side, length), length)
        }
        let (size, area) = (covering, cut.rect)
        let horizontal = part(x, area.size.width, window.width, size.width)
        let vertical = part(y, area.size.height, window.height, size.height)
        region = PixelRect(
            x: area.x + horizontal.start,
            y: area.y + vertical.start,
            size: PixelSize(width: horizontal.length, height: vertical.length)
        )
        picture = window
    }

    private mutating func pad(_ box: Size, _ sides: Size, _ factor: Double) {
        var target = box
        if transform.resize.holdsBoxWithinSource {
            target = Size(width: min(box.width, sides.width), height: min(box.height, sides.height))
        }
        let size = target.times(factor).rounded
        let scaled = sides.times(target.fitting(sides, enlarge: enlarges) * factor).rounded
        picture = PixelSize(width: min(scaled.width, size.width), height: min(scaled.height, size.height))
        guard picture != size else { return }
        var (x, y) = (0, 0)
        if case .side(let horizontal, let vertical) = transform.resize.position { (x, y) = (horizontal, vertical) }
        canvas = (size, Self.start(x, size.width - picture.width), Self.start(y, size.height - picture.height))
    }

    /// Where a window begins that leaves so much over.
    private static func start(_ side: Int, _ excess: Int) -> Int {
        side < 0 ? 0 : side > 0 ? excess : excess / 2
    }

    /// Where a window begins that has a point, 0…1, as central as it can.
    private static func start(around point: Double, _ whole: Int, _ window: Int) -> Int {
        let ideal = (point * Double(whole) - Double(window) / 2).rounded()
        return Int(min(max(0, ideal), Double(whole - window)))
    }
}
