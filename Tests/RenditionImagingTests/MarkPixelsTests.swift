import RenditionModel
import TestSupport
import Testing

@testable import RenditionImaging

@Suite struct MarkPixelsTests {
    private static let red = [200, 0, 0]
    private static let blue = [0, 0, 200]

    private static func solid(_ width: Int, _ height: Int, _ colour: [Int]) -> [UInt8] {
        TestPNG(width, height, colour.count == 4 ? .rgba : .rgb) { _, _ in colour }.bytes
    }

    private static func transform(_ format: ImageFormat = .png, _ change: (inout Transform.Mark) -> Void = { _ in })
        -> Transform
    {
        var transform = Transform(format: .fixed(format))
        var mark = Transform.Mark("m")
        change(&mark)
        transform.mark = mark
        return transform
    }

    /// Every pixel is what the mark and the picture make of it there.
    private func expect(
        _ mark: [UInt8],
        on base: [UInt8] = solid(40, 30, blue),
        _ change: (inout Transform.Mark) -> Void = { _ in },
        pixel: (Int, Int) -> [Int],
        location: SourceLocation = #_sourceLocation
    ) throws {
        let (reply, bytes) = try perform(.render(Self.transform(.png, change)), on: base, mark: mark)
        guard case .rendered(let picture) = reply else {
            Issue.record("\(reply)", sourceLocation: location)
            return
        }
        #expect(picture.size == PixelSize(width: 40, height: 30), sourceLocation: location)
        let pixels = try Pixels(bytes)
        let wrong = (0..<30).flatMap { y in (0..<40).map { (x: $0, y: y) } }
            .filter { difference(pixels[$0.x, $0.y], pixel($0.x, $0.y)) > 1 }
        let first = wrong.first.map { place -> String in "\(place): \(pixels[place.x, place.y])" } ?? ""
        #expect(wrong.isEmpty, "\(wrong.count) pixels, first \(first)", sourceLocation: location)
    }

    private func inside(_ x: Int, _ y: Int, _ left: Int, _ top: Int, _ width: Int, _ height: Int) -> [Int] {
        (left..<left + width).contains(x) && (top..<top + height).contains(y) ? Self.red : Self.blue
    }

    @Test func `a mark lies where it belongs, and nowhere else`() throws {
        let mark = Self.solid(10, 8, Self.red)
        try expect(mark) { inside($0, $1, 25, 17, 10, 8) }
        try expect(mark, { ($0.horizontal, $0.vertical) = (-1, -1) }, pixel: { inside($0, $1, 5, 5, 10, 8) })
        try expect(mark, { ($0.x, $0.y) = (0, 22) }, pixel: { inside($0, $1, 0, 22, 10, 8) })
        try expect(
            mark,
            {
                $0.resize = Transform.Resize(.fill, width: .percent(50), height: .pixels(4))
                $0.resize.enlarge = true
            },
            pixel: { inside($0, $1, 15, 21, 20, 4) }
        )
    }

    @Test func `what passes an edge is cut off`() throws {
        let mark = Self.solid(10, 8, Self.red)
        try expect(mark, { ($0.x, $0.y) = (36, 27) }, pixel: { inside($0, $1, 36, 27, 10, 8) })
        try expect(mark, { ($0.x, $0.y) = (-4, -3) }, pixel: { inside($0, $1, -4, -3, 10, 8) })
        try expect(mark, { ($0.x, $0.y) = (40, 30) }, pixel: { _, _ in Self.blue })
        try expect(mark, { ($0.x, $0.y) = (8000, 8000) }, pixel: { _, _ in Self.blue })
        try expect(mark, { $0.padding = 25 }, pixel: { inside($0, $1, 5, -3, 10, 8) })
    }

    @Test func `a mark larger than the picture shows the part that is over it`() throws {
        // Its left half is red, its right half as the picture.
        let mark = TestPNG(100, 80) { x, _ in x < 60 ? Self.red : Self.blue }.bytes
        try expect(mark, { $0.padding = 0 }, pixel: { x, _ in x + 60 < 60 ? Self.red : Self.blue })
        try expect(mark, { ($0.x, $0.y) = (0, 0) }, pixel: { _, _ in Self.red })
        try expect(
            mark,
            { ($0.horizontal, $0.vertical) = (0, 0) },
            pixel: { x, _ in x + 30 < 60 ? Self.red : Self.blue }
        )
    }

