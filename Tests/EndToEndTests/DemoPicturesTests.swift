import CVips
import Foundation
import RenditionImaging
import RenditionModel
import TestSupport
import Testing

@testable import rcache

@Suite struct DemoPicturesTests {
    /// How far a decoder may be from what was painted, in decibels.
    struct Fidelity: Sendable, CustomTestStringConvertible {
        let width: Int, height: Int, quality: Int, decibels: Double
        var testDescription: String { "\(width) × \(height) at quality \(quality)" }
    }

    @Test(arguments: [
        Fidelity(width: 320, height: 240, quality: 88, decibels: 38),
        Fidelity(width: 251, height: 163, quality: 88, decibels: 38),
        Fidelity(width: 320, height: 240, quality: 30, decibels: 32),
        Fidelity(width: 1, height: 1, quality: 88, decibels: 35),
    ])
    func `a JPEG decodes to what was painted`(_ expected: Fidelity) throws {
        let canvas = painted(expected.width, expected.height, DemoScenes.ridges)
        let decoded = try decode(DemoJPEG.encode(canvas, quality: expected.quality), loader: "jpeg")
        #expect((decoded.width, decoded.height) == (expected.width, expected.height))
        let distance = meanSquare(decoded.pixels, samples(canvas, channels: 3))
        #expect(distance < 65025 / pow(10, expected.decibels / 10))
    }

    @Test func `a PNG decodes to exactly what was painted, alpha included`() throws {
        let canvas = painted(157, 157, DemoStudies.emblem)
        let decoded = try decode(DemoPNG.encode(canvas), loader: "png")
        #expect((decoded.width, decoded.height) == (157, 157))
        #expect(decoded.pixels == samples(canvas, channels: 4))
        #expect(decoded.pixels.contains { $0 != 0 })
    }

    @Test func `the folder holds twelve whole pictures, the same every time, and three files that are none`() throws {
        let first = try TemporaryFolder(), second = try TemporaryFolder()
        let names = try DemoPictures.write(to: first.path, scale: 0.05)
        #expect(try DemoPictures.write(to: second.path, scale: 0.05) == names)
        #expect(names.count == 12)
        for name in names {
            let bytes = try Data(contentsOf: URL(filePath: first.file(name)))
            #expect(try bytes == Data(contentsOf: URL(filePath: second.file(name))))
            let picture = try decode(Array(bytes), loader: name.hasSuffix(".png") ? "png" : "jpeg")
            #expect((60...120).contains(max(picture.width, picture.height)), "\(name)")
        }
        let others = Set(try FileManager.default.contentsOfDirectory(atPath: first.path)).subtracting(names)
        #expect(others == ["broken-transfer.jpg", "places.jpg", "readme.txt"])
        #expect(throws: Undecodable.self) {
            try decode(Array(Data(contentsOf: URL(filePath: first.file("broken-transfer.jpg")))), loader: "jpeg")
        }
        let text = try Data(contentsOf: URL(filePath: first.file("places.jpg")))
        #expect(text.withUnsafeBytes { ImageFormat(signature: $0) } == nil)
    }

    @Test func `a picture that is stored sideways says how to turn it upright`() throws {
        let canvas = painted(40, 60, DemoScenes.canyon)
        let turned = canvas.turnedLeft()
        #expect((turned.width, turned.height) == (60, 40))
        // Turned a quarter to the left, the upper right corner comes to the upper left.
        #expect(turned.pixels[0] == canvas.pixels[39])
        #expect(try decode(DemoJPEG.encode(turned, quality: 88, orientation: 6), loader: "jpeg").orientation == 6)
    }

    private struct Undecodable: Error {}

    private struct Decoded {
        let width: Int, height: Int, orientation: Int
        let pixels: [UInt8]
    }

    private func painted(_ width: Int, _ height: Int, _ scene: (inout DemoCanvas, inout DemoRandom) -> Void)
        -> DemoCanvas
    {
        var canvas = DemoCanvas(width: width, height: height), random = DemoRandom(seed: 3)
        scene(&canvas, &random)
        return canvas
    }

    private func samples(_ canvas: DemoCanvas, channels: Int) -> [UInt8] {
        (0..<canvas.height).flatMap { row in
            (0..<canvas.width).flatMap { column in
                let sample = canvas.sample(column, row)
                return (0..<channels).map { UInt8(sample[$0] + 0.5) }
            }
        }
    }

    private func meanSquare(_ left: [UInt8], _ right: [UInt8]) -> Double {
        guard left.count == right.count else { return .infinity }
        return zip(left, right).reduce(0.0) { $0 + pow(Double($1.0) - Double($1.1), 2) } / Double(left.count)
    }

    /// Decodes with libvips, which refuses any damage.
    private func decode(_ bytes: [UInt8], loader: String) throws -> Decoded {
        _ = try Renderer()
        return try bytes.withUnsafeBytes { bytes in
            var opened: OpaquePointer?
            guard cvips_load(loader, bytes.baseAddress, bytes.count, nil, 0, &opened) == 0, let image = opened else {
                throw Undecodable()
            }
            defer { cvips_unref(image) }
            var count = 0
            guard let pixels = cvips_pixels(image, &count) else { throw Undecodable() }
            defer { cvips_free(pixels) }
            return Decoded(
                width: Int(cvips_width(image)),
                height: Int(cvips_height(image)),
                orientation: Int(cvips_metadata(image, "orientation", 1)),
                pixels: Array(UnsafeRawBufferPointer(start: pixels, count: count))
            )
        }
    }
}
