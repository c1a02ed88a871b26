import TestSupport
import Testing

@testable import RenditionCache

/// What the pipeline makes of transforms whose format was chosen for a client, or cannot be met at all.
@Suite struct NegotiatedFormsTests {
    /// Of noise WebP makes less than PNG and JPEG, and of a flat drawing PNG makes less than JPEG.
    private static let noise = TestPNG(64, 48) { x, y in
        let value = (x &* 7919 &+ y &* 104_729) &* 2_654_435_761
        return [value >> 8 & 255, value >> 16 & 255, value >> 24 & 255]
    }.bytes

    private static func selection(_ query: String, _ accept: String? = nil) throws -> RenditionRequest.Selection {
        .transform(try OwnDialect.transform(query: query).negotiated(AcceptedTypes(accept)))
    }

    @Test(arguments: ["width=40&format=smallest", "width=40&format=auto", "width=40&preferwebp=true&format=jpeg"])
    func `what is stored and said of a negotiated form is about the bytes that came out`(_ query: String) async throws {
        let cms = try ScriptedCMS(["A": .init(native: Self.noise)])
        let test = try await TestService([TestService.ocm(cms)])
        var tags: Set<String?> = []
        for accept in [nil, "image/webp"] {
            let request = RenditionRequest.blog("A", try Self.selection(query, accept))
            let outcome = try await test.service.rendition(for: request)
            #expect(outcome.summary == "rendition")
            let rendition = outcome.rendition
            let format = try rendition.body.bytes().withUnsafeBytes { ImageFormat(signature: $0) }
            #expect(rendition.format == format)
            #expect(rendition.mediaType == format?.mediaType)
            #expect(format == .jpeg || accept != nil)
            #expect(rendition.size == PixelSize(width: 40, height: 30))
            #expect(rendition.fileName.hasSuffix(".\(format?.fileExtension ?? "")"))
            #expect(test.service.cached(request)?.entityTag == rendition.entityTag)
            tags.insert(rendition.entityTag)
        }
        #expect(tags.count == 2)
        #expect(test.service.metrics[.renders] == 2)
        await test.service.shutDown()
    }

    @Test func `smallest is never larger than what auto picks of the same formats`() async throws {
        let cms = try ScriptedCMS(["A": .init(native: Self.noise)])
        let test = try await TestService([TestService.ocm(cms)])
        func count(_ query: String, _ accept: String?) async throws -> Int {
            let request = RenditionRequest.blog("A", try Self.selection(query, accept))
            return try await test.service.rendition(for: request).rendition.body.bytes().count
        }
        let smallest = try await count("format=smallest", "image/webp")
        let (webp, jpeg) = (try await count("format=webp", nil), try await count("format=jpeg", nil))
        #expect(smallest == min(webp, jpeg))
        await test.service.shutDown()
    }

    @Test(arguments: [
        ("crop=100,0,5,5", "the crop leaves nothing of a picture of 64×48"),
        ("width=8000&enlarge=true&format=webp", "output pixels 48000000 passes the limit of 16000000"),
    ])
    func `a transform that the source leaves nothing of is an error, and the source is not to blame`(
        _ query: String,
        _ reason: String
    ) async throws {
        let cms = try ScriptedCMS(["A": .init(native: Self.noise)])
        let test = try await TestService([TestService.ocm(cms)])
        let request = RenditionRequest.blog("A", try Self.selection(query))
        for _ in 0..<2 {
            let error = await #expect(throws: RenditionError.self) { try await test.service.rendition(for: request) }
            #expect(error?.description == reason)
        }
        // Asked for again it costs no worker, and every other form of the picture is there.
        #expect(test.service.metrics[.renderRefusals] == 1)
        #expect(try await test.service.rendition(for: .blog("A", Self.selection("width=9"))).summary == "rendition")
        #expect(test.service.metrics[.placeholders] == 0)
        await test.service.shutDown()
    }

    @Test func `a name is not to blame for what it comes to with an odd source, and a stand-in keeps its place`()
        async throws
    {
        let tower = TestPNG(2, 40) { _, y in [y, y, y] }.bytes
        let cms = try ScriptedCMS(["A": .init(native: tower)])
        let test = try await TestService([TestService.ocm(cms)]) { $0.render.limits.outputEdgePixels = 30 }
        let named = RenditionRequest.blog("A", .named("Medium", format: .webp))
        #expect(try await test.service.rendition(for: named).summary == "placeholder too-large")
        await test.service.shutDown()
    }

    @Test func `a source beyond the limits stays a placeholder in every transform`() async throws {
        let cms = try ScriptedCMS(["A": .init(native: Self.noise)])
        let test = try await TestService([TestService.ocm(cms)]) { $0.render.limits.sourcePixels = 1000 }
        let request = RenditionRequest.blog("A", try Self.selection("width=9&format=auto", "image/webp"))
        let outcome = try await test.service.rendition(for: request)
        #expect(outcome.summary == "placeholder too-large")
        #expect(outcome.rendition.format == .webp)
        await test.service.shutDown()
    }
}
