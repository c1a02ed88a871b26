import Foundation
import TestSupport
import Testing

/// `rcache warm` from beginning to end, in front of another rcache.
@Suite struct WarmTests {
    @Test func `a warm comes to its end, and a second one downloads nothing`() async throws {
        let site = try Site(pictures: 12)
        try site.folder.write("not a picture".utf8, to: "photos/readme.txt")
        try await site.publish()
        try site.configure("warm: [\"native\", \"Medium\", \"width=64&format=webp\"]")
        let first = try await site.run("warm", "--json")
        #expect(first.status == 0, "\(first.messages)")
        let events = try first.objects()
        #expect(events.first?["event"] as? String == "total")
        #expect(events.count { $0["event"] as? String == "done" } == 12)
        let summary = try #require(events.last)
        #expect(summary["done"] as? Int == 12)
        #expect((summary["failed"] as? [String: Any])?.isEmpty == true)
        #expect((summary["fetched"] as? Int ?? 0) + (summary["rendered"] as? Int ?? 0) == 36)
        let natives = site.pictures.values.reduce(0) { $0 + $1.count }
        #expect((summary["fetchedBytes"] as? Int ?? 0) >= natives)
        #expect(try await site.statistics().entries == 36)

        let (requests, bytes) = (try await site.counter("requests"), try await site.counter("response_bytes"))
        #expect(bytes > natives)
        let second = try #require(try await site.run("warm", "--json").objects().last)
        #expect(second["done"] as? Int == 12 && second["present"] as? Int == 36)
        #expect(second["fetched"] as? Int == 0 && second["rendered"] as? Int == 0)
        // One page of the catalogue, and twice the question itself.
        #expect(try await site.counter("requests") == requests + 3)
        #expect(try await site.counter("response_bytes") < bytes + natives / 2)
        await site.unpublish()
    }

    @Test func `init writes what list and warm then work with`() async throws {
        let site = try Site(pictures: 3)
        try await site.publish()
        try site.folder.write(#"{"url":"\#(site.url)","channelToken":"0a1b2c3d"}"#.utf8, to: "credentials.json")
        let written = try await site.run("init", "--ocm", "credentials.json", "--name", "blog")
        #expect(written.status == 0, "\(written.messages)")
        let ids = try await site.identifiers()
        #expect(Set(ids.keys) == Set(site.pictures.keys))
        let warm = try await site.run("warm", "blog")
        #expect(warm.status == 0, "\(warm.messages)")
        #expect(warm.output.contains("done      3  of 3 pictures of blog"), "\(warm.output)")
        for object in try await site.run("list", "blog", "--json").objects() {
            #expect(object["cachedNative"] as? Bool == true)
            #expect(object["cachedRenditions"] as? Int == 2)
        }
        for text in [written.output, written.messages, warm.output, warm.messages] {
            #expect(!text.contains("0a1b2c3d"))
        }
        let id = try #require(ids["p3.png"])
        #expect(try await site.run("get", id).bytes == site.pictures["p3.png"])
        await site.unpublish()
    }

    @Test func `bench measures a folder of pictures, and leaves it as it was`() async throws {
        let site = try Site(pictures: 3)
        let run = try await site.run("bench", "--folder", "photos", "--seconds", "1", "--json")
        #expect(run.status == 0, "\(run.messages)")
        let report = try #require(try run.objects().first)
        #expect(report["pictures"] as? Int == 3)
        for (key, value) in report { #expect((value as? Double ?? 0) > 0, "\(key)") }
        #expect(report.count == 9)
        for (name, bytes) in site.pictures { #expect(try site.bytes("photos/\(name)") == bytes) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: site.folder.path) == ["photos"])
    }

    @Test func `the demo reports what happened to pictures, to a broken one and to none, and leaves nothing running`()
        async throws
    {
        let site = try Site(pictures: 3)
        let whole = TestJPEG(30, 20) { x, y in [x * 8, 100 + y, 140] }.bytes
        try site.folder.write(whole, to: "photos/photo.jpg")
        try site.folder.write(whole.prefix(whole.count / 2), to: "photos/broken.jpg")
        try site.folder.write("only called a picture".utf8, to: "photos/text.jpg")
        let run = try await site.run("demo", "--photos", "photos", "--directory", "demo", "--json")
        #expect(run.status == 0, "\(run.messages)")
        let report = try #require(try run.objects().first)
        #expect(report["done"] as? Int == 4)
        #expect((report["fetched"] as? Int ?? 0) > 0 && (report["rendered"] as? Int ?? 0) > 0)
        func names(_ key: String) -> [String?] {
            (report[key] as? [[String: Any]])?.map { $0["name"] as? String } ?? []
        }
        #expect(names("notMade") == ["broken.jpg"])
        #expect(names("skipped") == ["text.jpg"])
        for key in ["notMade", "skipped"] {
            let entries = report[key] as? [[String: Any]] ?? []
            #expect(entries.allSatisfy { ($0["reason"] as? String)?.isEmpty == false }, "\(key)")
        }
        #expect(report["nativeBytes"] as? Int == site.pictures.values.reduce(whole.count) { $0 + $1.count })
        // The files of which it speaks are there, and what it was given is untouched.
        let medium = try site.bytes("demo/medium.jpg")
        #expect(try medium == site.bytes("demo/medium-while-down.jpg"))
        for (name, bytes) in site.pictures { #expect(try site.bytes("photos/\(name)") == bytes) }
        #expect(try running(in: site.folder.path) == [])
        // What it says to try next works, though its CMS is gone.
        let picture = try #require(report["picture"] as? String)
        let next = try await site.run("get", picture, "--rendition", "Medium", "--config", "demo/rcache.json")
        #expect(next.status == 0)
        #expect(next.bytes == medium)
    }

    /// The command lines of processes that have to do with a folder.
    private func running(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { Int($0) != nil }.compactMap { process in
            // A process may end while it is looked at.
            let words = (try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(process)/cmdline"))) ?? Data()
            let here = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/cwd")) ?? ""
            let line = String(decoding: words, as: UTF8.self)
            return line.contains(folder) || here.hasPrefix(folder) ? line : nil
        }
    }
}
