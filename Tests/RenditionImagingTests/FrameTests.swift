import RenditionModel
import TestSupport
import Testing

@testable import RenditionImaging

@Suite struct FrameTests {
    private static func rect(_ x: Int, _ y: Int, _ side: Int) -> PixelRect {
        PixelRect(x: x, y: y, size: PixelSize(width: side, height: side))
    }

    /// Three frames with every kind of disposal; the second is cleared before the third is drawn.
    static let disposing = TestGIF(
        canvas: PixelSize(width: 20, height: 20),
        frames: [
            TestGIF.Frame(rect: rect(0, 0, 20), colour: 0, disposal: 1, delay: 0),
            TestGIF.Frame(rect: rect(5, 5, 10), colour: 1, disposal: 2, delay: 5),
            TestGIF.Frame(rect: rect(2, 2, 6), colour: 2, disposal: 3, delay: 100),
            TestGIF.Frame(rect: rect(18, 18, 2), colour: 3, disposal: 1, delay: 1),
        ],
        repeats: 2
    )

    /// What a player shows at that place, with alpha.
    private static func shown(_ frame: Int, _ x: Int, _ y: Int) -> [Int] {
        let (red, clear) = ([255, 0, 0, 255], [0, 0, 0, 0])
        let isInGreen = (5..<15).contains(x) && (5..<15).contains(y)
        let isInBlue = (2..<8).contains(x) && (2..<8).contains(y)
        switch frame {
        case 0: return red
        case 1: return isInGreen ? [0, 255, 0, 255] : red
        case 2: return isInBlue ? [0, 0, 255, 255] : isInGreen ? clear : red
        default: return x >= 18 && y >= 18 ? [128, 128, 128, 255] : isInGreen ? clear : red
        }
    }

