import FoundationEssentials
@testable import RenditionModel

/// The messages between the service and a render worker, and what a worker plans from one.
enum Target: FuzzTarget {
    static func run(_ input: UnsafeRawBufferPointer) {
        let message = Data(input)
        if let job = try? JSONDecoder().decode(RenderJob.self, from: message) { read(job) }
        if let reply = try? JSONDecoder().decode(RenderReply.self, from: message) {
            expectRepeated(reply)
            if case .refused(let refusal) = reply { _ = refusal.description }
        }
    }

    private static func read(_ job: RenderJob) {
        expectRepeated(job)
        SeedPictures.progressive.withUnsafeBytes { _ = job.memoryBytes(beginning: $0) }
        guard case .render(let transform) = job.task else { return }
        _ = transform.canonicalText
        let sizes = [
            PixelSize(width: 1, height: 1), PixelSize(width: 1600, height: 1200), PixelSize(width: 1, height: 65_535),
        ]
        for (size, orientation) in zip(sizes, [1, 6, 3]) {
            let source = SourceDescription(
                format: .png,
                size: size,
                frames: 2,
                hasAlpha: true,
                orientation: orientation
            )
            guard let plan = try? RenderPlan(transform, of: source, limits: job.limits) else { continue }
            expect(plan.size.width > 0 && plan.size.height > 0, "no output is empty")
            expect(plan.size.width <= job.limits.outputEdgePixels, "no output is wider than allowed")
        }
    }

    private static func expectRepeated<Message: Codable & Equatable>(_ message: Message) {
        guard let text = try? JSONEncoder().encode(message) else {
            return expect(false, "what was read can be written")
        }
        expect((try? JSONDecoder().decode(Message.self, from: text)) == message, "it is read as it was written")
    }

    static func seeds(fixtures: String) throws -> [[UInt8]] {
        let tasks =
            [.probe, .placeholder(PixelSize(width: 30, height: 20), .webp)] + transforms.map(RenderJob.Task.render)
        let source = SourceDescription(format: .gif, size: PixelSize(width: 9, height: 8), frames: 3, orientation: 6)
        let replies: [RenderReply] = [
            .probed(source), .refused(.tooLarge(what: "frames", value: 301, limit: 300)), .refused(.notAnImage),
            .refused(.undecodable(format: .jpeg, hint: "no")),
            .rendered(RenderedPicture(format: .png, size: source.size, source: source, notes: ["a note"])),
        ]
        let jobs = try tasks.map { Array(try JSONEncoder().encode(RenderJob($0, limits: RenderLimits()))) }
        return jobs + (try replies.map { Array(try JSONEncoder().encode($0)) })
    }

    private static var transforms: [Transform] {
        var much = Transform(
            resize: .inside(width: 300, height: 200),
            format: .fewestBytes([.avif, .webp]),
            quality: 40
        )
        much.crop = Transform.Crop(x: .middle, y: .at(.percent(3)), width: .pixels(90), height: .percent(50))
        much.background = .colour(.white)
        much.mask = Transform.Mask(.corners([1, 2, 3, 4]))
        much.text = Transform.Text("a line")
        much.border = Transform.Border(width: 3, colour: .white)
        much.padding = Transform.Padding(top: 3, right: 4, bottom: 5, left: 6)
        var covering = Transform(resize: .init(.cover, width: .pixels(90), height: .percent(20)), format: .fixed(.jpeg))
        covering.resize.position = .focus(x: 0.2, y: 0.7, zoom: 4)
        covering.frames = .only(2)
        covering.variant = .progressive
        covering.tilt = 33
        return [Transform(), much, covering, Transform(resize: .automatic(width: 640), format: .auto(avif: true))]
    }
}
