import FoundationEssentials
@testable import RenditionCache
@testable import RenditionModel

/// What must hold of every transform that a dialect has made, whatever source it meets.
struct Promises {
    let words: Words

    func hold(for transform: Transform) {
        let text = transform.canonicalText
        expect(transform.normalised == transform, "what a dialect gives is normalised: \(text)")
        expect(transform.normalised.canonicalText == text, "normalising twice changes nothing: \(text)")
        expectUnique(transform, text)
        if words.choice == 0 { holdAsJob(transform) }
        plan(transform)
        let negotiated = transform.negotiated(AcceptedTypes(words.accept))
        expect(!negotiated.isNegotiated, "negotiation leaves nothing open: \(text)")
        plan(negotiated)
        for form in transform.concreteForms { plan(form) }
        let output = transform.outputSize(of: words.source.size)
        expect(output.width > 0 && output.height > 0, "no output is empty: \(output) of \(text)")
    }

    /// The first transforms that were seen, by their text: the run has one thread.
    private nonisolated(unsafe) static var known: [String: Transform] = [:]
    private static let maxKnown = 5000

    /// The text is a part of the cache key: what shares it must be the same.
    private func expectUnique(_ transform: Transform, _ text: String) {
        if let other = Self.known[text] {
            expect(other == transform, "one text is one transform: \(text) is \(transform) and \(other)")
        } else if Self.known.count < Self.maxKnown {
            Self.known[text] = transform
        }
    }

    /// It travels to a worker and back unchanged.
    private func holdAsJob(_ transform: Transform) {
        let job = RenderJob(.render(transform), limits: words.limits)
        guard let sent = try? JSONEncoder().encode(job) else { return expect(false, "every job can be written") }
        let received = try? JSONDecoder().decode(RenderJob.self, from: sent)
        expect(received == job, "a job is read as it was written: \(transform.canonicalText)")
    }

    func plan(_ transform: Transform) {
        check(transform, trimmed: nil)
        if transform.trim != nil { check(transform, trimmed: words.trimmed) }
    }

    private func check(_ transform: Transform, trimmed: PixelRect?) {
        guard let plan = try? RenderPlan(transform, of: words.source, trimmed: trimmed, limits: words.limits) else {
            return
        }
        let what = "\(transform.canonicalText) of \(words.source)"
        expect(!plan.encodings.isEmpty, "something is encoded: \(what)")
        for encoding in plan.encodings {
            let isAllowed =
                (try? words.limits.check(output: plan.size, encoding.format, frames: plan.frames.count)) != nil
            expect(isAllowed, "\(plan.size) as \(encoding.format) is within the limits: \(what)")
        }
        expect(isWithin(plan.region, plan.stored), "\(plan.region) is a part of \(plan.stored): \(what)")
        for decoded in [plan.decodeTarget, plan.decodeTarget.exchanged, PixelSize(width: 1, height: 1)] {
            expect(isWithin(plan.region(in: decoded), decoded), "the region lies in \(decoded): \(what)")
        }
        expect(walk(plan, what) == plan.size, "the steps lead to \(plan.size): \(what)")
    }

    /// The size after all steps, each of which has to fit what the one before left.
    private func walk(_ plan: RenderPlan, _ what: String) -> PixelSize {
        var size = plan.stored
        for step in plan.steps {
            let before = size
            var fits = true
            switch step {
            case .extract(let rect), .crop(let rect): (fits, size) = (isWithin(rect, size), rect.size)
            case .resize(let target): size = target
            case .orient(let number): if number > 4 { size = size.exchanged }
            case .cropToInterest(let part, _): (fits, size) = (isWithin(PixelRect(part), size), part)
            case .tilt(_, let enlarged): fits = isWithin(PixelRect(size), enlarged)
            case .embed(let canvas, let x, let y, _):
                (fits, size) = (isWithin(PixelRect(x: x, y: y, size: size), canvas), canvas)
            case .write(_, let room): fits = isWithin(room, size)
            case .border(let width, _): fits = (1...max(size.width, size.height)).contains(width)
            case .blur(let sigma): fits = sigma > 0 && sigma.isFinite
            case .pixelate(let side): fits = side >= 1
            case .mask(.corners(let radii)): fits = radii.count == 4 && radii.allSatisfy { $0 >= 0 && $0.isFinite }
            default: break
            }
            expect(fits && size.width > 0 && size.height > 0, "\(step) fits \(before): \(what)")
        }
        return size
    }

    private func isWithin(_ rect: PixelRect, _ size: PixelSize) -> Bool {
        rect.x >= 0 && rect.y >= 0 && rect.size.width > 0 && rect.size.height > 0
            && rect.x + rect.size.width <= size.width && rect.y + rect.size.height <= size.height
    }
}
