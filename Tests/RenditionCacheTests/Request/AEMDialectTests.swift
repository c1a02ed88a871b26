import Foundation
import TestSupport
import Testing

@testable import RenditionCache

@Suite struct AEMDialectTests {
    /// What a delivery address means; nil where the case is about the original's bytes or an unknown asset.
    private static func transform(_ item: ImageCase) throws -> Transform? {
        let target = try RequestTarget(Array("\(item.path ?? "")?\(item.params)".utf8))
        let segments = target.segments.map(String.init)
        let last = segments.last ?? ""
        let suffix = last.split(separator: ".", omittingEmptySubsequences: false).last.map(String.init) ?? ""
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

    /// The cases that a path, a query and a header decide; the rest is about originals and unknown assets.
    static let decided = (ImageCase.aem + ImageCase.aemPhotos).filter { item in
        item.expect.identicalBytes == nil && item.expect.status != 404
    }

    @Test func `all cases are there`() {
        #expect(ImageCase.aem.count == 140)
        #expect(ImageCase.aemPhotos.count == 91)
        // Fifteen want the original's bytes, three an asset that is not there.
        #expect(Self.decided.count == 140 + 91 - 18)
    }

    @Test(arguments: decided)
    func `a delivery comes out as specified`(_ item: ImageCase) throws {
        let source = try #require(item.probed)
        if item.expect.status == 400 {
            #expect(throws: RequestError.self) { try Self.transform(item) }
            return
        }
        let transform = try #require(try Self.transform(item)).negotiated(AcceptedTypes(item.accept))
        try expect(item, try RenderPlan(transform, of: source))
    }

    /// What `_assetTransform` asks for, as a canonical text would have it; its keys are AEM's inputs.
    @Test(arguments: DynamicURL.cases)
    func `a dynamic URL means what its transform asked for`(_ item: DynamicURL) throws {
        let query = item.expect.query.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
        let target = try RequestTarget(Array("\(item.expect.path)?\(query)".utf8))
        let suffix = String(item.expect.path.split(separator: ".").last ?? "")
        let transform = try AEMDialect.transform(target, extension: suffix, surface: .webOptimized)
        let asked = item.assetTransform
        #expect(suffix == asked.format.lowercased())
        #expect(transform.isNegotiated == (asked.preferWebp == true))
        #expect("R\(transform.rotation.rawValue)" == asked.rotation ?? "R0")
        #expect(transform.flip.horizontal == (asked.flip?.contains("HORIZONTAL") ?? false))
        #expect(transform.flip.vertical == (asked.flip?.contains("VERTICAL") ?? false))
        #expect((transform.crop != nil) == (asked.crop != nil))
        if let crop = asked.crop {
            #expect(transform.crop?.x == .at(.pixels(crop.xOrigin)) && transform.crop?.y == .at(.pixels(crop.yOrigin)))
            #expect(transform.crop?.width == (crop.width ?? crop.height).map(Transform.Length.pixels))
            #expect(transform.crop?.height == (crop.height ?? crop.width).map(Transform.Length.pixels))
        }
        if let size = asked.size {
            #expect(transform.resize.mode == .fill)
            #expect(transform.resize.width == (size.width ?? size.height).map(Transform.Length.pixels))
            #expect(transform.resize.height == (size.height ?? size.width).map(Transform.Length.pixels))
        } else if let width = asked.width {
            #expect(transform.resize.width == .pixels(width))
        }
    }

    @Test func `all dynamic URLs are there`() { #expect(DynamicURL.cases.count == 19) }

    @Test(arguments: ["cq5dam.web.9999.9999.jpeg", "cq5dam.web.1280.1280.webp", "original", ""])
    func `a rendition outside the standard set is none`(name: String) {
        #expect(AEMDialect.rendition(named: name) == nil)
    }

    struct Text: Sendable, CustomTestStringConvertible {
        var query: String
        var text: String
        var testDescription: String { query }
    }

    @Test(arguments: [
        Text(query: "width=640", text: "width=640&height=2048&quality=85"),
        Text(query: "width=640&preferwebp=true", text: "width=640&height=2048&preferwebp=true&quality=85"),
        Text(query: "width=4000&format=png", text: "width=2048&height=2048&format=png"),
        Text(
            query: "c=0p,0p,50p,50p&r=90&crop=1p,1p,2p,2p&base=3",
            text: "crop=1%,1%,2%,2%&rotate=90&quality=85&base=2048"
        ),
        Text(
            query: "size=40,30&width=7&format=webpll",
            text: "width=40&height=30&fit=fill&format=webp&quality=lossless&base=2048"
        ),
        Text(query: "sz=40,30&size=50,60", text: "width=50&height=60&fit=fill&quality=85&base=2048"),
        Text(query: "crop=1,2,3,4&flip=VERTICAL", text: "crop=1,2,3,4&flip=v&quality=85&base=2048&outside=ignored"),
        Text(query: "width=99999999999999999999999", text: "width=2048&height=2048&quality=85"),
        Text(query: "format=pjpg&quality=80", text: "width=2048&height=2048&format=jpeg&variant=progressive"),
    ])
    func `a text has one meaning`(_ item: Text) throws {
        #expect(try TransformDialect.aem.transform(query: item.query).canonicalText == item.text)
    }

    @Test(arguments: [
        "format=bmp", "width=0", "height=1.5", "size=1,2,3", "size=,1", "crop=1,2,3,4,5", "crop=nan,0,1,1",
        "crop=1p,2p,3p,4",
        "quality=", "quality=1000", "max-quality=0", "rotate=360", "flip=",
    ])
    func `what cannot be parsed is refused`(query: String) {
        #expect(throws: RequestError.self) { try TransformDialect.aem.transform(query: query) }
    }
}

/// Compares a plan with everything that a case says of size, format, frames and transparency.
func expect(_ item: ImageCase, _ plan: RenderPlan, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let expected = item.expect
    let encoding = try #require(plan.encodings.first, sourceLocation: sourceLocation)
    let tolerance = item.tolerancePx ?? 0
    if let width = expected.width {
        #expect(abs(plan.size.width - width) <= tolerance, "\(plan.size)", sourceLocation: sourceLocation)
    }
    if let height = expected.height {
        #expect(abs(plan.size.height - height) <= tolerance, "\(plan.size)", sourceLocation: sourceLocation)
    }
    let formats = (expected.formatOneOf ?? expected.format.map { [$0] } ?? []).compactMap { ImageFormat(name: $0) }
    if !formats.isEmpty { #expect(formats.contains(encoding.format), sourceLocation: sourceLocation) }
    if let frames = expected.frames { #expect(plan.frames.count == frames, sourceLocation: sourceLocation) }
    if let alpha = expected.alpha { #expect(plan.hasAlpha == alpha, sourceLocation: sourceLocation) }
    if let lossless = expected.lossless { #expect(encoding.isLossless == lossless, sourceLocation: sourceLocation) }
    if let isPalette = expected.palette {
        #expect((encoding.variant == .palette) == isPalette, sourceLocation: sourceLocation)
    }
    if let progressive = expected.progressive {
        #expect((encoding.variant == .progressive) == progressive, sourceLocation: sourceLocation)
    }
}

/// An `_assetTransform` and the address that it becomes.
struct DynamicURL: Decodable, Sendable, CustomTestStringConvertible {
    var id: String
    var assetTransform: Input
    var expect: Address
    var testDescription: String { id }

    struct Address: Decodable, Sendable {
        var path: String
        var query: [String: String]
    }

    struct Input: Decodable, Sendable {
        var format: String
        var width: Int?
        var preferWebp: Bool?
        var rotation: String?
        var flip: String?
        var crop: Rectangle?
        var size: Box?
    }

    struct Rectangle: Decodable, Sendable {
        var xOrigin: Int
        var yOrigin: Int
        var width: Int?
        var height: Int?
    }

    struct Box: Decodable, Sendable {
        var width: Int?
        var height: Int?
    }

    private struct File: Decodable {
        var cases: [DynamicURL]
    }

    /// Empty where the file cannot be read, which no test takes for a pass.
    static let cases: [DynamicURL] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let data = try? Data(contentsOf: folder.appendingPathComponent("Fixtures/aem/dynamic-url-cases.json"))
        return data.flatMap { try? JSONDecoder().decode(File.self, from: $0) }?.cases ?? []
    }()
}
