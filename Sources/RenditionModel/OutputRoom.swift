extension RenderLimits {
    /// Refuses an output by its size, each frame and all of them together.
    public func check(output size: PixelSize, _ format: ImageFormat, frames: Int = 1) throws(RenderRefusal) {
        let edge = edgePixels(format)
        let longest = max(size.width, size.height)
        guard longest <= edge else { throw .tooLarge(what: "output edge", value: longest, limit: edge) }
        let most = outputPixels(format)
        guard size.area <= most else { throw .tooLarge(what: "output pixels", value: size.area, limit: most) }
        let all = size.area.multipliedReportingOverflow(by: frames)
        // What may be decoded may be encoded, and no more: frames can be enlarged.
        guard !all.overflow, all.partialValue <= sourcePixels else {
            let value = all.overflow ? .max : all.partialValue
            throw .tooLarge(what: "output pixels of all frames", value: value, limit: sourcePixels)
        }
    }

    fileprivate func edgePixels(_ format: ImageFormat) -> Int {
        format == .webp ? min(outputEdgePixels, 16_383) : outputEdgePixels
    }
}

/// How large an output of so many frames may be.
struct OutputRoom {
    private let limits: RenderLimits
    private let frames: Int

    init(_ limits: RenderLimits, frames: Int) {
        self.limits = limits
        self.frames = frames
    }

    /// Brings the layout within the limits, and says which of the formats can hold it.
    ///
    /// - Throws: the first format's refusal if none can.
    func fitted(
        _ layout: inout Layout,
        formats: [ImageFormat],
        isReduced: Bool
    ) throws(RenderRefusal) -> [ImageFormat] {
        let fitting = formats.filter { allows(layout.size, $0) }
        guard fitting.isEmpty, let first = formats.first else { return fitting }
        var factor = 1.0
        // Rounding, and sides that are never below a pixel, may leave too much after the first attempt.
        for _ in 0..<8 where isReduced && !allows(layout.size, first) {
            factor *= reduction(of: layout.size, first)
            layout.scale(by: factor)
        }
        try limits.check(output: layout.size, first, frames: frames)
        return formats.filter { allows(layout.size, $0) }
    }

    private func allows(_ size: PixelSize, _ format: ImageFormat) -> Bool {
        (try? limits.check(output: size, format, frames: frames)) != nil
    }

    private func reduction(of size: PixelSize, _ format: ImageFormat) -> Double {
        let byEdge = Double(limits.edgePixels(format)) / Double(max(size.width, size.height))
        let most = min(Double(limits.outputPixels(format)), Double(limits.sourcePixels) / Double(frames))
        let byArea = (most / (Double(size.width) * Double(size.height))).squareRoot()
        return byArea < byEdge ? min(byArea, 1) * (1 - 1e-4) : min(byEdge, 1)
    }
}
