import Foundation
import RenditionCache
import TestSupport
import Testing

/// The commands on a folder of pictures, and on another rcache that publishes it.
@Suite struct CommandServiceTests {
    let folder: TemporaryFolder
    let picture = TestPicture.gradient(width: 400, height: 200, seed: 1)

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(picture, to: "photos/beach.png")
        try folder.write(TestPicture.gradient(width: 20, height: 30, seed: 2), to: "photos/trips/lake 1.png")
        try folder.write("no picture".utf8, to: "photos/notes.txt")
    }

    private func run(_ arguments: String...) async throws -> CommandRun {
        try await CommandRun(arguments, in: folder.path)
    }

    private func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.file(name))))
    }

    // MARK: - A folder

    @Test func `a native goes to a pipe or to a file, byte for byte`() async throws {
        let piped = try await run("get", "beach", "--folder", "photos")
        #expect(piped.status == 0, "\(piped.messages)")
        #expect(piped.bytes == picture)
        #expect(piped.messages == "")
        #expect(try await run("get", "beach.png", "--folder", "photos", "-o", "copy.png").status == 0)
        #expect(try bytes("copy.png") == picture)
        let named = try await run("get", "trips/lake 1", "--folder", "photos", "-o", ".", "--json")
        #expect(named.status == 0)
        #expect(named.output.contains(#""file":"./lake 1.png""#), "\(named.output)")
        let again = try await run("get", "trips/lake 1", "--folder", "photos", "-o", ".")
        #expect(again.status == 2)
        #expect(again.messages == "rcache: ./lake 1.png is there already; --force replaces it\n")
    }

    @Test func `the extension of the file decides the format, and the rendition its size`() async throws {
        let small = try await run(
            "get",
            "beach",
            "--rendition",
            "SMALL",
            "-o",
            "small.webp",
            "--folder",
            "photos",
            "--json"
        )
        #expect(small.status == 0, "\(small.messages)")
        #expect(small.output.contains(#""format":"webp","mediaType":"image/webp","width":300,"height":150,"#))
        #expect(try bytes("small.webp").withUnsafeBytes { ImageFormat(signature: $0) } == .webp)
        let converted = try await run("get", "beach", "-o", "native.jpg", "--folder", "photos")
        #expect(converted.status == 0, "\(converted.messages)")
        #expect(try bytes("native.jpg").withUnsafeBytes { ImageFormat(signature: $0) } == .jpeg)
    }

    @Test func `what is not there ends with 3, and what is not cached with 4`() async throws {
        for id in ["none", "notes.txt", "../photos/beach"] {
            let run = try await run("get", id, "--folder", "photos")
            #expect(run.status == 3)
            #expect(run.output == "")
            #expect(run.messages.contains("has no asset \"\(id)\""), "\(run.messages)")
        }
        let offline = try await run("get", "beach", "--width", "7", "--offline", "--folder", "photos")
        #expect(offline.status == 4)
        #expect(offline.messages.hasPrefix("rcache: "))
    }

    @Test func `a channel is listed as a table or as lines of JSON`() async throws {
        let table = try await run("list", "--folder", "photos")
        #expect(table.status == 0, "\(table.messages)")
        let lines = table.output.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.first?.hasPrefix("ID") == true)
        #expect(lines.contains { $0.hasPrefix("beach ") && $0.contains("image/png") })
        let json = try await run("list", "photos", "--folder", "photos", "--json", "--limit", "1")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: Any])
        #expect(object["id"] as? String == "beach")
        #expect(object["bytes"] as? Int == picture.count)
    }

    @Test func `a warm ends with a table, stats counts what it made, and explain finds it`() async throws {
        let warm = try await run("warm", "--folder", "photos", "--rendition", "Thumbnail")
        #expect(warm.status == 0, "\(warm.messages)")
        #expect(warm.output.contains("done      2  of 2 pictures of photos"))
        #expect(warm.output.contains("rendered  2  forms"))
        let again = try await run("warm", "--folder", "photos", "--rendition", "thumbnail", "--json")
        let last = try #require(again.output.split(separator: "\n").last)
        #expect(last.hasPrefix(#"{"event":"finished","done":2,"#))
        #expect(last.contains(#""rendered":0,"present":2,"#))
        let stats = try await run("stats", "--folder", "photos", "--json")
        #expect(
            stats.output.contains(#""channel":"photos","rendition":"Thumbnail","mediaType":"image/png","entries":2,"#)
        )
        let explain = try await run("explain", "beach", "--rendition", "Thumbnail", "--folder", "photos", "--json")
        #expect(explain.output.hasPrefix(#"{"channel":"photos","asset":"beach","form":"Thumbnail","verdict":"hit","#))
    }

    @Test func `a picture that cannot be made fails the warm with 1 and is named with its reason`() async throws {
        try folder.write(picture.prefix(600), to: "photos/cut.png")
        let warm = try await run("warm", "--folder", "photos", "--rendition", "Thumbnail")
        #expect(warm.status == 1)
        #expect(warm.output.contains("failed    1  "))
        #expect(warm.output.contains("\ncut.png  Thumbnail  "))
        let get = try await run("get", "cut", "--rendition", "Thumbnail", "--folder", "photos")
        #expect(get.status == 1)
        #expect(get.bytes == [])
        #expect(get.messages.contains("--placeholder accepts a stand-in"))
    }

    // MARK: - Another rcache as the CMS

    @Test func `one rcache is the CMS of another, and what was fetched outlives it`() async throws {
        let cms = try RunningCommand(["serve", "--folder", "photos", "--listen", "127.0.0.1:0"], in: folder.path)
        let url = await cms.line()
        try #require(url.hasPrefix("http://127.0.0.1:"))
        let text = "{ channels: { blog: { kind: 'ocm', url: '\(url)', maxAge: 0, staleWhileRevalidate: 0 } } }"
        try folder.write(text.utf8, to: "rcache.json")
        let warm = try await run("warm", "--rendition", "native", "--json")
        #expect(warm.status == 0, "\(warm.messages)")
        let listed = try await run("list", "--json")
        let first = try #require(listed.output.split(separator: "\n").first { $0.contains("beach.png") })
        let id = try #require(first.firstMatch(of: /"id":"(CONT[0-9A-F]{32})"/)).output.1
        let address = "\(url)/content/published/api/v1.1/assets/\(id)/native/beach.png"
        #expect(try await run("get", address).bytes == picture)
        let missing = "CONT00000000000000000000000000000000"
        #expect(try await run("get", missing).status == 3)

        cms.send(SIGTERM)
        #expect(await cms.end().status == 0)
        let stale = try await run("get", String(id))
        #expect(stale.status == 0)
        #expect(stale.bytes == picture)
        #expect(stale.messages.contains("note: this is the last good picture"), "\(stale.messages)")
        #expect(try await run("get", missing).status == 4)
        #expect(try await run("list").status == 4)
        #expect(try await run("warm").status == 4)
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a signal ends a warm cleanly while the CMS keeps it waiting`(_ signal: Int32) async throws {
        let gate = Gate()
        let origin = try LoopbackOrigin { _ in .json("{}").held(by: gate) }
        defer { gate.open() }
        try folder.write(
            "{ fetch: { stallTimeout: 100 }, channels: { blog: { kind: 'ocm', url: '\(origin.url)' } } }".utf8,
            to: "rcache.json"
        )
        let warm = try RunningCommand(["warm"], in: folder.path)
        try await gate.waitUntilArrived(1)
        warm.send(signal)
        let run = await warm.end()
        #expect(run.status == 128 + signal)
        #expect(run.output == "")
        #expect(run.messages.contains("interrupted after 0 pictures"), "\(run.messages)")
    }

    @Test func `serve says which port is taken`() async throws {
        let first = try RunningCommand(
            ["serve", "--folder", "photos", "--listen", "127.0.0.1:0", "--json"],
            in: folder.path
        )
        let line = await first.line()
        let port = try #require(line.firstMatch(of: /:(\d+)"}$/)).output.1
        let second = try await run("serve", "--folder", "photos", "--listen", "127.0.0.1:\(port)")
        #expect(second.status == 1)
        #expect(second.messages.contains("cannot listen on 127.0.0.1 port \(port)"), "\(second.messages)")
        first.send(SIGINT)
        #expect(await first.end().status == 0)
    }
}
