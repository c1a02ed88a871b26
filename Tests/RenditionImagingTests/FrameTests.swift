import RenditionModel
import TestSupport
import Testing

@testable import RenditionImaging

@Suite struct FrameTests {
    /// A canvas of 100 × 100, whose first frame is a red square of 10 × 10 at (45, 45) and whose second is a blue one.
    static let partial: [UInt8] = {
        let palette: [UInt8] = [255, 0, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0]
        let header = Array("GIF89a".utf8) + [100, 0, 100, 0, 0x81, 2, 0] + palette
        func frame(_ colour: Int) -> [UInt8] {
            let place: [UInt8] = [0x2C, 45, 0, 45, 0, 10, 0, 10, 0, 0, 2]
            // Clearing the table before every second pixel keeps all codes at three bits.
            let codes = (0..<50).flatMap { _ in [4, colour, colour] } + [5]
            var bits: [Int] = codes.flatMap { code in (0..<3).map { code >> $0 & 1 } }
            while bits.count % 8 != 0 { bits.append(0) }
            let data = stride(from: 0, to: bits.count, by: 8).map { start in
                UInt8((0..<8).reduce(0) { $0 | bits[start + $1] << $1 })
            }
            return [0x21, 0xF9, 4, 0, 10, 0, 0, 0] + place + [UInt8(data.count)] + data + [0]
        }
        return header + frame(0) + frame(1) + [0x3B]
    }()

    @Test func `a still of a partial first frame has the canvas's size, and the frame its place`() throws {
        let (picture, bytes) = try render(Self.partial, as: .png)
        #expect(picture.frames == 1)
        #expect(picture.source?.frames == 2)
        let pixels = try Pixels(bytes)
        #expect(pixels.size == PixelSize(width: 100, height: 100))
        #expect(Array(pixels[50, 50].prefix(3)) == [255, 0, 0])
        #expect(Array(pixels[45, 45].prefix(3)) == [255, 0, 0])
        for (x, y) in [(44, 50), (55, 50), (5, 5), (99, 99)] { #expect(pixels[x, y] != pixels[50, 50]) }
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
