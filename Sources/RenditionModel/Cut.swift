/// The part of the upright, turned picture that is kept.
struct Cut {
    /// In whole pixels.
    var rect: PixelRect
    /// The size that the resize measures it as: its own, or smaller where the transform works from a base.
    var measured: Size
    /// The size that the whole picture is measured as.
    var whole: Size
}

/// A size before it is rounded.
struct Size {
    var width: Double
    var height: Double

    init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    init(_ size: PixelSize) { self.init(width: Double(size.width), height: Double(size.height)) }

    init(_ size: Size) { self = size }

    func times(_ factor: Double) -> Size { Size(width: width * factor, height: height * factor) }

    /// To nearest, halves up, at least 1; far beyond every limit at most.
    var rounded: PixelSize {
        func whole(_ side: Double) -> Int { side >= 1 ? Int(min((side + 0.5).rounded(.down), 1e9)) : 1 }
        return PixelSize(width: whole(width), height: whole(height))
    }

    /// The factor by which a picture of `sides` just fits into this.
    func fitting(_ sides: Size, enlarge: Bool) -> Double {
        let factor = min(width / sides.width, height / sides.height)
        return enlarge ? factor : min(1, factor)
    }

    /// This, shrunk in proportion until neither side exceeds `sides`.
    func held(within sides: Size, unless enlarges: Bool) -> Size {
        enlarges ? self : times(min(1, sides.width / width, sides.height / height))
    }
}

extension Transform {
    /// What is cut from a picture of `frame` pixels; each of place and size rounds to nearest.
    func cut(of frame: PixelSize) throws(RenderRefusal) -> Cut {
        let whole = Size(frame)
        let scale = base.map { min(1, Double($0) / max(whole.width, whole.height)) } ?? 1
        let held = scale < 1 ? Size(whole.times(scale).rounded) : whole
        guard let crop, let exact = try crop.resolved(in: whole) else {
            return Cut(rect: PixelRect(frame), measured: held, whole: held)
        }
        let size = PixelSize(
            width: min(exact.size.rounded.width, frame.width),
            height: min(exact.size.rounded.height, frame.height)
        )
        let rect = PixelRect(
            x: min(Int((exact.x + 0.5).rounded(.down)), frame.width - size.width),
            y: min(Int((exact.y + 0.5).rounded(.down)), frame.height - size.height),
            size: size
        )
        let measured = scale < 1 ? Size(exact.size.times(scale).rounded) : Size(size)
        return Cut(rect: rect, measured: measured, whole: held)
    }
}

extension Transform.Crop {
    /// The part in pixels, clipped by its rule; nil where nothing is to be cropped.
    fileprivate func resolved(in whole: Size) throws(RenderRefusal) -> (x: Double, y: Double, size: Size)? {
        let extent = Size(width: width.resolved(on: whole.width), height: height.resolved(on: whole.height))
        let horizontal = (start: x.resolved(extent.width, on: whole.width), end: 0.0)
        let vertical = (start: y.resolved(extent.height, on: whole.height), end: 0.0)
        let (left, top) = (horizontal.start, vertical.start)
        let (right, bottom) = (left + extent.width, top + extent.height)
        if outside == .ignored {
            // Percentages add up to a whole only to within the precision of their arithmetic.
            let slack = 1e-6
            guard left >= 0, top >= 0, extent.width > 0, extent.height > 0, right <= whole.width + slack,
                bottom <= whole.height + slack
            else { return nil }
        }
        let clipped = (max(0, left), max(0, top), min(right, whole.width), min(bottom, whole.height))
        let size = Size(width: clipped.2 - clipped.0, height: clipped.3 - clipped.1)
        guard size.width > 0, size.height > 0 else {
            guard outside == .refused else { return nil }
            throw .impossible("the crop leaves nothing of a picture of \(whole.rounded)")
        }
        return (clipped.0, clipped.1, size)
    }
}

extension Transform.Crop.Start {
    /// The first pixel of a part of `extent` pixels on a side of `side`.
    fileprivate func resolved(_ extent: Double, on side: Double) -> Double {
        switch self {
        case .at(let length): length.resolved(on: side)
        case .middle: (side - extent) / 2
        case .end: side - extent
        }
    }
}

extension Transform.Resize {
    /// The box in pixels for a picture of `sides`, its fractions being parts of `source`; a free side follows.
    func box(of sides: Size, source: Size) -> Size {
        let asked = self.asked(source: source)
        let shape = ratio.map { Size(width: $0, height: 1) } ?? sides
        var box: Size
        switch (asked.width, asked.height) {
        case (let width?, let height?): box = Size(width: width, height: height)
        case (let width?, nil): box = Size(width: width, height: width * shape.height / shape.width)
        case (nil, let height?): box = Size(width: height * shape.width / shape.height, height: height)
        case (nil, nil): box = shape.times(min(sides.width / shape.width, sides.height / shape.height))
        }
        box.width = Self.bounded(box.width, bounds.minWidth, bounds.maxWidth)
        box.height = Self.bounded(box.height, bounds.minHeight, bounds.maxHeight)
        return box
    }

    /// The factor that fits a picture into the box, a free side being without limit.
    func factor(of sides: Size, source: Size) -> Double {
        let asked = self.asked(source: source)
        let factors = [asked.width.map { $0 / sides.width }, asked.height.map { $0 / sides.height }].compactMap { $0 }
        guard let least = factors.min() else { return 1 }
        return enlarge ? least : min(1, least)
    }

    private func asked(source: Size) -> (width: Double?, height: Double?) {
        (
            width.map { max(1, $0.resolved(on: source.width)) },
            height.map { max(1, $0.resolved(on: source.height)) }
        )
    }

    private static func bounded(_ side: Double, _ lower: Double?, _ upper: Double?) -> Double {
        min(max(side, lower ?? 0), upper ?? .infinity)
    }
}
