/// What a transform comes to for one source: exact steps, the output's size, and how it is written.
///
/// All rounding of the dialects is here, and so is every refusal that a header can decide; what executes the plan only obeys.
public struct RenderPlan: Hashable, Sendable {
    /// Which frames are decoded.
    public enum Frames: Hashable, Sendable {
        /// The picture that the format shows first.
        case primary
        /// One, counted from 0.
        case one(Int)
        /// All, of which there are so many.
        case all(Int)

        /// How many frames come out.
        public var count: Int {
            if case .all(let count) = self { count } else { 1 }
        }
    }

    /// In order.
    ///
    /// `extract` and `resize`, where they are there, come first and are about stored pixels.
    public internal(set) var steps: [RenderStep] = []
    /// The output's size, of each frame.
    public internal(set) var size: PixelSize
    /// Which frames are decoded.
    public internal(set) var frames: Frames
    /// How it is written: one way, or several of which the fewest bytes win.
    public internal(set) var encodings: [Encoding]
    /// Whether the output has an alpha channel.
    public internal(set) var hasAlpha: Bool
    /// What is kept of the metadata.
    public internal(set) var metadata: Transform.Metadata
    /// The stored pixels that the steps begin with, of the whole source.
    public internal(set) var stored: PixelSize
    /// The part of them that is used.
    public internal(set) var region: PixelRect
    /// The size that the part is scaled to.
    public internal(set) var scaledRegion: PixelSize

    /// The size to which the whole source would be scaled: what a decoder may shrink towards without losing detail.
    public var decodeTarget: PixelSize {
        func scaled(_ whole: Int, _ part: Int, _ target: Int) -> Int {
            max(1, Int((Double(whole) * Double(target) / Double(part)).rounded()))
        }
        return PixelSize(
            width: scaled(stored.width, region.size.width, scaledRegion.width),
            height: scaled(stored.height, region.size.height, scaledRegion.height)
        )
    }

    /// Where the used part lies once the decoder has made `decoded` pixels of the whole source.
    public func region(in decoded: PixelSize) -> PixelRect {
        guard decoded != stored else { return region }
        func scaled(_ start: Int, _ length: Int, _ whole: Int, _ result: Int) -> (Int, Int) {
            let factor = Double(result) / Double(whole)
            let extent = min(max(1, Int((Double(length) * factor).rounded())), result)
            return (min(Int((Double(start) * factor).rounded()), result - extent), extent)
        }
        let (x, width) = scaled(region.x, region.size.width, stored.width, decoded.width)
        let (y, height) = scaled(region.y, region.size.height, stored.height, decoded.height)
        return PixelRect(x: x, y: y, size: PixelSize(width: width, height: height))
    }

    /// Plans a transform that needs no more negotiation; one that does is planned for a client that says nothing.
    ///
    /// - Parameters:
    ///   - transform: what is wanted.
    ///   - source: what the header says.
    ///   - trimmed: what is left of the stored pixels after trimming, for a transform that trims and a caller that has looked;
    ///     without it nothing is trimmed.
    ///   - limits: what it may cost.
    /// - Throws: `tooLarge` and `impossible`.
    public init(
        _ transform: Transform,
        of source: SourceDescription,
        trimmed: PixelRect? = nil,
        limits: RenderLimits = RenderLimits()
    ) throws(RenderRefusal) {
        // What equal texts stand for must be equal to the pixel.
        let transform = transform.normalised
        let orientation = transform.orientation ?? source.orientation
        let whole = source.storedSize
        let part = trimmed ?? PixelRect(whole)
        let turn = Turn(orientation: orientation).followed(by: transform.rotation)
        let frame = turn.size(of: part.size)
        let cut = try transform.cut(of: frame)

        let formats = transform.outputFormats(of: source)
        var layout = Layout(transform, cut: cut)
        frames = transform.plannedFrames(of: source, as: formats)
        let room = OutputRoom(limits, frames: frames.count)
        var fitting = try room.fitted(&layout, formats: formats, isReduced: transform.oversize == .reduced)
        if case .firstFitting = transform.format { fitting = Array(fitting.prefix(1)) }
        encodings = fitting.map { transform.encoding($0, of: source) }
        size = layout.size
        metadata = transform.metadata
        stored = whole

        var used = turn.stored(layout.region, in: part.size)
        used.x += part.x
        used.y += part.y
        region = used
        scaledRegion = turn.exchangesSides ? layout.picture.exchanged : layout.picture
        hasAlpha = false

        if region != PixelRect(whole) { steps.append(.extract(region)) }
        if scaledRegion != region.size { steps.append(.resize(scaledRegion)) }
        steps.append(.convertColours(transform.profile))
        if turn.orientation != 1 { steps.append(.orient(turn.orientation)) }
        var finish = Finish(transform, layout: layout, hasAlpha: source.hasAlpha, formats: fitting)
        steps += finish.steps()
        hasAlpha = finish.hasAlpha
    }
}
