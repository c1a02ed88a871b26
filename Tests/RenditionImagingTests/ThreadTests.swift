import CVips
import RenditionModel
import TestSupport
import Testing

@testable import RenditionImaging

/// Promise 8: the same input and transform give the same bytes, at any number of threads.
@Suite struct ThreadTests {
    private static func transforms(_ format: ImageFormat) -> [Transform] {
        var worked = Transform(
            resize: Transform.Resize(.cover, width: .pixels(200), height: .pixels(260)),
            format: .fixed(format)
        )
        worked.tilt = 12
        worked.adjustments.saturation = 30
        worked.effects.blur = 1.2
        worked.effects.sharpen = 1
        worked.mask = Transform.Mask(.ellipse)
        worked.border = Transform.Border(width: 3, colour: Transform.Colour(red: 9, green: 90, blue: 9, alpha: 128))
        var interesting = Transform(
            resize: Transform.Resize(.cover, width: .pixels(160), height: .pixels(60)),
            format: .fixed(format)
        )
        interesting.resize.position = .attention
        if format == .png { interesting.variant = .palette }
        return [Transform(resize: .inside(width: 300, height: nil), format: .fixed(format)), worked, interesting]
    }

    /// A picture with something in it: waves of three colours.
    private static let waves = TestPNG(420, 320, .rgba) { x, y in
        [(x * 3 + y) & 255, (x * x / 97 + y * 2) & 255, (x * y / 31) & 255, 255 - (x / 4 + y / 4) % 120]
    }

    @Test(arguments: ImageFormat.outputs)
    func `the bytes do not depend on the number of threads`(format: ImageFormat) throws {
        _ = try Renderer()
        defer { cvips_set_threads(1) }
        var sources = [Self.waves.bytes, try Original(width: 300, height: 200, format: .gif, frames: 3).bytes()]
        if Corpus.folder != nil {
            sources.append(try Corpus.bytes("photo-china-640x427.jpg"))
            sources.append(try Corpus.bytes("orient-6.jpg"))
        }
        for source in sources {
            for transform in Self.transforms(format) {
                var first: [UInt8]?
                for threads in [1, 2, 4, 8] {
                    cvips_set_threads(Int32(threads))
                    let (reply, bytes) = try perform(.render(transform), on: source)
                    guard case .rendered = reply else { Issue.record("\(reply)"); continue }
                    #expect(first == nil || first == bytes, "\(threads) threads, \(transform.canonicalText)")
                    first = first ?? bytes
                }
            }
        }
    }
}
