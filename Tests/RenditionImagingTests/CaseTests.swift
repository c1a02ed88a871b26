import RenditionModel
import TestSupport
import Testing

@testable import RenditionCache
@testable import RenditionImaging

/// The dialects' cases, each through the real renderer: size, format, frames and alpha exactly, pixels by distance.
@Suite struct CaseTests {
    static let aem = (ImageCase.aem + ImageCase.aemPhotos).filter {
        $0.expect.status == 200 && $0.expect.identicalBytes == nil
    }
    static let microCMS = ImageCase.microCMS.filter { item in
        item.expect.status == 200 && item.expect.passthrough == nil
            && !["json", "blurhash"].contains(item.expect.format)
    }

    @Test func `the cases are there`() {
        #expect(Self.aem.count > 180)
        #expect(Self.microCMS.count > 130)
    }

    @Test(arguments: aem)
    func `an AEM delivery is rendered as specified`(_ item: ImageCase) throws {
        guard let original = try item.original() else { return }
        let transform = try #require(try Self.transform(item)).negotiated(AcceptedTypes(item.accept))
        try check(item, transform, original)
    }

    @Test(arguments: microCMS)
    func `a microCMS picture is rendered as specified`(_ item: ImageCase) throws {
        guard let original = try item.original() else { return }
        switch try MicroCMSDialect.request(query: item.params).outcome {
        case .transform(let transform): try check(item, transform, original)
        case .untouched:
            let format = original.withUnsafeBytes { ImageFormat(signature: $0) }
            #expect(format == ImageFormat(name: item.expect.format ?? ""))
        case .information, .blurHash: Issue.record("no picture")
        }
    }

    private func check(_ item: ImageCase, _ transform: Transform, _ original: [UInt8]) throws {
        let (reply, bytes) = try perform(.render(transform), on: original)
        guard case .rendered(let picture) = reply else { Issue.record("\(reply)"); return }
        let expected = item.expect
        let animation = try Animation(bytes)
        let pixels = try #require(animation.frames.first)
        #expect(pixels.size == picture.size)
        let tolerance = item.tolerancePx ?? 0
        if let width = expected.width { #expect(abs(pixels.size.width - width) <= tolerance, "\(pixels.size)") }
        if let height = expected.height { #expect(abs(pixels.size.height - height) <= tolerance, "\(pixels.size)") }
        let formats = (expected.formatOneOf ?? expected.format.map { [$0] } ?? []).compactMap { ImageFormat(name: $0) }
        let format = try #require(bytes.withUnsafeBytes { ImageFormat(signature: $0) })
        #expect(format == picture.format)
        #expect(formats.isEmpty || formats.contains(format), "\(format)")
        if let frames = expected.frames { #expect(animation.frames.count == frames && picture.frames == frames) }
        if let alpha = expected.alpha { #expect((pixels.bands % 2 == 0) == alpha) }
        if let progressive = expected.progressive { #expect(Self.isProgressive(bytes) == progressive) }
        if let palette = expected.palette { #expect((bytes[25] == 3) == palette) }
        if let lossless = expected.lossless {
            #expect(bytes.withUnsafeBytes { SourceStructure(of: $0, format: format).isLossless } == lossless)
        }
        for pixel in expected.pixels ?? [] {
            let found = Array(pixels[pixel.x, pixel.y].prefix(3))
            #expect(difference(found, pixel.rgb) <= pixel.tol, "\(found) at \(pixel.x), \(pixel.y)")
        }
        for (corner, name) in expected.corners ?? [:] {
            let found = pixels.at(corner.hasSuffix("l") ? 0.1 : 0.9, corner.hasPrefix("t") ? 0.1 : 0.9)
            #expect(difference(Array(found.prefix(3)), try #require(Self.colours[name])) <= 40, "\(corner) \(found)")
        }
    }

    private static let colours = [
        "red": [255, 0, 0], "lime": [0, 255, 0], "yellow": [255, 255, 0], "blue": [0, 0, 255],
        "white": [255, 255, 255],
    ]

    /// SOF2 among the segments before the first scan.
    private static func isProgressive(_ bytes: [UInt8]) -> Bool {
        var offset = 2
        while offset + 4 < bytes.count, bytes[offset] == 0xFF, bytes[offset + 1] != 0xDA {
            if bytes[offset + 1] == 0xC2 { return true }
            offset += 2 + (Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3]))
        }
        return false
    }

    /// What a delivery address means.
    private static func transform(_ item: ImageCase) throws -> Transform? {
        let target = try RequestTarget(Array("\(item.path ?? "")?\(item.params)".utf8))
        let segments = target.segments.map(String.init)
        let suffix = segments.last?.split(separator: ".").last.map(String.init) ?? ""
        var regions: [String: Transform.Crop] = [:]
        for (name, region) in item.source?.smartcrops ?? [:] {
            regions[name] = AEMDialect.smartCrop(
                left: region.left,
                top: region.top,
                width: region.normalizedWidth,
                height: region.normalizedHeight
            )
        }
        if let rendition = segments.lastIndex(of: "renditions") {
            return AEMDialect.rendition(named: segments[rendition + 1])
        }
        if segments.starts(with: ["adobe", "dynamicmedia", "deliver"]) {
            return try AEMDialect.transform(target, extension: suffix, surface: .webOptimized)
        }
        guard segments.starts(with: ["adobe", "assets"]) else { return nil }
        guard segments.contains("as") else { return AEMDialect.convenience }
        return try AEMDialect.transform(target, extension: suffix, surface: .openAPI, smartCrops: regions)
    }
}
