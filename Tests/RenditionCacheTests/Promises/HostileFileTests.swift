import TestSupport
import Testing

@testable import RenditionCache

/// Promise 9: no hostile file or URL crashes the service, passes its memory limit, reaches an address it may not, or outlives
/// its deadline.
@Suite("Promise 9: no hostile file or URL harms the service", .timeLimit(.minutes(3))) struct HostileFileTests {
    struct Attack: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let name: String
        let bytes: [UInt8]
        /// What may become of it.
        let outcomes: Set<String>

        init(_ description: String, _ name: String, _ bytes: some Sequence<UInt8>, _ outcomes: String...) {
            testDescription = description
            self.name = name
            self.bytes = Array(bytes)
            self.outcomes = Set(outcomes)
        }
    }

    private static let jpeg = TestJPEG(40, 30) { x, y in [(x &* 7919 ^ y &* 104_729) % 256, 128, 128] }.bytes
    private static let png = TestPicture.gradient(width: 200, height: 100)

    /// A well-formed PNG whose data unpack to far more than its header promises.
    private static var overfull: [UInt8] {
        var picture = TestPNG(2000, 2000) { _, _ in [0, 0, 0] }
        (picture.width, picture.height) = (2, 2)
        return picture.bytes
    }

    private static func svg(_ attributes: String, _ body: String) -> String {
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" \(attributes)>\(body)</svg>"
    }

    private static let entities =
        "<?xml version=\"1.0\"?><!DOCTYPE svg [<!ENTITY a0 \"aaaaaaaaaa\">"
        + (1...9).map { "<!ENTITY a\($0) \"\(String(repeating: "&a\($0 - 1);", count: 10))\">" }.joined()
        + "]><svg xmlns=\"http://www.w3.org/2000/svg\" width=\"10\" height=\"10\"><text>&a9;</text></svg>"

    static let attacks: [Attack] = [
        Attack("nothing", "a.jpg", [], "not found"),
        Attack("text", "b.jpg", "not a picture at all, only called one".utf8, "not found"),
        Attack("the first bytes of a JPEG", "c.jpg", [0xFF, 0xD8, 0xFF], "placeholder undecodable"),
        Attack("half a JPEG", "d.jpg", jpeg.prefix(jpeg.count / 2), "placeholder undecodable"),
        Attack("half a PNG", "e.png", png.prefix(png.count / 2), "placeholder undecodable"),
        Attack(
            "a PNG of a million by a million",
            "f.png",
            TestPNG.promising(1_000_000, 1_000_000),
            "placeholder too-large"
        ),
        Attack("a PNG that unpacks to more than it says", "g.png", overfull, "placeholder undecodable", "rendition"),
        Attack(
            "a PNG signature and noise",
            "h.png",
            png.prefix(8) + noise(1, count: 50_000),
            "placeholder undecodable",
            "placeholder not-an-image"
        ),
        Attack(
            "a GIF of nothing but a giant canvas",
            "i.gif",
            Array("GIF89a".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0x3B],
            "placeholder undecodable",
            "placeholder too-large"
        ),
        Attack(
            "a WebP that lies about its length",
            "j.webp",
            Array("RIFF".utf8) + [0xFF, 0xFF, 0xFF, 0x7F] + Array("WEBPVP8 ".utf8) + noise(2, count: 4000),
            "placeholder undecodable"
        ),
        Attack(
            "an AVIF of noise",
            "k.avif",
            [0, 0, 0, 0x18] + Array("ftypavif".utf8) + [0, 0, 0, 0] + Array("avifmif1".utf8)
                + noise(3, count: 9000),
            "placeholder undecodable"
        ),
        Attack(
            "an SVG of a million by a million",
            "l.svg",
            svg("width=\"1000000\" height=\"1000000\"", "<rect width=\"9\" height=\"9\"/>").utf8,
            "placeholder too-large",
            "rendition"
        ),
        Attack(
            "an SVG that wants a file",
            "m.svg",
            svg("width=\"10\" height=\"10\"", "<image xlink:href=\"file:///etc/passwd\" width=\"9\" height=\"9\"/>")
                .utf8,
            "rendition",
            "placeholder undecodable"
        ),
        Attack("an SVG of a billion letters", "n.svg", entities.utf8, "placeholder undecodable", "rendition"),
    ]

    @Test(arguments: attacks)
    func `a hostile file costs itself and nothing else`(_ attack: Attack) async throws {
        let folder = try TemporaryFolder()
        try folder.write(attack.bytes, to: attack.name)
        try folder.write(Self.png, to: "good.png")
        let test = try await TestService([ChannelSettings(name: "blog", kind: .folder(path: folder.path))]) {
            $0.render.workers = 1
            $0.render.limits.deadlineSeconds = 10
        }
        let asset = AssetReference.id(attack.name)
        for format in [ImageFormat.jpeg, .webp] {
            let transform = Transform(resize: .inside(width: 50, height: nil), format: .fixed(format))
            let request = RenditionRequest(channel: "blog", asset: asset, selection: .transform(transform))
            let summary = try await summary(test.service, request)
            #expect(attack.outcomes.contains(summary), "\(summary)")
        }
        let good = RenditionRequest(channel: "blog", asset: .id("good"), selection: .named("Thumbnail", format: .png))
        #expect(try await test.service.rendition(for: good).rendition.size == PixelSize(width: 150, height: 75))
        #expect(test.service.metrics[.renderTimeouts] == 0)
        await test.service.shutDown()
    }

    private func summary(_ service: RenditionService, _ request: RenditionRequest) async throws -> String {
        do {
            return try await service.rendition(for: request).summary
        } catch {
            guard case .assetNotFound = error else { throw error }
            return "not found"
        }
    }

    @Test func `the same from a CMS, which may say anything of it`() async throws {
        let attacks = Self.attacks.filter { !$0.bytes.isEmpty }
        var items: [String: ScriptedCMS.Item] = ["GOOD": .init(native: Self.png)]
        for (number, attack) in attacks.enumerated() {
            items["H\(number)"] = .init(name: attack.name, native: attack.bytes, mediaType: "image/png")
        }
        let cms = try ScriptedCMS(items)
        let test = try await TestService([TestService.ocm(cms)])
        for (number, attack) in attacks.enumerated() {
            for selection in [RenditionRequest.Selection.native, .named("Thumbnail", format: .jpeg)] {
                let request = RenditionRequest(channel: "blog", asset: .id("H\(number)"), selection: selection)
                let outcome = try await test.service.rendition(for: request)
                // A native is not decoded: what is whole by its structure is the client's to judge.
                guard case .rendition(let rendition) = outcome, selection == .native else { continue }
                #expect(try rendition.body.bytes() == attack.bytes)
                #expect(rendition.format != nil, "\(attack)")
            }
        }
        let good = RenditionRequest(channel: "blog", asset: .id("GOOD"), selection: .named("Small", format: .png))
        let outcome = try await test.service.rendition(for: good)
        #expect(outcome.summary == "rendition")
        #expect(outcome.rendition.size == PixelSize(width: 200, height: 100))
        #expect(cms.downloads >= items.count)
        await test.service.shutDown()
    }

    @Test func `a worker that hangs ends at its deadline, and one that dies or is missing costs a picture`()
        async throws
    {
        let programs = try TemporaryFolder()
        let hangs = try programs.script("exec sleep 1000", named: "hangs")
        let dies = try programs.script("kill -SEGV $$", named: "dies")
        let cms = try ScriptedCMS(["A": .init(native: Self.png)])
        let thumbnail = RenditionRequest(
            channel: "blog",
            asset: .id("A"),
            selection: .named("Thumbnail", format: .jpeg)
        )
        for program in [hangs, dies, programs.file("missing")] {
            let test = try await TestService([TestService.ocm(cms)]) {
                $0.render.program = program
                $0.render.limits.deadlineSeconds = 0.2
            }
            // Without a worker there is no stand-in either; what needs none is served all the same.
            await #expect(throws: RenditionError.self) { try await test.service.rendition(for: thumbnail) }
            let native = RenditionRequest(channel: "blog", asset: .id("A"))
            #expect(try await test.service.rendition(for: native).rendition.body.bytes() == Self.png)
            #expect(test.service.cached(native) != nil)
            await test.service.shutDown()
        }
    }

    @Test func `a CMS cannot send rcache to another machine of the house`() async throws {
        let inner = try LoopbackOrigin { _ in .init(type: "image/png", body: Self.png) }
        let cms = try ScriptedCMS(["A": .init(native: Self.png)])
        let test = try await TestService([TestService.ocm(cms)])
        let request = RenditionRequest(channel: "blog", asset: .id("A"))
        for host in ["localhost", "[::ffff:127.0.0.1]", "0.0.0.0"] {
            cms.answer { $0.path.hasSuffix("/native") ? .redirect(to: "http://\(host):\(inner.port)/") : nil }
            #expect(try await test.service.rendition(for: request).summary == "placeholder origin-down")
            test.advance(61)
        }
        #expect(inner.connections == 0)
        await test.service.shutDown()
    }
}

/// Bytes that look like noise and are the same every time.
private func noise(_ seed: UInt64, count: Int) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    return generator.bytes(count)
}
