import Foundation
import RenditionCache
import TestSupport
import Testing

/// What was fetched or rendered once needs neither the CMS nor a worker again.
@Suite struct OfflineTests {
    /// `rcache` alone in a folder: there is no `rcache-render` beside it.
    private func lonelyProgram(_ folder: TemporaryFolder) throws -> URL {
        let copy = URL(fileURLWithPath: try folder.write([], to: "alone/rcache"))
        try FileManager.default.removeItem(at: copy)
        try FileManager.default.copyItem(at: CommandRun.program, to: copy)
        return copy
    }

    @Test func `the second get touches no network and starts no worker`() async throws {
        let site = try Site(pictures: 2)
        try await site.publish()
        try site.configure()
        let id = try #require(try await site.identifiers()["p1.png"])
        let forms: [[String]] = [
            [], ["--rendition", "Thumbnail"], ["--rendition", "Medium", "--format", "webp"],
            ["--width", "60", "--format", "jpeg"],
        ]
        var cold: [CommandRun] = []
        for form in forms { cold.append(try await CommandRun(["get", id] + form, in: site.folder.path)) }
        #expect(cold.allSatisfy { $0.status == 0 })
        #expect(cold[0].bytes == site.pictures["p1.png"])
        #expect(Set(cold.map(\.bytes)).count == forms.count)
        await site.unpublish()

        let alone = try lonelyProgram(site.folder)
        for (form, cold) in zip(forms, cold) {
            let again = try await CommandRun(["get", id] + form, in: site.folder.path, program: alone)
            #expect(again.status == 0, "\(again.messages)")
            #expect(again.bytes == cold.bytes)
            #expect(again.messages == "")
        }
        // The same program fails at what is not there, so it really is alone.
        let other = try await site.run("get", id, "--width", "61", program: alone)
        #expect(other.status != 0)
        #expect(other.bytes == [])
        #expect(other.messages.contains("rcache-render"), "\(other.messages)")
    }

    @Test func `a stale picture comes with a notice, a stand-in only on request, and what is missing with its code`()
        async throws
    {
        let site = try Site(pictures: 2)
        try await site.publish()
        try site.configure("maxAge: 0, staleWhileRevalidate: 0")
        let ids = try await site.identifiers()
        let (first, second) = (try #require(ids["p1.png"]), try #require(ids["p2.png"]))
        #expect(try await site.run("get", first, "--rendition", "Small", "-o", "small.jpg").status == 0)
        #expect(try await site.run("get", "CONT00000000000000000000000000000000").status == 3)
        #expect(try await site.run("get", first, "--rendition", "Poster").status == 3)
        #expect(try await site.run("get", first, "--width", "0").status == 2)
        #expect(try await site.run("warm", "--limit", "1").status == 0)
        await site.unpublish()

        let stale = try await site.run("get", first, "--rendition", "Small", "-o", "stale.jpg")
        #expect(stale.status == 0)
        #expect(stale.messages.contains("note: this is the last good picture"), "\(stale.messages)")
        #expect(stale.messages.contains("origin-down"), "\(stale.messages)")
        #expect(try site.bytes("stale.jpg") == site.bytes("small.jpg"))
        let info = try await site.run("get", first, "--rendition", "Small", "--info", "--format", "jpeg")
        #expect(try info.objects().first?["state"] as? String == "stale")

        let before = try await site.statistics()
        let refused = try await site.run("get", second, "--rendition", "Small", "-o", "none.png")
        #expect(refused.status == 4)
        #expect(refused.messages.contains("--placeholder accepts a stand-in"), "\(refused.messages)")
        #expect(!FileManager.default.fileExists(atPath: site.folder.file("none.png")))
        let accepted = try await site.run(
            "get",
            second,
            "--rendition",
            "Small",
            "-o",
            "stand-in.png",
            "--placeholder",
            "--json"
        )
        #expect(accepted.status == 0, "\(accepted.messages)")
        #expect(accepted.messages.contains("note: this is a placeholder, not the picture (origin-down)"))
        let object = try #require(try accepted.objects().first)
        #expect(object["state"] as? String == "placeholder" && object["cause"] as? String == "origin-down")
        #expect(object["width"] as? Int == 300)
        #expect(object["entityTag"] is NSNull)
        #expect(try site.bytes("stand-in.png").withUnsafeBytes { ImageFormat(signature: $0) } == .png)
        #expect(try await site.statistics() == before)
        #expect(try await site.run("warm").status == 4)
        #expect(try await site.run("get", second, "--offline").status == 4)
    }

    @Test func `a CMS that comes back is asked again, and only once for each picture`() async throws {
        let site = try Site(pictures: 3)
        try await site.publish()
        try site.configure()
        let port = try #require(Int(site.url.split(separator: ":").last ?? ""))
        let warm = try await site.run("warm", "--rendition", "native", "--limit", "2")
        #expect(warm.status == 0)
        await site.unpublish()
        #expect(try await site.run("warm", "--rendition", "native").status == 4)
        let publisher = try RunningCommand(
            ["serve", "--config", "cms.json", "--listen", "127.0.0.1:\(port)"],
            in: site.folder.path
        )
        #expect(await publisher.line() == site.url)
        let resumed = try await site.run("warm", "--rendition", "native", "--json")
        let last = try #require(try resumed.objects().last)
        #expect(last["done"] as? Int == 3 && last["fetched"] as? Int == 1 && last["present"] as? Int == 2)
        publisher.send(SIGTERM)
        #expect(await publisher.end().status == 0)
    }
}
