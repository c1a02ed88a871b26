import CVips
import RenditionModel

extension SourceProbe {
    /// The way from a probed source to encoded bytes, in order.
    ///
    /// Everything is refused before the first pixel, and everything wrong with the source comes out before the encoder.
    ///
    /// - Parameter overlay: makes the mark for a plan that has one.
    consuming func rendered(
        _ transform: Transform,
        limits: RenderLimits,
        overlay: (RenderPlan, SourceDescription) throws(RenderRefusal) -> Overlay? = { _, _ in nil }
    ) throws(RenderRefusal) -> RenderProduct {
        let source = description
        let trimmed = try trimmedRegion(transform.trim)
        let plan = try RenderPlan(transform, of: source, trimmed: trimmed, limits: limits)
        try limits.check(plan)
        if source.format == .svg { try limits.check(drawn: drawnSize(for: plan)) }

        var steps = Steps(plan, overlay: try overlay(plan, source))
        var notes = notes
        let picture: Raster
        do throws(StepFailure) {
            picture = try finished(plan, &steps)
        } catch {
            throw .undecodable(format: source.format, hint: error.hint)
        }
        notes += steps.notes
        let choice = EncodedChoice(keepsMetadata: transform.profile == .keep || transform.metadata != .none)
        do throws(StepFailure) {
            let (bytes, encoding) = try choice.smallest(of: plan.encodings, for: picture)
            let result = RenderedPicture(
                format: encoding.format,
                size: plan.size,
                frames: plan.frames.count,
                source: source,
                notes: notes
            )
            return RenderProduct(.rendered(result), bytes)
        } catch {
            throw .unencodable(format: plan.encodings.first?.format ?? source.format, hint: error.hint)
        }
    }

    /// All frames, finished and ready to be encoded.
    private consuming func finished(_ plan: RenderPlan, _ steps: inout Steps) throws(StepFailure) -> Raster {
        guard case .all(let count) = plan.frames, count > 1 else {
            let rights = plan.metadata == .copyright ? rights : Rights()
            return try steps.run(decoded(for: plan)).bare(keeping: rights)
        }
        let frame = plan.stored
        let strip = try decoded(for: plan)
        guard strip.size == PixelSize(width: frame.width, height: frame.height * count) else {
            throw StepFailure("decode", hint: "the frames have not the size that the header says")
        }
        let timing = strip.timing(frames: count)
        let all = try strip.materialised()
        var stack = FrameStack(capacity: count)
        for index in 0..<count {
            let place = PixelRect(x: 0, y: index * frame.height, size: frame)
            stack.append(try steps.run(all.copied().cropped(to: place)))
        }
        return try stack.stacked().bare(keeping: Rights()).animated(timing)
    }
}

extension Raster {
    /// The pixels with nothing but the profile, where it was kept, and the rights.
    fileprivate consuming func bare(keeping rights: Rights) throws(StepFailure) -> Raster {
        try applying("strip") { cvips_strip($0, 1, $1) }.carrying(rights)
    }
}
