import CVips
import RenditionModel

/// Takes the pixels of one frame through the steps of a plan.
struct Steps {
    let plan: RenderPlan
    /// The mark, for a plan with one.
    let overlay: Overlay?
    /// Remarks for the log, of the first frame.
    private(set) var notes: [String] = []
    private var takesNotes = true

    init(_ plan: RenderPlan, overlay: Overlay? = nil) {
        self.plan = plan
        self.overlay = overlay
    }

    /// The finished pixels of a frame, in memory; whatever is wrong with the source comes out here.
    mutating func run(_ frame: consuming Raster) throws(StepFailure) -> Raster {
        var picture = Optional(frame)
        var isInMemory = false
        for step in ordered(plan.steps) {
            guard let current = picture.take() else { break }
            let ready = isInMemory || step.readsDownwards ? current : try current.materialised()
            isInMemory = isInMemory || !step.readsDownwards
            picture = try apply(step, to: ready)
        }
        takesNotes = false
        guard let result = picture.take() else { throw StepFailure("steps", hint: "no picture is left") }
        return try result.materialised()
    }

    /// A crop of what is turned goes before the turn, so that only what is kept is ever computed.
    private func ordered(_ steps: [RenderStep]) -> [RenderStep] {
        var steps = steps
        for index in steps.indices.dropLast() {
            guard case .orient(let orientation) = steps[index], case .crop(let rect) = steps[index + 1] else {
                continue
            }
            let stored = Turn(orientation: orientation).stored(rect, in: plan.scaledRegion)
            steps[index] = .crop(stored)
            steps[index + 1] = .orient(orientation)
        }
        return steps
    }

    private mutating func apply(_ step: RenderStep, to picture: consuming Raster) throws(StepFailure) -> Raster {
        switch step {
        case .extract: try picture.extracted(by: plan)
        case .resize(let size): try picture.resized(to: size)
        case .convertColours(let profile): try convert(picture, profile)
        case .orient(let orientation): try picture.oriented(orientation)
        case .crop(let rect): try picture.cropped(to: rect)
        case .cropToInterest(let size, let interest): try picture.cropped(to: size, of: interest)
        case .tilt(let degrees, let enlarged): try picture.tilted(degrees, enlarged: enlarged)
        case .flip(let flip): try picture.flipped(flip)
        case .adjust(let adjustments): try picture.adjusted(adjustments)
        case .sharpen(let amount): try picture.sharpened(amount)
        case .unsharp(let amount, let radius): try picture.unsharpened(amount, radius: radius)
        case .blur(let sigma): try picture.blurred(sigma)
        case .pixelate(let side): try picture.pixelated(side)
        case .sepia(let strength): try picture.recombined(.sepia(strength / 100))
        case .monochrome(let colour): try picture.recombined(.monochrome(colour))
        case .embed(let size, let x, let y, let surround): try picture.embedded(in: size, x: x, y: y, surround)
        case .mask(let shape): try picture.masked(shape)
        case .paintBehind(let background): try picture.painted(background)
        case .addAlpha: try picture.applying("alpha") { cvips_paintable($0, 1, $1) }
        case .write(let text, let room): try picture.written(text, in: room)
        case .stamp: try stamped(picture)
        case .border(let width, let colour): try picture.bordered(width, colour)
        }
    }

    private func stamped(_ picture: consuming Raster) throws(StepFailure) -> Raster {
        guard let overlay else { return picture }
        return try overlay.laid(over: picture)
    }

    private mutating func convert(
        _ picture: consuming Raster,
        _ profile: Transform.Profile
    ) throws(StepFailure) -> Raster {
        var remarks: [String] = []
        let converted = try picture.converted(profile, notes: &remarks)
        if takesNotes { notes += remarks }
        return converted
    }
}

extension RenderStep {
    /// Whether it takes its pixels from top to bottom, as a decoder gives them.
    fileprivate var readsDownwards: Bool {
        switch self {
        case .extract, .resize, .convertColours, .crop: true
        default: false
        }
    }
}
