import Foundation
import TestSupport
import Testing

/// A folder of pictures, an rcache that publishes it as a CMS, and the configuration of another one in front of it.
///
/// All of it lies in one temporary folder, in which the commands run.
final class Site {
    let folder: TemporaryFolder
    /// File names and bytes.
    let pictures: [String: [UInt8]]
    private var publisher: RunningCommand?
    private(set) var url = ""

    /// Writes `count` different pictures.
    init(pictures count: Int) throws {
        folder = try TemporaryFolder()
        var pictures: [String: [UInt8]] = [:]
        for number in 1...count {
            let name = "p\(number).png"
            pictures[name] = TestPicture.gradient(width: 200 + 8 * number, height: 150, seed: number)
            try folder.write(pictures[name] ?? [], to: "photos/\(name)")
        }
        self.pictures = pictures
    }

    /// Starts the publisher.
    func publish() async throws {
        // A cache of its own, elsewhere than that of the rcache in front of it; and nobody is turned away.
        try folder.write(
            """
            { cache: { directory: "cms-cache", keepFree: 0 }, server: { listen: "127.0.0.1:0" },
              render: { queuePerWorker: 100 },
              channels: { photos: { kind: "folder", path: "photos" } } }
            """.utf8,
            to: "cms.json"
        )
        let publisher = try RunningCommand(["serve", "--config", "cms.json"], in: folder.path)
        self.publisher = publisher
        url = await publisher.line()
        try #require(url.hasPrefix("http://127.0.0.1:"))
    }

    /// Stops the publisher, and waits until nobody listens any more.
    func unpublish() async {
        publisher?.send(SIGTERM)
        let run = await publisher?.end()
        #expect(run?.status == 0)
        publisher = nil
    }

    /// Writes `rcache.json` with the channel `blog`, whose CMS is the publisher unless another is named.
    func configure(_ channel: String = "", cms: String? = nil, more: String = "") throws {
        try folder.write(
            """
            { cache: { directory: "cache", keepFree: 0 }, server: { listen: "127.0.0.1:0" }, \(more)
              channels: { blog: { kind: "ocm", url: "\(cms ?? url)", \(channel) } } }
            """.utf8,
            to: "rcache.json"
        )
    }

    /// Runs the command that is in front of the CMS.
    func run(_ arguments: String..., program: URL = CommandRun.program) async throws -> CommandRun {
        try await CommandRun(arguments, in: folder.path, program: program)
    }

    /// Starts it as a service; the second value is its port.
    func serve() async throws -> (command: RunningCommand, port: Int) {
        let command = try RunningCommand(["serve"], in: folder.path)
        let line = await command.line()
        return (command, try #require(Int(line.split(separator: ":").last ?? "")))
    }

    /// The identifiers that the channel has for the pictures.
    func identifiers() async throws -> [String: String] {
        let list = try await run("list", "--json")
        #expect(list.status == 0, "\(list.messages)")
        return try list.objects().reduce(into: [:]) { $0[$1["name"] as? String ?? ""] = $1["id"] as? String }
    }

    /// A counter of the publisher, or of whoever listens on `port`.
    func counter(_ name: String, port: Int? = nil) async throws -> Int {
        let published = Int(url.split(separator: ":").last ?? "")
        let text = try await RawClient(port: try #require(port ?? published)).get("/metrics").text
        let line = text.split(separator: "\n").first { $0.hasPrefix("rcache_\(name)_total ") }
        return try #require(Int(line?.split(separator: " ").last ?? ""))
    }

    /// The numbers that `stats` prints.
    func statistics() async throws -> (entries: Int, allocatedBytes: Int) {
        let stats = try await run("stats", "--json")
        let object = try #require(try stats.objects().first)
        #expect(stats.status == 0, "\(stats.messages)")
        return (try #require(object["entries"] as? Int), try #require(object["allocatedBytes"] as? Int))
    }

    func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.file(name))))
    }
}

extension CommandRun {
    /// Standard output as JSON lines.
    func objects() throws -> [[String: Any]] {
        try output.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }
}
