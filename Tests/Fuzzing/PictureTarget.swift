@testable import RenditionModel

/// Everything that walks a picture's bytes before a decoder sees them.
enum Target: FuzzTarget {
    static func run(_ input: UnsafeRawBufferPointer) {
        let format = ImageFormat(signature: input)
        let beginning = UnsafeRawBufferPointer(rebasing: input.prefix(ImageFormat.signatureBytes))
        expect(ImageFormat(signature: beginning) == format, "the beginning tells the format")
        if format == nil { expect(!RenderRefusal.unknownFormat(input).description.isEmpty, "a refusal says why") }
        for format in ImageFormat.allCases { walk(input, as: format) }
        if let header = PictureHeader(input) {
            expect(header.size.width > 0 && header.size.height > 0, "no picture is empty")
            expect(header.format == format, "a header belongs to its format")
        }
        estimate(input)
    }

    private static func walk(_ bytes: UnsafeRawBufferPointer, as format: ImageFormat) {
        let structure = SourceStructure(of: bytes, format: format)
        expect(structure.wholeBytes >= 0, "\(format): whole blocks are counted")
        if structure.end == .complete {
            expect(structure.wholeBytes <= bytes.count + 1, "\(format): what is complete is there")
        }
        expect(structure.frames ?? 0 >= 0 && structure.scans ?? 0 >= 0, "\(format): frames and scans are counted")
    }

    private static func estimate(_ bytes: UnsafeRawBufferPointer) {
        var cropped = Transform(resize: .inside(width: 300, height: nil), format: .auto(avif: true))
        cropped.crop = Transform.Crop(x: .middle, y: .end, width: .percent(33), height: .pixels(70), outside: .clipped)
        let tasks: [RenderJob.Task] = [
            .probe, .placeholder(PixelSize(width: 30, height: 20), .png), .render(Transform()), .render(cropped),
        ]
        for task in tasks {
            let job = RenderJob(task, limits: RenderLimits())
            let estimate = job.memoryBytes(beginning: bytes)
            expect((1...job.limits.jobBytes).contains(estimate), "\(estimate) bytes for \(task)")
        }
    }

    static func seeds(fixtures: String) throws -> [[UInt8]] { SeedPictures.all }
}
