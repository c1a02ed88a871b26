import CVips
import RenditionModel

/// A mark in its size, in memory, and where it lies; the same for every frame.
final class Overlay {
    private let raster: Raster
    private let place: (x: Int, y: Int)

    init(_ raster: consuming Raster, at place: (x: Int, y: Int)) {
        self.raster = raster
        self.place = place
    }

    /// Lays it over a picture; what is outside of the picture is cut off.
    func laid(over picture: consuming Raster) throws(StepFailure) -> Raster {
        try picture.overlaid(with: raster, x: place.x, y: place.y)
    }
}

extension SourceProbe {
    /// The first frame as a mark on a canvas.
    ///
    /// - Parameter base: the picture that it lies on, whose pixels count together with these.
    consuming func overlay(
        _ mark: Transform.Mark,
        on canvas: PixelSize,
        beside base: SourceDescription,
        limits: RenderLimits
    ) throws(RenderRefusal) -> Overlay {
        let plan = try RenderPlan(mark.transform(on: canvas), of: description, limits: limits)
        try limits.check(plan)
        try limits.check(base, and: [description.size, plan.size, drawnSize(for: plan)])
        var steps = Steps(plan)
        do throws(StepFailure) {
            let raster = try steps.run(decoded(for: plan))
            let faded = try raster.applying("mark") { cvips_fade($0, mark.opacity, $1) }.materialised()
            return Overlay(faded, at: mark.place(of: plan.size, on: canvas))
        } catch {
            throw .undecodable(format: description.format, hint: error.hint)
        }
    }
}
