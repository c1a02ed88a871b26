import TestSupport
import Testing

@testable import RenditionModel

@Suite struct RenderMemoryTests {
    private func memory(_ beginning: [UInt8], _ task: RenderJob.Task) -> Int {
        beginning.withUnsafeBytes { RenderJob(task, limits: RenderLimits()).memoryBytes(beginning: $0) }
    }

    private static func jpeg(_ width: Int, _ height: Int, frame: UInt8 = 0xC0) -> [UInt8] {
        let size = [height, width].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        let segment = TestJPEG.segment(frame, [8] + size + [3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1])
        return [0xFF, 0xD8] + TestJPEG.orientation(6) + segment + TestJPEG.segment(0xDA, [1, 1, 0, 0, 63, 0])
    }

    @Test func `the size is found where each format has it`() {
        func header(_ bytes: [UInt8]) -> PictureHeader? { bytes.withUnsafeBytes { PictureHeader($0) } }
        #expect(header(Self.jpeg(4000, 3000))?.size == PixelSize(width: 4000, height: 3000))
        #expect(header(Self.jpeg(4000, 3000))?.isWhole == false)
        #expect(header(Self.jpeg(40, 30, frame: 0xC2))?.isWhole == true)
        #expect(header(TestPNG.promising(300, 70))?.size == PixelSize(width: 300, height: 70))
        let riff = Array("RIFF\0\0\0\0WEBP".utf8)
        let lossy = riff + Array("VP8 ".utf8) + [0, 0, 0, 0, 0, 0, 0, 0x9D, 0x01, 0x2A, 0x40, 0x01, 0xC8, 0x00]
        #expect(header(lossy)?.size == PixelSize(width: 320, height: 200))
        let lossless = riff + Array("VP8L".utf8) + [0, 0, 0, 0, 0x2F, 0x3F, 0xC1, 0x31, 0, 0, 0, 0]
        #expect(header(lossless)?.size == PixelSize(width: 320, height: 200))
        let extended = riff + Array("VP8X".utf8) + [10, 0, 0, 0, 0x10, 0, 0, 0, 0x3F, 1, 0, 0xC7, 0, 0]
        #expect(header(extended)?.size == PixelSize(width: 320, height: 200))
        #expect(header(extended)?.hasAlpha == true)
        var moving = extended
        moving[20] |= 0x02
        #expect(header(moving) == nil)
        for bytes in [Self.jpeg(40, 30), TestPNG.promising(9, 9), lossy, lossless, extended] {
            for count in 0..<bytes.count { _ = header(Array(bytes.prefix(count))) }
        }
    }

    @Test func `a small rendition of a large photograph needs little, a large one of noise much`() {
        let photograph = Self.jpeg(4000, 3000)
        let small = memory(photograph, .render(Transform(resize: .inside(width: 640, height: nil))))
        #expect(small < 100_000_000)
        let progressive = memory(
            Self.jpeg(4000, 3000, frame: 0xC2),
            .render(Transform(resize: .inside(width: 640, height: nil)))
        )
        #expect(progressive - small > 80_000_000)
        let whole = memory(photograph, .render(Transform(format: .fixed(.webp))))
        #expect((300_000_000...600_000_000).contains(whole))
        #expect(memory(photograph, .probe) < 100_000_000)
        #expect(memory([], .placeholder(PixelSize(width: 640, height: 480), .avif)) < 100_000_000)
    }

    @Test func `what cannot be told counts as all that is allowed, what is refused as nothing`() {
        let render = RenderJob.Task.render(Transform(resize: .inside(width: 64, height: nil)))
        let most = RenderLimits().jobBytes
        for bytes in [Array("GIF89a".utf8), [], [0xFF, 0x0A], Array("<svg".utf8), [0xFF, 0xD8, 0xFF, 0xE0]] {
            #expect(memory(bytes, render) == most)
        }
        var trimming = Transform()
        trimming.trim = 10
        #expect(memory(Self.jpeg(40, 30), .render(trimming)) == most)
        #expect(memory(TestPNG.promising(30_000, 30_000), .render(Transform())) < 100_000_000)
        #expect(memory(Self.jpeg(8000, 8000, frame: 0xC2), .render(Transform(format: .fixed(.png)))) == most)
    }
}
