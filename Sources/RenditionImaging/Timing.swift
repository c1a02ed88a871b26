import CVips
import RenditionModel

/// How the frames of an animation follow one another.
struct Timing: Equatable {
    /// How long each frame is shown, in milliseconds.
    var delays: [Int]
    /// How often all are shown; 0 for ever.
    var plays: Int

    /// What the loader found, for that many frames.
    ///
    /// A delay of 10 ms or less is written as 100 ms, because that is how long browsers show such a frame; a missing one too.
    init(delays: [Int], plays: Int, frames: Int) {
        self.delays = (0..<frames).map { index in
            let delay = index < delays.count ? delays[index] : 0
            return delay <= 10 ? 100 : delay
        }
        self.plays = max(0, plays)
    }
}

extension Raster {
    /// How the frames of this stack follow one another.
    func timing(frames: Int) -> Timing {
        Timing(delays: numbers("delay"), plays: metadata("loop") ?? 0, frames: frames)
    }

    /// The stack with nothing but its pixels and what a player needs.
    consuming func animated(_ timing: Timing) throws(StepFailure) -> Raster {
        let (frames, height) = (timing.delays.count, size.height / max(1, timing.delays.count))
        let delays = timing.delays.map { Int32(clamping: $0) }
        return try applying("animate") {
            cvips_animate($0, Int32(height), delays, Int32(frames), Int32(clamping: timing.plays), $1)
        }
    }
}
