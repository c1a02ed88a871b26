import RenditionModel

/// The checks that come before any pixel.
extension RenderLimits {
    /// Refuses a source by its bytes.
    func check(byteCount: Int, format: ImageFormat?) throws(RenderRefusal) {
        try refuse("source bytes", byteCount, above: sourceBytes)
        if format == .svg { try refuse("SVG bytes", byteCount, above: svgBytes) }
    }

    /// Refuses a source by its number of frames.
    func check(frames count: Int) throws(RenderRefusal) { try refuse("frames", count, above: frames) }

    /// Refuses a JPEG by its number of scans.
    func check(scans count: Int) throws(RenderRefusal) { try refuse("scans", count, above: scans) }

    /// Refuses a source by its header; an SVG's own size costs nothing, only what is rendered from it does.
    func check(_ source: SourceDescription) throws(RenderRefusal) {
        try check(frames: source.frames)
        guard source.format != .svg else { return }
        try refuse("source pixels", source.size.pixels(frames: source.frames), above: sourcePixels)
    }

    /// Refuses a mark that is too large for what it lies on: both pictures together may have as many pixels as one.
    ///
    /// - Parameter sizes: those that the mark has on its way; the largest counts.
    func check(_ base: SourceDescription, and sizes: [PixelSize]) throws(RenderRefusal) {
        let first = base.format == .svg ? 0 : base.size.pixels(frames: base.frames)
        let second = sizes.map { $0.pixels(frames: 1) }.max() ?? 0
        let (sum, overflow) = first.addingReportingOverflow(second)
        try refuse("pixels of the source and its mark", overflow ? .max : sum, above: sourcePixels)
    }

    /// Refuses what a decoder would have to draw on the way to a smaller output.
    func check(drawn size: PixelSize) throws(RenderRefusal) {
        try refuse("drawn pixels", size.pixels(frames: 1), above: sourcePixels)
    }

    /// Refuses what would have to be computed as a whole on the way to a part of it.
    func check(_ plan: RenderPlan) throws(RenderRefusal) {
        for case .cropToInterest in plan.steps { try check(drawn: plan.scaledRegion) }
    }

    private func refuse(_ what: String, _ value: Int, above limit: Int) throws(RenderRefusal) {
        guard value <= limit else { throw .tooLarge(what: what, value: value, limit: limit) }
    }
}

extension PixelSize {
    /// Pixels in all; `Int.max` where the number does not fit 64 bits.
    func pixels(frames: Int) -> Int {
        let (area, overflow) = width.multipliedReportingOverflow(by: height)
        let (all, more) = area.multipliedReportingOverflow(by: frames)
        return overflow || more ? .max : all
    }
}
