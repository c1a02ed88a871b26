import TestSupport
import Testing

@testable import RenditionCache

@Suite(.timeLimit(.minutes(2))) struct OCMRenditionTests {
    private static let poster = TestPicture.gradient(width: 32, height: 18, seed: 9)

    /// A CMS that offers a rendition of A that is not generated yet.
    private func cms(_ answer: LoopbackOrigin.Response) throws -> ScriptedCMS {
        let cms = try ScriptedCMS([
            "A": .init(native: ScriptedCMS.picture, renditions: ["Small?format=jpg": [], "Square?format=jpg": []])
        ])
        cms.answer { ["Small", "Square"].contains($0.path.split(separator: "/").last ?? "") ? answer : nil }
        return cms
    }

    @Test(arguments: [.init(type: "image/jpeg"), .init(404), .init(204)] as [LoopbackOrigin.Response])
    func `a rendition that is offered and not generated yet is asked for, and then made here`(
        _ answer: LoopbackOrigin.Response
    ) async throws {
        let cms = try cms(answer)
        let test = try await TestService([TestService.ocm(cms)])
        let rendition = try await test.service.rendition(for: .blog("A", .named("Small", format: .jpeg))).rendition
        #expect(rendition.provenance.fieldValue == "local" && rendition.size == PixelSize(width: 300, height: 225))
        #expect(cms.server.requests.contains { $0.path.hasSuffix("/A/Small") })
        // Nobody here can make what only the CMS knows.
        await #expect(throws: RenditionError.renditionNotFound(channel: "blog", asset: "A", rendition: "Square")) {
            try await test.service.rendition(for: .blog("A", .named("Square", format: .jpeg)))
        }
        await test.service.shutDown()
    }

    @Test func `an error page in the place of a rendition is no reason to think that there is none`() async throws {
        let cms = try cms(.init(type: "image/jpeg", body: "<html>Sorry".utf8))
        let test = try await TestService([TestService.ocm(cms)])
        let outcome = try await test.service.rendition(for: .blog("A", .named("Small", format: .jpeg)))
        #expect(outcome.summary == "placeholder origin-down")
        await test.service.shutDown()
    }

    @Test(
        arguments: [
            ("advanced-video-item.json", "CONT7A7B7C7D7E7F80818283848586878889", "advancedvideo", "Thumbnail"),
            ("video-item.json", "CONT6A6B6C6D6E6F70717273747576777879", "responsiveimage", "Thumbnail"),
            ("file-item.json", "CONT8A8B8C8D8E8F90919293949596979899", "responsiveimage", "Thumbnail"),
        ]
    )
    func `a video's poster and a document's first page are pictures of the CMS`(
        _ file: String,
        _ id: String,
        _ type: String,
        _ name: String
    ) async throws {
        let cms = try ScriptedCMS([:])
        cms.answer { request in
            if request.path.hasSuffix("/items/\(id)") {
                return .init(type: "application/json", body: OCMFixtures.bytes(file))
            }
            let isPoster =
                request.path.hasSuffix("/\(id)/\(name)") && request.query["type"] == type
                && request.query["format"] == "jpg"
            return isPoster ? .init(type: "image/png", body: Self.poster) : nil
        }
        let test = try await TestService([TestService.ocm(cms)])
        let rendition = try await test.service.rendition(for: .blog(id, .named("Thumbnail", format: nil))).rendition
        #expect(try rendition.body.bytes() == Self.poster)
        await test.service.shutDown()
    }
}