    @Test(arguments: [ImageFormat.gif, .webp], [false, true])
    func `A09: offsets, disposal, delays and plays of an animation are kept`(format: ImageFormat, isFlipped: Bool)
        throws
    {
        var transform = Transform(format: .fixed(format), quality: format == .webp ? .lossless : nil)
        if isFlipped { transform.flip = Transform.Flip(vertical: true) }
        let (reply, bytes) = try perform(.render(transform), on: Self.disposing.bytes)
        guard case .rendered(let picture) = reply else { Issue.record("\(reply)"); return }
        #expect(picture.frames == 4)
        let animation = try Animation(bytes)
        // A delay of 10 ms or less is what browsers make of it.
        #expect(animation.timing == Timing(delays: [100, 50, 1000, 100], plays: 3, frames: 4))
        for (index, frame) in animation.frames.enumerated() {
            try #require(frame.bands == 4)
            for y in 0..<20 {
                for x in 0..<20 {
                    let (found, wanted) = (frame[x, isFlipped ? 19 - y : y], Self.shown(index, x, y))
                    #expect(
                        found[3] == wanted[3] && (wanted[3] == 0 || difference(found, wanted) <= 2),
                        "\(index): \(x) \(y)"
                    )
                }
            }
        }
    }

    @Test(arguments: [ImageFormat.gif, .webp])
    func `every step of a plan respects frames`(format: ImageFormat) throws {
        var transform = Transform(
            resize: Transform.Resize(.pad, width: .pixels(30), height: .pixels(30)),
            format: .fixed(format),
            quality: format == .webp ? .lossless : nil
        )
        transform.rotation = .right
        transform.crop = Transform.Crop(x: .at(.pixels(0)), y: .at(.pixels(0)), width: .pixels(20), height: .pixels(10))
        transform.background = .colour(Transform.Colour(red: 9, green: 9, blue: 9))
        let (reply, bytes) = try perform(.render(transform), on: Self.disposing.bytes)
        guard case .rendered = reply else { Issue.record("\(reply)"); return }
        let animation = try Animation(bytes)
        #expect(animation.frames.count == 4)
        for (index, frame) in animation.frames.enumerated() {
            #expect(frame.size == PixelSize(width: 30, height: 30))
            #expect(difference(Array(frame[15, 2].prefix(3)), [9, 9, 9]) <= 2)
            #expect(difference(Array(frame[15, 27].prefix(3)), [9, 9, 9]) <= 2)
            // Turned right, the picture's left is on top: the crop keeps x 0...9 of it, bottom first.
            let wanted = Self.shown(index, 7, 3)
            #expect(difference(Array(frame[5 + 19 - 3, 10 + 7].prefix(3)), Array(wanted.prefix(3))) <= 2, "\(index)")
        }
    }

    @Test(arguments: [ImageFormat.png, .jpeg, .webp, .avif, .gif, .jxl])
    func `A10: a still of a partial first frame has the canvas's size, and the frame its place`(format: ImageFormat)
        throws
    {
        let partial = TestGIF(
            canvas: PixelSize(width: 100, height: 100),
            frames: [
                TestGIF.Frame(rect: Self.rect(45, 45, 10), colour: 0),
                TestGIF.Frame(rect: Self.rect(45, 45, 10), colour: 2),
            ]
        )
        var transform = Transform(format: .fixed(format))
        transform.frames = .first
        let (reply, bytes) = try perform(.render(transform), on: partial.bytes)
        guard case .rendered(let picture) = reply else { Issue.record("\(reply)"); return }
        #expect(picture.frames == 1)
        #expect(picture.source?.frames == 2)
        let pixels = try Pixels(bytes)
        #expect(pixels.size == PixelSize(width: 100, height: 100))
        #expect(difference(Array(pixels[50, 50].prefix(3)), [255, 0, 0]) <= 20)
        for (x, y) in [(40, 50), (60, 50), (5, 5), (99, 99)] {
            let outside = pixels[x, y]
            #expect(difference(Array(outside.prefix(3)), [255, 0, 0]) > 200 || outside.last == 0, "\(outside)")
        }
    }

    @Test(arguments: [ImageFormat.gif, .webp, .avif, .jpeg])
    func `A15: how many frames came out is said, and any one can be asked for`(format: ImageFormat) throws {
        let source = try Original(width: 40, height: 30, format: .webp, frames: 2).bytes()
        let all = try render(source, as: format).picture
        #expect(all.source?.frames == 2)
        #expect(all.frames == (format == .gif || format == .webp ? 2 : 1))
        var transform = Transform(format: .fixed(format))
        transform.frames = .only(2)
        let second = try Pixels(perform(.render(transform), on: source).bytes)
        #expect(difference(Array(second.at(0.2, 0.2).prefix(3)), [0, 255, 0]) <= 20)
    }

    static let corpus = [("anim-12f-300x200.webp", 12), ("anim-16f-240x180.gif", 16)]

    @Test(.enabled(if: Corpus.folder != nil), arguments: corpus, [ImageFormat.jpeg, .png, .avif, .jxl])
    func `where the format holds no animation, the first frame comes out, and says how many were dropped`(
        source: (name: String, frames: Int),
        format: ImageFormat
    ) throws {
        let (picture, bytes) = try render(Corpus.bytes(source.name), .automatic(width: 150), as: format)
        #expect(picture.frames == 1)
        #expect(picture.source?.frames == source.frames)
        #expect(try Pixels(bytes).size == picture.size)
        #expect(picture.size.height < 150, "one frame, not a strip of all")
    }

    @Test(.enabled(if: Corpus.folder != nil), arguments: corpus, [ImageFormat.gif, .webp])
    func `every frame comes out where the format can hold them, each as it would alone`(
        source: (name: String, frames: Int),
        format: ImageFormat
    ) throws {
        let bytes = try Corpus.bytes(source.name)
        let result = try render(bytes, .automatic(width: 150), as: format)
        #expect(result.picture.frames == source.frames)
        let animation = try Animation(result.bytes)
        #expect(animation.frames.count == source.frames)
        #expect(animation.timing == (try Animation(bytes).timing))
        for index in [0, source.frames / 2, source.frames - 1] {
            var transform = Transform(resize: .automatic(width: 150), format: .fixed(.png))
            transform.frames = .only(index + 1)
            let alone = try Pixels(perform(.render(transform), on: bytes).bytes)
            #expect(animation.frames[index].colours.distance(to: alone.colours) < 14, "frame \(index)")
        }
    }
}
