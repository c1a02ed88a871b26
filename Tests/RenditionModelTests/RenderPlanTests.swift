import Foundation
import Testing

@testable import RenditionModel

@Suite struct RenderPlanTests {
    private static func source(
        _ width: Int,
        _ height: Int,
        _ format: ImageFormat = .png,
        alpha: Bool = false,
        orientation: Int = 1,
        frames: Int = 1
    ) -> SourceDescription {
        SourceDescription(
            format: format,
            size: PixelSize(width: width, height: height),
            frames: frames,
            hasAlpha: alpha,
            orientation: orientation
        )
    }

    @Test func `steps stand in the order of the specification`() throws {
        var transform = Transform(
            resize: Transform.Resize(.pad, width: .pixels(100), height: .pixels(100)),
            format: .fixed(.jpeg)
        )
        transform.rotation = .right
        transform.crop = Transform.Crop(
            x: .at(.pixels(10)),
            y: .at(.pixels(20)),
            width: .pixels(200),
            height: .pixels(100)
        )
        transform.flip = Transform.Flip(horizontal: true)
        transform.effects.blur = 2
        transform.effects.sharpen = 1
        let plan = try RenderPlan(transform, of: Self.source(600, 400, alpha: true))
        let white = RenderStep.Surround.colour(.white)
        #expect(
            plan.steps == [
                .extract(PixelRect(x: 20, y: 190, size: PixelSize(width: 100, height: 200))),
                .resize(PixelSize(width: 50, height: 100)), .convertColours(.srgb), .orient(6), .flip(transform.flip),
                .embed(PixelSize(width: 100, height: 100), x: 0, y: 25, white), .paintBehind(.colour(.white)), .blur(2),
                .sharpen(1),
            ]
        )
        #expect(plan.size == PixelSize(width: 100, height: 100) && !plan.hasAlpha)
    }

    @Test func `what is too large or nothing by the wish is told from what is too large by itself`() {
        func refusal(_ work: () throws(RenderRefusal) -> Void) -> RenderRefusal? {
            do throws(RenderRefusal) {
                try work()
                return nil
            } catch {
                return error
            }
        }
        let limits = RenderLimits()
        let outputs = [
            refusal { () throws(RenderRefusal) in try limits.check(output: PixelSize(width: 9000, height: 1), .jpeg) },
            refusal { () throws(RenderRefusal) in try limits.check(output: PixelSize(width: 5000, height: 5000), .webp)
            },
            refusal { () throws(RenderRefusal) in
                try limits.check(output: PixelSize(width: 1000, height: 1000), .webp, frames: 300)
            },
            refusal { () throws(RenderRefusal) in
                var transform = Transform()
                let (start, length) = (Transform.Crop.Start.at(.pixels(9)), Transform.Length(pixels: 5))
                transform.crop = Transform.Crop(x: start, y: start, width: length, height: length)
                _ = try RenderPlan(transform, of: Self.source(4, 4))
            },
        ]
        #expect(outputs.allSatisfy { $0?.isOfRequest == true }, "\(outputs)")
        for what in ["source bytes", "SVG bytes", "source pixels", "drawn pixels", "frames", "scans"] {
            #expect(!RenderRefusal.tooLarge(what: what, value: 2, limit: 1).isOfRequest)
        }
        #expect(!RenderRefusal.truncated(format: .png).isOfRequest)
    }

    @Test func `a picture that stays as it is has no step of geometry`() throws {
        let plan = try RenderPlan(Transform(), of: Self.source(7, 5))
        #expect(plan.steps == [.convertColours(.srgb)])
        #expect(plan.encodings == [Encoding(.png)])
    }

    struct Cover: Sendable, CustomTestStringConvertible {
        var position: Transform.Position
        var steps: [RenderStep]
        var testDescription: String { "\(position)" }
    }

    /// 600×400 covers 100×100 as 150×100.
    @Test(arguments: [
        Cover(position: .centre, steps: [.crop(PixelRect(x: 25, y: 0, size: PixelSize(width: 100, height: 100)))]),
        Cover(position: .side(x: -1, y: 1), steps: [.crop(PixelRect(PixelSize(width: 100, height: 100)))]),
        Cover(
            position: .side(x: 1, y: 0),
            steps: [.crop(PixelRect(x: 50, y: 0, size: PixelSize(width: 100, height: 100)))]
        ),
        Cover(
            position: .focus(x: 0.4, y: 0, zoom: 1),
            steps: [.crop(PixelRect(x: 10, y: 0, size: PixelSize(width: 100, height: 100)))]
        ),
        Cover(
            position: .focus(x: 1, y: 1, zoom: 1),
            steps: [.crop(PixelRect(x: 50, y: 0, size: PixelSize(width: 100, height: 100)))]
        ),
        Cover(position: .entropy, steps: [.cropToInterest(PixelSize(width: 100, height: 100), .entropy)]),
        Cover(position: .attention, steps: [.cropToInterest(PixelSize(width: 100, height: 100), .attention)]),
    ])
    func `cover keeps the part that matters`(_ item: Cover) throws {
        var transform = Transform(resize: Transform.Resize(.cover, width: .pixels(100), height: .pixels(100)))
        transform.resize.position = item.position
        let plan = try RenderPlan(transform, of: Self.source(600, 400))
        #expect(plan.steps == [.resize(PixelSize(width: 150, height: 100)), .convertColours(.srgb)] + item.steps)
    }

    @Test func `a zoom cuts the magnified part out first`() throws {
        var transform = Transform(resize: Transform.Resize(.cover, width: .pixels(100), height: .pixels(100)))
        transform.resize.position = .focus(x: 0.5, y: 0.5, zoom: 2)
        let plan = try RenderPlan(transform, of: Self.source(600, 400))
        #expect(plan.region == PixelRect(x: 200, y: 100, size: PixelSize(width: 200, height: 200)))
        #expect(plan.scaledRegion == PixelSize(width: 100, height: 100))
        #expect(plan.decodeTarget == PixelSize(width: 300, height: 200))
        #expect(
            plan.region(in: PixelSize(width: 300, height: 200))
                == PixelRect(x: 100, y: 50, size: PixelSize(width: 100, height: 100))
        )
    }

    @Test(arguments: 1...8)
    func `a crop is taken from the upright picture`(orientation: Int) throws {
        var transform = Transform()
        transform.crop = Transform.Crop(x: .at(.pixels(0)), y: .at(.pixels(0)), width: .pixels(10), height: .pixels(5))
        let upright = orientation > 4 ? PixelSize(width: 20, height: 40) : PixelSize(width: 40, height: 20)
        let source = SourceDescription(format: .jpeg, size: upright, orientation: orientation)
        let plan = try RenderPlan(transform, of: source)
        #expect(plan.size == PixelSize(width: 10, height: 5))
        #expect(plan.stored == PixelSize(width: 40, height: 20))
        // The upper left corner of the upright picture is this corner of the stored one.
        let corner: (right: Bool, bottom: Bool) =
            [
                1: (false, false), 2: (true, false), 3: (true, true), 4: (false, true), 5: (false, false),
                6: (false, true), 7: (true, true), 8: (true, false),
            ][orientation]!
        let rect = plan.region
        #expect(rect.x == (corner.right ? 40 - rect.size.width : 0))
        #expect(rect.y == (corner.bottom ? 20 - rect.size.height : 0))
        #expect(plan.steps.contains(.orient(orientation)) == (orientation > 1))
    }

    @Test func `what trimming left is what everything is measured on`() throws {
        var transform = Transform(resize: .inside(width: 50, height: nil))
        transform.trim = 10
        let left = PixelRect(x: 100, y: 50, size: PixelSize(width: 200, height: 100))
        let plan = try RenderPlan(transform, of: Self.source(600, 400), trimmed: left)
        #expect(plan.region == left && plan.size == PixelSize(width: 50, height: 25))
    }

    @Test(arguments: [
        (-5, -5, 10, 10, PixelRect(PixelSize(width: 5, height: 5))),
        (90, 90, 50, 50, PixelRect(x: 90, y: 90, size: PixelSize(width: 10, height: 10))),
        (0, 0, 500, 1, PixelRect(PixelSize(width: 100, height: 1))),
    ])
    func `a crop is clipped`(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ rect: PixelRect) throws {
        var transform = Transform()
        transform.crop = Transform.Crop(
            x: .at(.pixels(x)),
            y: .at(.pixels(y)),
            width: .pixels(width),
            height: .pixels(height)
        )
        #expect(try RenderPlan(transform, of: Self.source(100, 100)).region == rect)
        transform.crop?.outside = .ignored
        #expect(
            try RenderPlan(transform, of: Self.source(100, 100)).region == PixelRect(PixelSize(width: 100, height: 100))
        )
    }

    @Test func `a crop that leaves nothing is refused or ignored by its rule`() throws {
        var transform = Transform()
        transform.crop = Transform.Crop(x: .at(.pixels(100)), y: .at(.pixels(0)), width: .pixels(5), height: .pixels(5))
        #expect(throws: RenderRefusal.impossible("the crop leaves nothing of a picture of 100×100")) {
            try RenderPlan(transform, of: Self.source(100, 100))
        }
        transform.crop?.outside = .clipped
        #expect(try RenderPlan(transform, of: Self.source(100, 100)).size == PixelSize(width: 100, height: 100))
    }

    struct Limit: Sendable, CustomTestStringConvertible {
        var format: ImageFormat
        var size: PixelSize
        var what: String
        var limit: Int
        var testDescription: String { "\(format) \(size)" }

        init(_ format: ImageFormat, _ width: Int, _ height: Int, _ what: String, _ limit: Int) {
            self.format = format
            size = PixelSize(width: width, height: height)
            self.what = what
            self.limit = limit
        }
    }

    @Test(arguments: [
        Limit(.jpeg, 877, 20_000, "output edge", 8192), Limit(.png, 8193, 1, "output edge", 8192),
        Limit(.avif, 4000, 3000, "output pixels", 8_000_000), Limit(.webp, 5000, 4000, "output pixels", 16_000_000),
        Limit(.gif, 4001, 4000, "output pixels", 16_000_000), Limit(.jxl, 2829, 2829, "output pixels", 8_000_000),
    ])
    func `an output beyond the limits is refused or reduced by the dialect's rule`(_ item: Limit) throws {
        var transform = Transform(
            resize: Transform.Resize(.fill, width: .pixels(item.size.width), height: .pixels(item.size.height))
        )
        transform.resize.enlarge = true
        transform.format = .fixed(item.format)
        let refusal = #expect(throws: RenderRefusal.self) { try RenderPlan(transform, of: Self.source(100, 100)) }
        let value = item.what == "output edge" ? max(item.size.width, item.size.height) : item.size.area
        #expect(refusal == .tooLarge(what: item.what, value: value, limit: item.limit))
        transform.oversize = .reduced
        let size = try RenderPlan(transform, of: Self.source(100, 100)).size
        let shape = Double(size.width) / Double(size.height)
        #expect(max(size.width, size.height) <= 8192 && size.area <= RenderLimits().outputPixels(item.format))
        #expect(abs(shape - Double(item.size.width) / Double(item.size.height)) < shape * 0.2)
    }

    @Test(arguments: [(100, 100, ImageFormat.avif), (4000, 3000, .webp), (5000, 4000, .png)])
    func `of several formats the first that can hold the picture is taken`(
        _ width: Int,
        _ height: Int,
        _ format: ImageFormat
    ) throws {
        let transform = Transform(format: .firstFitting([.avif, .webp]))
        let plan = try RenderPlan(transform, of: Self.source(width, height, alpha: true))
        #expect(plan.encodings.map(\.format) == [format])
    }

    @Test func `an animation stays one where a format can hold it`() throws {
        let plan = try RenderPlan(Transform(format: .firstFitting([.avif])), of: Self.source(60, 40, .gif, frames: 3))
        #expect(plan.encodings.map(\.format) == [.gif] && plan.frames == .all(3))
    }

    @Test func `of several formats those that cannot hold the picture are left out`() throws {
        let transform = Transform(format: .fewestBytes([.avif, .webp]))
        let plan = try RenderPlan(transform, of: Self.source(4000, 3000, alpha: true))
        #expect(plan.encodings.map(\.format) == [.webp, .png])
        #expect(plan.hasAlpha)
    }

    @Test(arguments: [
        (Transform.Frames.all, ImageFormat.gif, RenderPlan.Frames.all(3)), (.all, .webp, .all(3)),
        (.all, .jpeg, .primary),
        (.first, .gif, .primary), (.only(2), .gif, .one(1)), (.only(9), .jpeg, .one(2)),
    ])
    func `frames stay where the output can be animated`(
        _ frames: Transform.Frames,
        _ format: ImageFormat,
        _ planned: RenderPlan.Frames
    ) throws {
        var transform = Transform(format: .fixed(format))
        transform.frames = frames
        #expect(try RenderPlan(transform, of: Self.source(60, 40, .gif, frames: 3)).frames == planned)
    }

    @Test func `all frames together may be no more than may be decoded`() throws {
        var transform = Transform(resize: Transform.Resize(.fill, width: .pixels(1000), height: .pixels(1000)))
        transform.resize.enlarge = true
        let source = Self.source(60, 40, .gif, frames: 200)
        #expect(
            throws: RenderRefusal.tooLarge(
                what: "output pixels of all frames",
                value: 200_000_000,
                limit: 100_000_000
            )
        ) { try RenderPlan(transform, of: source) }
        transform.resize.width = .percent(1000)
        transform.oversize = .reduced
        let plan = try RenderPlan(transform, of: source)
        #expect(plan.size.area * 200 <= 100_000_000 && plan.frames == .all(200))
    }

    @Test func `the smallest of an animation is an animation`() throws {
        let plan = try RenderPlan(Transform(format: .fewestBytes([.webp])), of: Self.source(60, 40, .gif, frames: 3))
        #expect(plan.encodings.map(\.format) == [.webp, .gif] && plan.frames == .all(3))
    }

    @Test func `a tilt is enlarged until its corners are covered`() throws {
        var transform = Transform()
        transform.tilt = 90
        let plan = try RenderPlan(transform, of: Self.source(600, 400))
        #expect(plan.steps.last == .tilt(degrees: 90, enlarged: PixelSize(width: 900, height: 600)))
        #expect(plan.size == PixelSize(width: 600, height: 400))
    }

    @Test func `padding goes around and shrinks with everything else`() throws {
        var transform = Transform()
        transform.padding = Transform.Padding(top: 10, right: 20, bottom: 30, left: 40)
        let plan = try RenderPlan(transform, of: Self.source(100, 100, alpha: true))
        #expect(plan.steps.last == .embed(PixelSize(width: 160, height: 140), x: 40, y: 10, .colour(.transparent)))
        transform.padding = Transform.Padding(top: 0, right: 8192, bottom: 0, left: 8192)
        transform.oversize = .reduced
        #expect(try RenderPlan(transform, of: Self.source(100, 100)).size.width <= 8192)
    }

    @Test func `a mask takes its own colour where alpha cannot stay`() throws {
        var transform = Transform(format: .fixed(.jpeg))
        transform.mask = Transform.Mask(.corners(nil), background: Transform.Colour(red: 1, green: 2, blue: 3))
        let plan = try RenderPlan(transform, of: Self.source(100, 50, alpha: true))
        #expect(
            plan.steps.suffix(3) == [
                .paintBehind(.colour(.white)), .mask(.corners([5, 5, 5, 5])),
                .paintBehind(.colour(Transform.Colour(red: 1, green: 2, blue: 3))),
            ]
        )
    }

    @Test func `a description written without orientation is upright`() throws {
        let text = #"{"format":"png","size":{"width":3,"height":2},"frames":1,"hasAlpha":true}"#
        let read = try JSONDecoder().decode(SourceDescription.self, from: Data(text.utf8))
        #expect(read == Self.source(3, 2, alpha: true) && read.orientation == 1 && read.isLossless)
        let turned = Self.source(3, 2, .jpeg, orientation: 6)
        #expect(try JSONDecoder().decode(SourceDescription.self, from: JSONEncoder().encode(turned)) == turned)
    }
}
