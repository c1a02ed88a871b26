import RenditionModel
import TestSupport
import Testing

@testable import RenditionImaging

@Suite struct PlaceholderTests {
    @Test(arguments: [(1, 1), (24, 16), (150, 100), (1024, 683), (3, 900)], ImageFormat.outputs)
    func `a placeholder has exactly the size and format that were asked for`(size: (Int, Int), format: ImageFormat)
        throws
    {
        let size = PixelSize(width: size.0, height: size.1)
        let (reply, bytes) = try perform(.placeholder(size, format), on: nil)
        #expect(reply == .rendered(RenderedPicture(format: format, size: size)))
        #expect(bytes.withUnsafeBytes { ImageFormat(signature: $0) } == format)
        let pixels = try Pixels(bytes)
        #expect(pixels.size == size)
        #expect(difference(Array(pixels[0, 0].prefix(3)), [233, 236, 239]) <= 4)
        #expect(bytes.count < 16_000)
    }

    @Test func `the sign of a picture is in its middle`() throws {
        let bytes = try perform(.placeholder(PixelSize(width: 300, height: 200), .png), on: nil).bytes
        let pixels = try Pixels(bytes)
        let darkest = (0..<300).min { pixels[$0, 100][0] < pixels[$1, 100][0] } ?? 0
        #expect(pixels[darkest, 100][0] < 200)
        #expect((100...200).contains(darkest))
    }
}
