import RenditionModel
import TestSupport
import Testing

@testable import RenditionImaging

@Suite struct GeometryTests {
    /// Red, green, blue and grey corners, told apart after any turn.
    static let corners = TestJPEG(10, 6) { x, y in
        switch (x < 5, y < 3) {
        case (true, true): [76, 85, 255]
        case (false, true): [150, 44, 21]
        case (true, false): [29, 255, 107]
        case (false, false): [200, 128, 128]
        }
    }

    @Test(arguments: 1...8, [ImageFormat.jpeg, .png, .webp, .avif])
    func `A04: every orientation comes out upright`(orientation: Int, format: ImageFormat) throws {
        var source = Self.corners
        source.segments = TestJPEG.orientation(UInt8(orientation))
        let (picture, bytes) = try render(source.bytes, .inside(width: 40, height: 40), as: format, quality: 95)
        let isTurned = orientation > 4
        let size = isTurned ? PixelSize(width: 24, height: 40) : PixelSize(width: 40, height: 24)
        #expect(picture.size == size)
        #expect(
            picture.source?.size == (isTurned ? PixelSize(width: 48, height: 80) : PixelSize(width: 80, height: 48))
        )

        let pixels = try Pixels(bytes)
        #expect(pixels.size == size)
        // Colours clockwise from the upper left corner, by EXIF's definition of the tag.
        let stored: [[Int]] = [[254, 0, 0], [0, 255, 1], [200, 200, 200], [0, 0, 254]]
        let turns: [[Int]] = [
            [0, 1, 2, 3], [1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0], [0, 3, 2, 1], [3, 0, 1, 2], [2, 1, 0, 3],
            [1, 2, 3, 0],
        ]
        let places = [(0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8)]
        for (place, index) in zip(places, turns[orientation - 1]) {
            #expect(difference(pixels.at(place.0, place.1), stored[index]) < 12, "corner \(place)")
        }
    }

    @Test(arguments: [1, 3, 6], [8, 16])
    func `a TIFF comes out upright and in its colours`(orientation: Int, depth: Int) throws {
        let source = TestTIFF(width: 40, height: 24, depth: depth, orientation: orientation) { x, y in
            x < 20 ? (y < 12 ? [255, 0, 0] : [0, 0, 255]) : [0, 255, 0]
        }
        let (picture, bytes) = try render(source.bytes, .inside(width: 20, height: 20), as: .png)
        #expect(picture.source?.format == .tiff)
        #expect(
            picture.size == (orientation == 6 ? PixelSize(width: 12, height: 20) : PixelSize(width: 20, height: 12))
        )
        let pixels = try Pixels(bytes)
        let upperLeft = [1: [255, 0, 0], 3: [0, 255, 0], 6: [0, 0, 255]]
        #expect(difference(pixels.at(0.2, 0.2), try #require(upperLeft[orientation])) <= 2)
        // Cut short, it is no picture.
        #expect(throws: RenderRefusal.self) { try render(Array(source.bytes.dropLast(600)), as: .png) }
    }

    @Test(arguments: 1...8)
    func `A05: a part is cut from the upright picture`(orientation: Int) throws {
        var source = Self.corners
        source.segments = TestJPEG.orientation(UInt8(orientation))
        let whole = try Pixels(render(source.bytes, as: .png).bytes)
        for (x, y) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            var transform = Transform(resize: .inside(width: 16, height: nil), format: .fixed(.png))
            transform.crop = Transform.Crop(
                x: .at(.percent(Double(x) * 50)),
                y: .at(.percent(Double(y) * 50)),
                width: .percent(50),
                height: .percent(50)
            )
            let pixels = try Pixels(perform(.render(transform), on: source.bytes).bytes)
            let wanted = whole.at(0.25 + 0.5 * Double(x), 0.25 + 0.5 * Double(y))
            for place in [(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)] {
                #expect(difference(pixels.at(place.0, place.1), wanted) <= 6, "\(x) \(y) \(place)")
            }
        }
    }

    struct SizeCase: Sendable, CustomTestStringConvertible {
        let source: PixelSize
        let resize: Transform.Resize
        let output: PixelSize
        var testDescription: String { "\(source) \(resize) → \(output)" }

        init(_ width: Int, _ height: Int, _ resize: Transform.Resize, _ outWidth: Int, _ outHeight: Int) {
            source = PixelSize(width: width, height: height)
            self.resize = resize
            output = PixelSize(width: outWidth, height: outHeight)
        }
    }

    static let sizes: [SizeCase] = [
        SizeCase(180, 4, .inside(width: 25, height: 25), 25, 1),
        SizeCase(4, 180, .inside(width: 25, height: 25), 1, 25),
        SizeCase(1000, 3, .inside(width: 10, height: nil), 10, 1),
        SizeCase(3, 1000, .inside(width: nil, height: 7), 1, 7),
        SizeCase(1, 1, .inside(width: 50, height: 50), 1, 1),
        SizeCase(640, 427, .automatic(width: 150), 150, 100),
        SizeCase(640, 427, .inside(width: 150, height: nil), 150, 100),
        SizeCase(101, 67, .inside(width: 33, height: nil), 33, 22),
        SizeCase(101, 67, .inside(width: 100, height: nil), 100, 66),
        SizeCase(333, 500, .inside(width: nil, height: 499), 332, 499),
        SizeCase(100, 50, .inside(width: 400, height: 400), 100, 50),
        SizeCase(2000, 1, .automatic(width: 150), 150, 1),
        SizeCase(777, 333, .none, 777, 333),
    ]

    @Test(arguments: sizes, [ImageFormat.jpeg, .png, .webp])
    func `A11: a picture, however flat, has exactly the size that the transform says`(
        size: SizeCase,
        format: ImageFormat
    ) throws {
        let source = TestPNG(size.source.width, size.source.height) { x, y in [x & 255, y & 255, 90] }
        let first = try render(source.bytes, as: format)
        let (picture, bytes) = try render(first.bytes, size.resize, as: format)
        #expect(picture.size == size.output)
        #expect(try Pixels(bytes).size == size.output)
    }

    @Test(arguments: [(33, 17), (1, 1), (2, 3), (15, 16), (65, 64)])
    func `A14: AVIF keeps odd sizes and its alpha`(width: Int, height: Int) throws {
        let source = TestPNG(width, height, .rgba) { x, _ in [200, 60, 30, x * 255 / max(1, width - 1)] }
        let (_, bytes) = try render(source.bytes, as: .avif)
        let pixels = try Pixels(bytes)
        #expect(pixels.size == PixelSize(width: width, height: height))
        for x in stride(from: 0, to: width, by: 4) where width > 1 {
            #expect(abs((pixels[x, height / 2].last ?? 0) - x * 255 / (width - 1)) <= 2, "at \(x)")
        }
        let (_, again) = try render(bytes, .inside(width: 20, height: 20), as: .png)
        #expect(try Pixels(again).size.width == min(20, width))
    }

    @Test func `shrinking while decoding gives the same picture as shrinking afterwards`() throws {
        let source = TestPNG(640, 480) { x, y in
            [128 + Int(90 * wave(x, 57)), 128 + Int(90 * wave(y, 61)), 128 + Int(90 * wave(x + y, 91))]
        }
        for format in [ImageFormat.jpeg, .webp] {
            let large = try render(source.bytes, as: format, quality: 95).bytes
            let early = try Pixels(render(large, .inside(width: 95, height: nil), as: .png).bytes)
            let detour = try render(large, as: .png).bytes
            let late = try Pixels(render(detour, .inside(width: 95, height: nil), as: .png).bytes)
            #expect(early.distance(to: late) < 2, "\(format): \(early.distance(to: late))")
        }
    }
}

/// A wave of that period, in pixels.
private func wave(_ position: Int, _ period: Int) -> Double {
    // A parabola a half period, close enough to a sine.
    let phase = Double(position % period) / Double(period) * 2 - 1
    return 4 * phase * (1 - abs(phase))
}
