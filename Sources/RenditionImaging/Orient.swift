import CVips
import RenditionModel

extension Raster {
    /// Turns pixels that are in memory upright by their EXIF orientation, 1…8.
    consuming func oriented(_ orientation: Int) throws(StepFailure) -> Raster {
        guard orientation != 1 else { return self }
        return try applying("orient") { cvips_orient($0, Int32(orientation), $1) }
    }

    /// Mirrors pixels that are in memory.
    consuming func flipped(_ flip: Transform.Flip) throws(StepFailure) -> Raster {
        switch (flip.horizontal, flip.vertical) {
        case (true, true): try oriented(3)
        case (true, false): try oriented(2)
        case (false, true): try oriented(4)
        case (false, false): self
        }
    }

    /// Turns counter-clockwise inside the picture's own frame, after an enlargement that leaves no corner empty.
    consuming func tilted(_ degrees: Double, enlarged: PixelSize) throws(StepFailure) -> Raster {
        let frame = size
        return try resized(to: enlarged).applying("tilt") {
            cvips_rotate_inside($0, -degrees, Int32(frame.width), Int32(frame.height), $1)
        }
    }
}
