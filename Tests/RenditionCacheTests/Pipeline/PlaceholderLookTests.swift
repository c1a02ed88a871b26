import Testing

@testable import RenditionCache

@Suite struct PlaceholderLookTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var query: String
        var accept: String?
        var source: SourceDescription?
        var mediaType: String?
        var width: Int
        var height: Int
        var format: ImageFormat
        var testDescription: String { "\(query) for \(accept ?? "nothing") of \(source?.format.rawValue ?? "nothing")" }

        init(
            _ query: String,
            accept: String? = nil,
            of source: SourceDescription? = nil,
            mediaType: String? = nil,
            _ width: Int,
            _ height: Int,
            _ format: ImageFormat
        ) {
            self.query = query
            self.accept = accept
            self.source = source
            self.mediaType = mediaType
            (self.width, self.height, self.format) = (width, height, format)
        }
    }

    private static let webp = SourceDescription(format: .webp, size: PixelSize(width: 800, height: 400))
    private static let glass = SourceDescription(
        format: .webp,
        size: PixelSize(width: 800, height: 400),
        hasAlpha: true
    )
    private static let film = SourceDescription(format: .gif, size: PixelSize(width: 80, height: 40), frames: 9)
    private static let wide = SourceDescription(format: .tiff, size: PixelSize(width: 20_000, height: 1000))

    @Test(arguments: [
        Case("width=400&format=auto", of: webp, 400, 200, .jpeg),
        Case("width=400&format=auto", accept: "image/webp", of: webp, 400, 200, .webp),
        Case("width=400&format=auto", of: glass, 400, 200, .png),
        Case("format=auto", of: film, 80, 40, .gif),
        Case("format=auto", accept: "image/webp", of: film, 80, 40, .webp),
        Case("width=400&format=smallest", of: webp, 400, 200, .jpeg),
        Case("width=400&format=smallest", accept: "image/webp", of: webp, 400, 200, .webp),
        Case("width=400&preferwebp=true&format=png", of: webp, 400, 200, .png),
        Case("width=400&preferwebp=true&format=png", accept: "image/webp", of: webp, 400, 200, .webp),
        Case("width=400", of: webp, 400, 200, .webp),
        Case("width=400", mediaType: "image/webp", 400, 300, .webp),
        Case("width=400&format=auto", mediaType: "image/webp", 400, 300, .jpeg),
        Case("width=400&format=auto", 400, 300, .jpeg),
        Case("width=300&height=200&fit=pad&format=auto", accept: "image/webp", 300, 200, .webp),
        Case("format=png", of: wide, 2048, 102, .png),
        Case("", of: wide, 2048, 102, .jpeg),
        Case("crop=9000,0,5,5&format=png", of: webp, 800, 400, .png),
    ])
    func `a stand-in has the size and format that the picture would have`(_ item: Case) throws {
        let asset = Asset(id: "a", name: "a", mediaType: item.mediaType)
        var record = AssetRecord(asset: asset, version: "1", checkedSeconds: 0, lifetimeSeconds: 0)
        record.source = item.source
        let transform = try OwnDialect.transform(query: item.query).negotiated(AcceptedTypes(item.accept))
        let look = PlaceholderLook(of: .transform(transform), record: record, limits: RenderLimits())
        #expect(look.size == PixelSize(width: item.width, height: item.height))
        #expect(look.format == item.format)
    }

    @Test func `a stand-in keeps within an output limit that is smaller than its own`() {
        var limits = RenderLimits()
        limits.outputEdgePixels = 100
        let look = PlaceholderLook(of: .native, record: nil, limits: limits)
        #expect(look.size == PixelSize(width: 100, height: 75) && look.format == .jpeg)
    }
}