    @Test func `a translucent mark lets the picture through`() throws {
        let half = [100, 0, 100]
        func pixel(_ x: Int, _ y: Int) -> [Int] { inside(x, y, 25, 17, 10, 8) == Self.red ? half : Self.blue }
        try expect(Self.solid(10, 8, Self.red), { $0.opacity = 0.5 }, pixel: pixel)
        try expect(Self.solid(10, 8, Self.red + [128]), pixel: pixel)
        try expect(Self.solid(10, 8, Self.red + [255]), { $0.opacity = 0.5 }, pixel: pixel)
        try expect(Self.solid(10, 8, Self.red + [0])) { _, _ in Self.blue }
    }

    @Test func `a transparent picture keeps its transparency around the mark`() throws {
        let clear = Self.solid(40, 30, Self.blue + [0])
        let (_, bytes) = try perform(.render(Self.transform()), on: clear, mark: Self.solid(10, 8, Self.red + [128]))
        let pixels = try Pixels(bytes)
        #expect(difference(pixels[30, 20], Self.red + [128]) <= 1, "premultiplied: no blue comes through")
        #expect(pixels[2, 2].last == 0)
    }

    @Test func `grey pictures and grey marks are in colour where the other is`() throws {
        let grey = TestPNG(40, 30, .grey) { _, _ in [90] }.bytes
        let (_, bytes) = try perform(.render(Self.transform()), on: grey, mark: Self.solid(10, 8, Self.red))
        #expect(try Pixels(bytes)[30, 20] == Self.red)
        let mark = TestPNG(10, 8, .greyAlpha) { _, _ in [90, 255] }.bytes
        try expect(mark) { inside($0, $1, 25, 17, 10, 8) == Self.red ? [90, 90, 90] : Self.blue }
    }

    @Test func `every frame of an animation has the mark, which is one picture`() throws {
        let canvas = PixelSize(width: 40, height: 30)
        func animation(_ colours: [Int]) -> [UInt8] {
            TestGIF(canvas: canvas, frames: colours.map { .init(rect: PixelRect(canvas), colour: $0) }, repeats: 3)
                .bytes
        }
        let (reply, bytes) = try perform(
            .render(Self.transform(.gif)),
            on: animation([1, 2, 3]),
            mark: Self.solid(10, 8, [255, 0, 0])
        )
        guard case .rendered(let picture) = reply else { throw StepFailure("\(reply)") }
        #expect(picture.frames == 3)
        let frames = try Animation(bytes).frames
        #expect(frames.count == 3)
        for (frame, colour) in zip(frames, [1, 2, 3]) {
            #expect(difference(Array(frame[30, 20].prefix(3)), [255, 0, 0]) <= 8)
            #expect(difference(Array(frame[3, 3].prefix(3)), TestGIF.colours[colour]) <= 8)
        }
        try expect(animation([0, 1]), { $0.padding = 0 }, pixel: { _, _ in [255, 0, 0] })
    }

    @Test func `a mark is held to the limits of a source, and both together to those of one`() throws {
        let base = Self.solid(40, 30, Self.blue)
        func reply(_ mark: [UInt8]?, _ limits: RenderLimits = RenderLimits()) throws -> RenderReply {
            try perform(.render(Self.transform()), on: base, mark: mark, limits: limits).reply
        }
        #expect(try reply(nil) == .refused(.badJob("no mark came with it")))
        #expect(try reply(Array("<!DOCTYPE html><p>Sign in".utf8)) == .refused(.notAnImage))
        let cut = Self.solid(40, 30, Self.red).dropLast(2000)
        #expect(try reply(Array(cut)) == .refused(.truncated(format: .png)))
        let huge = TestPNG.promising(20_000, 20_000)
        let pixels = RenderRefusal.tooLarge(what: "source pixels", value: 400_000_000, limit: 100_000_000)
        #expect(try reply(huge) == .refused(pixels))
        let both = RenderRefusal.tooLarge(what: "pixels of the source and its mark", value: 2400, limit: 2399)
        let mark = Self.solid(40, 30, Self.red)
        #expect(try reply(mark, RenderLimits(sourcePixels: 2399)) == .refused(both))
        guard case .rendered = try reply(mark, RenderLimits(sourcePixels: 2400)) else {
            Issue.record("refused")
            return
        }
    }
}
