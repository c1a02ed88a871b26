import Foundation
import RenditionCache
import Synchronization
import TestSupport
import Testing

/// Promise 2 with the real programs: they are killed in the middle of their work, twenty times.
///
/// What they had come to is decided by events of theirs, the seeded-random one after which the signal is sent.
@Suite("Promise 2: a process that is killed leaves complete entries only", .timeLimit(.minutes(5)))
struct KillTests {
    private static let forms: [String: RenditionRequest.Selection] = [
        "native": .native, "Thumbnail.jpg": .named("Thumbnail", format: .jpeg),
        "Small.webp": .named("Small", format: .webp),
    ]

    /// A form of a picture: its identifier and the form, as in a URL.
    private struct Target: Hashable {
        let id: String
        let form: String
        var path: String { "/v1/blog/\(id)/\(form)" }
    }

    private func site() async throws -> (site: Site, bodies: [Target: [UInt8]]) {
        let site = try Site(pictures: 8)
        try await site.publish()
        let forms = Self.forms.keys.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
        try site.configure("warm: [\(forms)]")
        // The publisher itself has what the other one is to have, by name.
        let client = try RawClient(port: try #require(Int(site.url.split(separator: ":").last ?? "")))
        var bodies: [Target: [UInt8]] = [:]
        for (name, id) in try await site.identifiers() {
            for form in Self.forms.keys {
                let response = try await client.get("/v1/photos/\(name)/\(form)")
                #expect(response.status == 200, "\(name) \(form)")
                bodies[Target(id: id, form: form)] = response.body
            }
        }
        #expect(bodies.count == 24)
        return (site, bodies)
    }

    /// Looks through a copy of the cache that a killed process left; returns how many entries are there, all of them right.
    private func whole(_ site: Site, _ bodies: [Target: [UInt8]]) async throws -> Int {
        let copy = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: site.folder.file("cache"), toPath: copy.file("cache"))
        var configuration = try Configuration.read(file: site.folder.file("rcache.json"))
        configuration.cache.directory = copy.file("cache")
        let service = try await RenditionService.open(configuration)
        let statistics = service.statistics()
        #expect(statistics.rows.reduce(0) { $0 + $1.entries } == statistics.entries)
        #expect(statistics.allocatedBytes >= statistics.rows.reduce(0) { $0 + $1.bytes })
        #expect(statistics.allocatedBytes < 10_000_000)
        #expect(try FileManager.default.contentsOfDirectory(atPath: copy.file("cache/tmp")) == [])
        for (target, body) in bodies {
            let selection = try #require(Self.forms[target.form])
            let request = RenditionRequest(channel: "blog", asset: .id(target.id), selection: selection)
            let outcome = try await service.rendition(for: request)
            #expect(try outcome.rendition.body.bytes() == body, "\(target)")
        }
        // Each entry was served as it lay there, and only the others were asked of the CMS.
        #expect(service.metrics[.hits] == statistics.entries)
        #expect(service.metrics[.misses] == bodies.count - statistics.entries)
        #expect(service.metrics[.quarantined] == 0)
        await service.shutDown()
        return statistics.entries
    }

    @Test func `a service that is killed after any of its answers`() async throws {
        let (site, bodies) = try await site()
        var random = Seeded(seed: 11)
        for cycle in 0..<10 {
            if cycle == 5 { try FileManager.default.removeItem(atPath: site.folder.file("cache")) }
            let (serve, port) = try await site.serve()
            let (process, last) = (serve.identifier, Int.random(in: 1...12, using: &random))
            let order = bodies.keys.sorted { $0.path < $1.path }.shuffled(using: &random)
            let answers = Count()
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<4 {
                    group.addTask {
                        // Whoever is cut off, or comes too late, has nothing to tell.
                        guard let client = try? RawClient(port: port) else { return }
                        for turn in order.indices where turn % 4 == number {
                            guard let response = try? await client.get(order[turn].path) else { return }
                            #expect(response.status == 200 && response.body == bodies[order[turn]], "\(order[turn])")
                            if answers.next() == last { kill(process, SIGKILL) }
                        }
                    }
                }
            }
            #expect(await serve.end().status == -SIGKILL, "cycle \(cycle)")
            _ = try await whole(site, bodies)
        }
        #expect(try await site.run("warm").status == 0)
        #expect(try await whole(site, bodies) == bodies.count)
        await site.unpublish()
    }

    @Test func `a warm that is killed after any of its events`() async throws {
        let (site, bodies) = try await site()
        var random = Seeded(seed: 12)
        var before = 0
        for cycle in 0..<10 {
            if cycle % 4 == 3 {
                try FileManager.default.removeItem(atPath: site.folder.file("cache"))
                before = 0
            }
            let warm = try RunningCommand(["warm", "--json", "--verbose", "--concurrency", "3"], in: site.folder.path)
            for _ in 0..<Int.random(in: 1...6, using: &random) { _ = await warm.line() }
            warm.send(SIGKILL)
            let status = await warm.end().status
            #expect(status == -SIGKILL || status == 0, "cycle \(cycle)")
            let found = try await whole(site, bodies)
            #expect(found >= before, "cycle \(cycle): what was there is there")
            before = found
        }
        let end = try #require(try await site.run("warm", "--json").objects().last)
        #expect(end["done"] as? Int == 8)
        #expect(end["present"] as? Int ?? -1 >= before)
        #expect(try await whole(site, bodies) == bodies.count)
        #expect(try await site.statistics().entries == bodies.count)
        await site.unpublish()
    }
}

/// Counts from 1.
private final class Count: Sendable {
    private let last = Atomic(0)
    func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}

/// SplitMix64: random input that is the same in every run.
private struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
