import TestSupport
import Testing

@testable import RenditionCache

/// Promise 8: same input, same transform, same library versions: same bytes, at any thread count.
@Suite("Promise 8: the same request yields the same bytes at any time", .timeLimit(.minutes(3))) struct SameBytesTests {
    private static let sources: [String: [UInt8]] = [
        "rgb": TestPicture.gradient(width: 700, height: 500, seed: 5),
        "alpha": TestPNG(300, 200, .rgba) { x, y in [x % 256, y % 256, (x * y) % 256, (x + y) % 256] }.bytes,
        "cmyk": TestJPEG(40, 30) { x, y in [x * 6, y * 8, (x * y) % 256, 40] }.bytes,
        "noise": TestJPEG(60, 40) { x, y in [(x &* 7919 ^ y &* 104_729) % 256, 100 + x, 140 - y] }.bytes,
    ]

    private static let transforms: [Transform] = [ImageFormat.jpeg, .png, .webp, .avif].flatMap { format in
        [
            Transform(resize: .inside(width: 160, height: nil), format: .fixed(format)),
            Transform(resize: .inside(width: 77, height: 55), format: .fixed(format), quality: 61),
        ]
    }

    /// Renders every source with every transform on a cache of its own, `atOnce` at a time.
    private func digests(workers: Int, atOnce: Int, reversed: Bool = false) async throws -> [String: Digest] {
        let folder = try TemporaryFolder()
        for (name, bytes) in Self.sources {
            try folder.write(bytes, to: bytes.starts(with: [0xFF]) ? "\(name).jpg" : "\(name).png")
        }
        let test = try await TestService([ChannelSettings(name: "blog", kind: .folder(path: folder.path))]) {
            $0.render.workers = workers
            $0.render.queuePerWorker = 100
            $0.render.jobsPerWorker = 7
        }
        var jobs = Self.sources.keys.sorted().flatMap { name in
            Self.transforms.map { (name, RenditionRequest.Selection.transform($0)) }
        }
        if reversed { jobs.reverse() }
        let digests = try await withThrowingTaskGroup(of: (String, Digest).self) { group in
            var made: [String: Digest] = [:]
            for (index, (name, selection)) in jobs.enumerated() {
                if index >= atOnce, let next = try await group.next() { made[next.0] = next.1 }
                group.addTask {
                    let request = RenditionRequest(channel: "blog", asset: .id(name), selection: selection)
                    let outcome = try await test.service.rendition(for: request)
                    #expect(outcome.summary == "rendition", "\(name) \(selection.form)")
                    #expect(Digest(of: try outcome.rendition.body.bytes()) == outcome.rendition.digest)
                    return ("\(name) \(selection.form)", outcome.rendition.digest)
                }
            }
            return try await group.reduce(into: made) { $0[$1.0] = $1.1 }
        }
        #expect(test.service.metrics[.renders] == jobs.count)
        await test.service.shutDown()
        return digests
    }

    @Test func `one worker or three, alone or in a crowd, forwards or backwards, again and again`() async throws {
        let first = try await digests(workers: 1, atOnce: 1)
        #expect(first.count == Self.sources.count * Self.transforms.count)
        // Different requests do differ, else equality would say nothing.
        #expect(Set(first.values).count == first.count)
        #expect(try await digests(workers: 3, atOnce: 12) == first)
        #expect(try await digests(workers: 2, atOnce: 4, reversed: true) == first)
    }
}
