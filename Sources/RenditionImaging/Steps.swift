import RenditionModel

extension SourceProbe {
    /// The way from a probed source to encoded bytes, in order.
    ///
    /// Everything is refused before the first pixel, and everything wrong with the source comes out before the encoder.
    consuming func rendered(_ transform: Transform, limits: RenderLimits) throws(RenderRefusal) -> RenderProduct {
        let source = description
        let format = transform.outputFormat(of: source)
        let target = transform.outputSize(of: source.size)
        try limits.check(output: target, format)
        if source.format == .svg { try limits.check(drawn: drawnSize(for: target)) }

        let (turn, storedTarget) = (orientation, stored(target))
        var notes = notes
        let picture: Raster
        do throws(StepFailure) {
            picture = try decoded(for: storedTarget)
                .resized(to: storedTarget)
                .inSRGB(notes: &notes)
                .materialised()
                .oriented(turn)
        } catch {
            throw .undecodable(format: source.format, hint: error.hint)
        }
        let result = RenderedPicture(format: format, size: target, source: source, notes: notes)
        do throws(StepFailure) {
            let ready = format == .jpeg ? try picture.flattened() : picture
            return RenderProduct(.rendered(result), try ready.encoded(as: format, quality: transform.fixedQuality))
        } catch {
            throw .unencodable(format: format, hint: error.hint)
        }
    }
}
